"""Operations become NodeDefs, as TensorFlow has them, and NodeDefs become operations again.

Mostly, an op has the same type, inputs and attributes in both. `_ROWS` lists the exceptions, and
extras/stored_ops.py what is made of an op that only one of the two has. The blocks of conds and
loops aren't stored: reading finds them again, by the Switch or Enter that leads into each.

Mirrors tensorflow/python/framework/importer.py and graph_io.py, tensor_util.py, and
tensorflow/core/graph/graph_constructor.cc.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minitf.extras import load_all
from minitf.extras.control_flow import Loop, is_within
from minitf.extras.stored_ops import MADE_OF, STORED_AS
from minitf.framework import dtypes, errors
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message
from minitf.framework.registry import OPS
from minitf.framework.tensor_shape import UNKNOWN, TensorShape
from minitf.ops.array_ops import identity
from minitf.ops.control_flow_ops import Block, Construct, block_of
from minitf.ops.state_ops import variable_of

# What the rules below don't say about an op: first the names of the attributes that hold the dtypes
# of its inputs ("-" if they have a fixed dtype) or, if these are fewer, of those inputs that aren't
# of kind T or bool; after "+", of all further inputs. Then come attributes with what they mean if
# they are left out; `a:b` is called b in minitf, and one after "!" is never stored.
_ROWS = """
ApplyAdagradDA: T T T T T T T -
ArgMax ArgMin: Tidx output_type=int64
Assert: - +T summarize=3
Assign: validate_shape=True
BatchMatMulV2: adj_x:transpose_a=False adj_y:transpose_b=False
BroadcastGradientArgs: T T
BroadcastTo LinSpace ReverseV2: Tidx
Cast: SrcT
ConcatV2: Tidx
Cumsum: Tidx exclusive=False reverse=False
Enter NextIteration Exit InvertPermutation Rank Unique Where: T
ExpandDims: Tdim
Fill: index_type T
GatherNd: Tparams Tindices
GatherV2: Tparams Tindices Taxis batch_dims=0
HistogramSummary ScalarSummary: - T
IsVariableInitialized PlaceholderWithDefault: dtype
MatMul: transpose_a=False transpose_b=False
MergeSummary StringJoin LoopCond StaticRegexFullMatch: -
Merge: !shape
MergeV2Checkpoints: - -
MirrorPad: Tpaddings
OneHot: TI - axis=-1
Pack Unpack: axis=0
Pad: Tpaddings !constant_values=0
Print: T +U summarize=3
PyFunc: +Tin
RandomStandardNormal RandomUniform TruncatedNormal: T
RandomUniformInt: T Tout Tout !dtype
Range: Tidx Tidx Tidx
Reshape: Tshape
RestoreV2 ShardedFilename: - - -
SaveV2: - - - +dtypes
ScatterNd: Tindices Tindices
Shape Size: T out_type=int32
Slice: Index Index
Softmax LogSoftmax: !axis=-1
SparseApplyAdagradDA: T T T T Tindices T T T -
SparseSoftmaxCrossEntropyWithLogits: Tlabels
Split: - T
SplitV: Tlen -
Squeeze: squeeze_dims:axis=()
StridedSlice StridedSliceAssign: Index Index Index begin_mask=0 end_mask=0 ellipsis_mask=0 \
new_axis_mask=0 shrink_axis_mask=0
StridedSliceGrad: Index Index Index Index T !shape begin_mask=0 end_mask=0 ellipsis_mask=0 \
new_axis_mask=0 shrink_axis_mask=0
Switch: T
Sum Mean Prod Max Min All Any: Tidx keep_dims=False
TensorSummaryV2: - T -
Tile: Tmultiples
TopKV2: Tk
Transpose: Tperm
UnsortedSegmentSum: Tindices Tnumsegments
"""
_ENTRIES = {
    op_type: entries.split()
    for line in _ROWS.strip().splitlines()
    for op_types, entries in [line.split(":", 1)]
    for op_type in op_types.split()
}
# In the order of TensorFlow's inputs, the places of minitf's.
_PLACES = {"Split": (2, 0), "StridedSliceGrad": (1, 2, 3, 4, 0)}
_REFERRING = ("Switch", "Enter", "Exit", "NextIteration", "Merge")  # "RefSwitch" for a variable
_RANDOM = ("RandomShuffle", "RandomStandardNormal", "RandomUniform", "RandomUniformInt")
_RANDOM += ("TruncatedNormal",)
_ONE_MORE = ("Merge", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")


def _type_attrs(op_type: str, types: list[dtypes.DType]) -> dict[str, Any]:
    """Return the attributes that the dtypes of an op's inputs give."""
    entries, kinds = _ENTRIES.get(op_type, []), [kind for _, kind in OPS[op_type].inputs]
    names = [entry for entry in entries if "=" not in entry and entry[0] not in "!+"]
    if len(names) != len(kinds):
        others = iter(names)
        fixed = {"T": "T", "*T": "T", "ref": "T", "bool": "-"}
        names = [fixed.get(kind) or next(others, "Tindices") for kind in kinds]
    found: dict[str, Any] = {}
    if kinds[:1] == ["*T"]:
        found["N"] = len(types) - len(kinds) + 1
        names[:1] *= found["N"]
    found |= {e[1:]: tuple(types[len(names) :]) for e in entries if e[0] == "+"}
    return found | {n: dtype for n, dtype in zip(names, types, strict=False) if n != "-"}


def _named_attrs(op_type: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the stored name ("" if it isn't stored), minitf's name and the default of attributes."""
    for entry in _ENTRIES.get(op_type, []):
        if "=" in entry or entry[0] == "!":
            name, _, default = entry.partition("=")
            stored, _, own = name.rpartition(":")
            stored = "" if name[0] == "!" else stored or own
            yield stored, own.lstrip("!"), eval(default or "None", vars(dtypes))


# Values of attributes, and tensors.


def shape_proto(shape: TensorShape):
    """Return a static shape as a TensorShapeProto."""
    proto = message("TensorShapeProto")
    if shape.rank is None:
        return proto(unknown_rank=True)
    return proto(dim=[proto.Dim(size=-1 if n is None else n) for n in shape.as_list()])


def _shape_of(proto) -> TensorShape:
    dims = [None if dim.size == -1 else dim.size for dim in proto.dim]
    return TensorShape(None if proto.unknown_rank else dims)


def _data_type(dtype: dtypes.DType) -> int:
    name = dtype.base_dtype.name
    return message("DataType").Value(f"DT_{dtypes.PROTO_NAMES.get(name, name)}".upper())


def _dtype_of(number: int) -> dtypes.DType:
    name = message("DataType").Name(number).removeprefix("DT_").removesuffix("_REF")
    return dtypes.as_dtype(name.lower())


_SCALARS = {"float32": "float_val", "float64": "double_val", "float16": "half_val"}
_SCALARS |= {"string": "string_val", "bool": "bool_val", "int64": "int64_val"}
_SCALARS |= {"uint32": "uint32_val", "uint64": "uint64_val"}
_SCALARS |= {"complex64": "scomplex_val", "complex128": "dcomplex_val"}
# What some fields hold instead of their numbers: bits, or the two parts of complex numbers.
_PARTS = {"float16": np.uint16, "complex64": np.float32, "complex128": np.float64}


def tensor_proto(value):
    """Return an array, or a byte string, as a TensorProto."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    dtype = dtypes.as_dtype(array.dtype)
    flat = array.ravel()
    if dtype is dtypes.string or array.size == 1:
        flat = flat.view(_PARTS.get(dtype.name, flat.dtype))
        content = {_SCALARS.get(dtype.name, "int_val"): flat.tolist()}
    else:
        content = {"tensor_content": array.tobytes()}
    shape = shape_proto(TensorShape(array.shape))
    return message("TensorProto")(dtype=_data_type(dtype), tensor_shape=shape, **content)


def array_of(proto) -> np.ndarray:
    """Return a TensorProto as an array. Raises ValueError if it holds too little or too much."""
    dtype, shape = _dtype_of(proto.dtype), _shape_of(proto.tensor_shape)
    number = dtype.as_numpy_dtype
    if proto.tensor_content:
        array = np.frombuffer(proto.tensor_content, number)
    else:
        values = getattr(proto, _SCALARS.get(dtype.name, "int_val"))
        array = np.array(list(values), _PARTS.get(dtype.name, number)).view(number)
        count = shape.num_elements() or 0
        if len(array) < count:  # the last one is repeated
            last = array[-1:] if len(array) else np.zeros(1, number)
            array = np.append(array, np.repeat(last, count - len(array)))
    return array.reshape(shape.as_list())


def _field(value) -> tuple[str, Any]:
    """Return the field of an AttrValue for this value, and the value as it is stored there."""
    match value:
        case dtypes.DType():
            return "type", _data_type(value)
        case TensorShape():
            return "shape", shape_proto(value)
        case bool():
            return "b", value
        case int() | np.integer():
            return "i", int(value)
        case float():
            return "f", value
        case str() | bytes():
            return "s", value if isinstance(value, bytes) else value.encode()
    return "tensor", tensor_proto(value)


def _attr(name: str, value):
    if isinstance(value, tuple | list):
        fields = [_field(v) for v in value]
        return {"list": {fields[0][0] if fields else "i": [v for _, v in fields]}}
    return dict([("tensor", tensor_proto(value)) if name == "value" else _field(value)])


_DECODED: dict[str, Callable] = {"type": _dtype_of, "shape": _shape_of, "tensor": array_of}
_DECODED["s"] = bytes.decode
# The texts that a program quotes. Any other text may become code, so it must be a word.
_FREE_TEXTS = ("message", "token", "frame_name", "separator", "pattern", "shared_name", "container")


def _value(name: str, attr):
    """Return the value of an AttrValue. Raises ValueError for a text that could be code."""
    field = attr.WhichOneof("value")
    values, kind = [], field or ""
    if field == "list":
        for descriptor, listed in attr.list.ListFields():
            kind, values = descriptor.name, list(listed)
    elif field:
        values = [getattr(attr, field)]
    found = tuple(_DECODED.get(kind, lambda value: value)(value) for value in values)
    if kind == "s" and name not in _FREE_TEXTS and not all(map(re.compile(r"\w*").fullmatch, found)):
        raise ValueError(f"The attribute '{name}' can't be {found}.")
    return found if field == "list" else found[0] if found else None


# Writing.


def graph_def(graph: Graph, add_shapes: bool = False, more: Iterable[Operation] = ()):
    """Return the operations of a graph, and `more`, as a GraphDef that TensorFlow can import.

    With `add_shapes`, it includes the static shapes of the outputs.
    """
    writer = _Writer(graph, add_shapes)
    for op in [*graph.get_operations(), *more]:
        writer.add(op)
    return message("GraphDef")(node=writer.nodes, versions={"producer": 134})  # of TensorFlow 1.15


def scratch(graph: Graph) -> Graph:
    """Return an empty graph whose new names aren't in use in `graph`."""
    made = Graph()
    made._counts = dict(graph._counts)
    return made


def stand_in(graph: Graph, tensor: Tensor) -> Tensor:
    """Return a tensor in `graph` that is called like `tensor`, of another graph."""
    dtype, kind = tensor.dtype, "VariableV2" if tensor.dtype._is_ref_dtype else "Placeholder"
    attrs = {"dtype": dtype.base_dtype, "shape": tensor.shape}
    op = graph.create_op(kind, (), attrs, "stand-in/")
    del graph.operations["stand-in"]
    op.name, op.outputs[0].value_index = tensor.op.name, tensor.value_index
    return op.outputs[0]


def _loop_of(block: Block | None):
    """Return the innermost loop around a block, or None."""
    while block is not None and block.construct.pred is not None:
        block = block.construct.outer
    return block and block.construct


class _Writer:
    """Turns operations into NodeDefs."""

    def __init__(self, graph: Graph, add_shapes: bool):
        self.nodes: list[Any] = []
        self._graph, self._add_shapes = scratch(graph), add_shapes
        # In each block an op that runs whenever the block does: what needs no value waits for it.
        self._pivots: dict[Any, str] = {}
        for op in graph.get_operations():
            if op.block is not None and op.inputs and op.type != "Switch":
                self._pivots.setdefault((op.block.guard, op.block.index), op.name)

    def add(self, op: Operation) -> None:
        """Add an operation, or those that it is stored as."""
        made, rule = [op], STORED_AS.get(op.type)
        if rule:
            graph = self._graph
            with graph.as_default(), graph.name_scope(f"{op.name}/"):
                result = rule(op, *[stand_in(graph, t) for t in op.inputs])
            if result is not None:
                made = list(graph.operations.values())
                result.op.name = op.name
            graph.operations.clear()
        for part in made:
            part.device, part.block = op.device, part.block or op.block
            part.control_inputs = list(dict.fromkeys(part.control_inputs + op.control_inputs))
            self.nodes.append(self._node(part))

    def _node(self, op: Operation):
        inputs, op_type = list(op.inputs), op.type
        attrs = dict(op.attrs)
        loop = _loop_of(op.block)
        if op_type in _REFERRING and op.inputs[0].dtype._is_ref_dtype:
            op_type = f"Ref{op_type}"
        if op.type == "Merge" and op.closes is None:
            inputs += [loop.following[loop.variables.index(op.outputs[0])]]
        elif op.type == "Exit":
            inputs = inputs[:1]
        elif op.type == "Enter":
            own = op.blocks[0].construct
            attrs["frame_name"] = f"{own.scope}/while_context"
            attrs["is_constant"] = op.outputs[0] not in own.initial
        elif "seeds" in attrs:
            attrs["seed"], attrs["seed2"] = attrs.pop("seeds") or (0, 0)
        elif op.type == "MirrorPad":
            attrs["mode"] = attrs["mode"].strip("'").upper()
        inputs = [inputs[i] for i in _PLACES.get(op.type, range(len(inputs)))]
        for stored, own_name, default in _named_attrs(op.type):
            value = attrs.pop(own_name, default)
            attrs |= {stored: value} if stored else {}
        attrs |= _type_attrs(op.type, [t.dtype.base_dtype for t in inputs])
        if self._add_shapes and op.outputs:
            attrs["_output_shapes"] = [t.shape for t in op.outputs]
            attrs["_output_shapes"] += [UNKNOWN] * (op.type in _ONE_MORE)
        return message("NodeDef")(
            name=op.name,
            op=op_type,
            input=[t.name.removesuffix(":0") for t in inputs] + self._waits(op, loop),
            device=op.device,
            attr={name: _attr(name, value) for name, value in attrs.items()},
        )

    def _waits(self, op: Operation, loop) -> list[str]:
        """Return the control inputs: nothing inside a loop can wait for anything outside."""
        names = [c.name for c in op.control_inputs if loop is None or _loop_of(c.block) is loop]
        if op.block is not None and all(t.op.type == "Enter" for t in op.inputs):
            names.append(self._pivots.get((op.block.guard, op.block.index), op.name))
        return [f"^{name}" for name in dict.fromkeys(names) if name != op.name]


# Reading.


@contextmanager
def all_or_nothing(graph: Graph) -> Iterator[None]:
    """If the `with` raises, take back what it has added to the graph."""
    count, kept = len(graph.operations), {}
    for name in ("_counts", "shown_as", "distrusted_shapes"):
        kept[name] = dict(getattr(graph, name))
    kept["_collections"] = {key: list(values) for key, values in graph._collections.items()}
    try:
        yield
    except BaseException:
        for name in list(graph.operations)[count:]:
            del graph.operations[name]
        vars(graph).update(kept)
        raise


_OP_TYPES = {f"Ref{name}": name for name in _REFERRING}
_OP_TYPES |= {"Variable": "VariableV2", "BatchMatMul": "BatchMatMulV2", "RefIdentity": "Identity"}
_NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")


class ShapesChange(Exception):
    """The loop variables of these names have other shapes in later turns than at first."""


class Reader:
    """Adds the nodes of a GraphDef to a graph, with `prefix` before their names.

    `input_map` has tensors to use instead of the nodes' own, by names such as "x:0", and `loose`
    the names of loop variables whose shapes may change. Raises NotFoundError for an op that minitf
    lacks, ValueError for any other mistake, ShapesChange.
    """

    def __init__(self, graph: Graph, nodes, prefix: str, input_map: dict, loose: set[str]):
        self._graph, self._prefix, self._input_map, self._loose = graph, prefix, input_map, loose
        self._nodes = {node.name: node for node in nodes}
        self.used: set[str] = set()  # of the input_map
        self.operations: dict[str, Operation] = {}  # by their names in the file
        self.outputs: dict[str, list[Tensor]] = {}
        self._loops: dict[str, Loop] = {}  # by their frames
        self._merges: dict[str, tuple[str, str]] = {}  # of loops, each with its NextIteration and frame
        self._exits: dict[Tensor, Operation] = {}
        # Gradients of a cond are in another cond on the same predicate. So how many conds on each
        # predicate an op depends on says which of them it is part of.
        self._conds: dict[Any, Construct] = {}
        self._turns: dict[Operation, dict[Tensor, int]] = {}
        self._turn_of: dict[Construct, int] = {}
        self._check(nodes)
        for node in self._ordered(list(nodes)):
            self._add(node)
        for frame, loop in self._loops.items():
            self._finish(frame, loop)

    def _check(self, nodes) -> None:
        """Raise an error unless all names are valid and minitf has all ops."""
        load_all()
        lacking = defaultdict(list)
        for name, count in Counter(node.name for node in nodes).items():
            if count > 1:
                raise ValueError(f"Node '{name}' is not unique")
            if not _NODE_NAME.fullmatch(name):
                raise ValueError(f"Node '{name}': Node name contains invalid characters")
            if self._type(name) not in OPS.keys() | MADE_OF.keys():
                lacking[self._nodes[name].op].append(name)
        if lacking:
            needs = [f"'{op_type}' (by {', '.join(names)})" for op_type, names in lacking.items()]
            words = f"Op type not registered {', '.join(needs)} in minitf"
            raise errors.NotFoundError(None, None, words)

    def _type(self, name: str) -> str:
        return _OP_TYPES.get(self._nodes[name].op, self._nodes[name].op)

    def _sources(self, node) -> list[str]:
        """Return the names of the nodes that must be made before this one."""
        names = [source.lstrip("^").partition(":")[0] for source in node.input]
        for source, name in zip(node.input, names, strict=True):
            if name not in self._nodes:
                raise ValueError(f"Node '{node.name}': Unknown input node '{source}'")
        for i, name in enumerate(names[:2]):
            if self._type(node.name) == "Merge" and self._type(name) == "Enter":
                frame = self._nodes[name].attr["frame_name"].s.decode()
                self._merges[node.name] = names.pop(1 - i), frame
                break
        return names

    def _ordered(self, nodes: list) -> list:
        """Return the nodes in the order of the file, except that each follows its inputs."""
        sources = {node.name: self._sources(node) for node in nodes}
        for node in nodes:
            if self._type(node.name) == "Exit":  # it follows all of the loop
                (switch, *_) = sources[node.name]
                _, left = self._merges[sources[switch][0]]
                sources[node.name] += [n for n, frame in self._merges.values() if frame == left]
        place = {node.name: i for i, node in enumerate(nodes)}
        after, order = defaultdict(list), []
        for name, needed in sources.items():
            for source in needed:
                after[source].append(name)
        missing = {name: len(needed) for name, needed in sources.items()}
        ready = [place[name] for name, count in missing.items() if not count]
        while ready:
            order.append(nodes[heapq.heappop(ready)])
            for name in after[order[-1].name]:
                missing[name] -= 1
                if not missing[name]:
                    heapq.heappush(ready, place[name])
        if len(order) < len(nodes):
            raise ValueError(f"{len(nodes) - len(order)} nodes in a cycle")
        return order

    def _inputs(self, node) -> tuple[list[Tensor], list[Operation]]:
        """Return the inputs and control inputs of a node; of a loop's Merge, only the first turn's."""
        data, controls = [], []
        for source in node.input:
            name, _, index = source.lstrip("^").partition(":")
            key, number = f"{name}:{index or 0}", int(index or 0)
            if source[0] == "^":
                controls.append(self.operations[name])
            elif controls:
                words = "Control dependencies must come after regular dependencies"
                raise ValueError(f"Node '{node.name}': {words}")
            elif key in self._input_map:
                self.used.add(key)
                data.append(self._input_map[key])
            elif name != self._merges.get(node.name, [""])[0]:
                if number >= len(self.outputs[name]):
                    words = f"Connecting to invalid output {number} of source node {name}"
                    count = f"which has {len(self.outputs[name])} outputs."
                    raise ValueError(f"Node '{node.name}': {words} {count}")
                data.append(self.outputs[name][number])
        return data, controls

    def _attrs(self, node, op_type: str, data: list[Tensor]) -> dict[str, Any]:
        """Return the attributes as minitf has them. Raises ValueError if the inputs don't fit them."""
        attrs = {n: _value(n, value) for n, value in node.attr.items() if n[0] != "_"}
        if op_type not in OPS:
            return attrs
        kinds, types = OPS[op_type].inputs, [t.dtype.base_dtype for t in data]
        many = kinds[:1] and kinds[0][1] == "*T" or "+" in "".join(_ENTRIES.get(op_type, []))
        if len(data) < len(kinds) or len(data) > len(kinds) and kinds and not many:
            wanted = ", ".join(name for name, _ in kinds)
            words = f"NodeDef expected inputs '{wanted}' do not match {len(data)} inputs specified"
            raise ValueError(f"{words}; NodeDef: {{{{node {node.name}}}}}")
        for name, found in _type_attrs(op_type, types).items():
            if name != "N" and attrs.setdefault(name, found) != found:
                words = f"Inputs of node {node.name} were passed {found}"
                raise ValueError(f"{words} incompatible with expected {attrs[name]}.")
        for stored, own, default in _named_attrs(op_type):
            if stored or default is not None:
                attrs[own] = attrs.pop(stored, default)
        if op_type in _RANDOM:
            seeds = int(attrs.pop("seed", 0)), int(attrs.pop("seed2", 0))
            attrs["seeds"] = seeds if any(seeds) else ()
        if "Tout" in attrs and op_type != "PyFunc":
            attrs["dtype"] = attrs["Tout"]
        if op_type == "MirrorPad":
            attrs["mode"] = repr(attrs["mode"].lower())
        return attrs

    def _add(self, node) -> None:
        graph, op_type = self._graph, self._type(node.name)
        data, controls = self._inputs(node)
        attrs = self._attrs(node, op_type, data)
        turns: dict[Tensor, int] = {}
        for op in [*(t.op for t in data), *controls]:
            for pred, count in self._turns.get(op, turns).items():
                turns[pred] = max(count, turns.get(pred, 0))
        homes = [block_of(t) for t in data] + [op.block for op in controls]
        block = max(filter(None, homes), key=self._depth, default=None)
        with graph.name_scope(None), graph.control.after(None), graph.device(None):
            name = graph.unique_name(self._prefix + node.name)
            make = getattr(self, f"_add_{op_type.lower()}", self._add_any)
            with graph.control.inside(block), graph.control.after(controls):
                outputs = make(op_type, tuple(data), attrs, f"{name}/", block, turns)
        self.operations[node.name] = op = graph.operations[name]
        self.outputs[node.name] = outputs = list(op.outputs if outputs is None else outputs)
        op.device = node.device
        for made in [op, *(t.op for t in outputs)]:
            self._turns[made] = turns

    def _depth(self, block: Block) -> tuple[int, int, int]:
        return len(block.guard), self._turn_of.get(block.construct, 0), block.index

    def _create(self, op_type: str, data: tuple, attrs: dict, name: str, block) -> Operation:
        with self._graph.control.inside(block):
            return self._graph.create_op(op_type, data, attrs, name)

    def _add_any(self, op_type, data, attrs, name, block, turns) -> list[Tensor] | None:
        """Add an op, or what minitf makes of it, and return its outputs if they have others' names."""
        graph, made = self._graph, None
        if op_type in MADE_OF:
            with graph.name_scope(name):
                made = MADE_OF[op_type](attrs, *data)
        if made is None:
            op = graph.create_op(op_type, data, attrs, name)
            if not attrs.get("validate_shape", True):
                graph.distrust_shape(variable_of(data[0]).outputs[0])
            snapshot = op_type == "Identity" and data[0].op.type == "VariableV2"
            op.passes_on = snapshot and op.name == f"{data[0].op.name}/read"
            return None
        first, *others = made if isinstance(made, list) else [made]
        if first.op.name.startswith(name):
            del graph.operations[first.op.name]
            first.op.name = name[:-1]
            graph.operations[first.op.name] = first.op
        else:  # it was there before
            first = identity(first, name)
        return [first, *others]

    # Conds and loops.

    def _add_switch(self, op_type, data, attrs, name, block, turns) -> None:
        value, pred = data
        if pred.op.type == "LoopCond":
            op = self._create(op_type, data, attrs, name, pred.op.block.construct.blocks[1])
        else:
            key = pred, turns.get(pred, 0), block and block.guard
            if key not in self._conds:
                before, _, last = pred.op.name.rpartition("/")[0].rpartition("/")
                scope = f"{before}/d_{last}" if key[1] else f"{before}/{last}"
                self._conds[key] = Construct(self._graph, scope.strip("/") or "cond", block, pred)
                self._turn_of[self._conds[key]] = key[1]
            op = self._create(op_type, data, attrs, name, block)
            op.blocks = self._conds[key].blocks
            self._conds[key].entries[value] = op
        op.passes_on = True

    def _add_merge(self, op_type, data, attrs, name, block, turns) -> None:
        if data[0].op.type == "Enter":
            loop = data[0].op.blocks[0].construct
            shape = UNKNOWN if name[:-1] in self._loose else TensorShape(data[0].shape)
            op = self._create(op_type, data[:1], {"shape": shape}, name, loop.blocks[0])
            loop.initial.append(data[0])
            loop.variables.append(op.outputs[0])
        else:
            chosen = tuple(sorted(data, key=lambda t: block_of(t).index))
            cond = block.construct
            op = self._create(op_type, chosen, attrs, name, cond.outer)
            op.closes, turns[cond.pred] = cond, self._turn_of[cond] + 1
            self._graph.shown_as[op.name] = cond.scope

    def _add_enter(self, op_type, data, attrs, name, block, turns) -> None:
        frame = attrs.pop("frame_name")
        if frame not in self._loops:
            loop = Loop(self._graph, frame.removesuffix("/while_context"), block)
            loop.initial, loop.variables = [], []
            self._loops[frame] = loop
        loop = self._loops[frame]
        op = self._create(op_type, data, attrs, name, loop.outer)
        op.blocks, op.passes_on = loop.blocks, True
        loop.entries[data[0]] = op

    def _add_loopcond(self, op_type, data, attrs, name, block, turns) -> None:
        op = self._create(op_type, data, attrs, name, block.construct.blocks[0])
        op.passes_on, block.construct.condition = True, op.outputs[0]

    def _add_nextiteration(self, op_type, data, attrs, name, block, turns) -> None:
        self._create(op_type, data, attrs, name, block.construct.blocks[1]).passes_on = True

    def _add_exit(self, op_type, data, attrs, name, block, turns) -> None:
        op = self._create(op_type, data, attrs, name, block.construct.outer)
        op.closes = block.construct
        self._exits[data[0].op.inputs[0]] = op

    def _finish(self, frame: str, loop: Loop) -> None:
        """Complete a loop, all of whose ops are there."""
        pairs = [(m, n) for m, (n, inside) in self._merges.items() if inside == frame]
        following = {self.outputs[m][0]: self.outputs[n][0] for m, n in pairs}
        loop.following = [following[variable] for variable in loop.variables]
        loop.needs = [t.op for t in (loop.condition, *loop.following)]
        loop.exits = [self._exits[variable].outputs[0] for variable in loop.variables]
        for tensor in loop.exits:
            tensor.op.inputs = (tensor.op.inputs[0], *loop.following)
        pairs = zip(loop.variables, loop.following, strict=True)
        changing = {v.op.name for v, new in pairs if not is_within(new.shape, v.shape)}
        if changing:
            raise ShapesChange(changing)


def import_nodes(graph: Graph, nodes, prefix: str, input_map: dict) -> Reader:
    """Add the nodes of a GraphDef to a graph; if one of them is wrong, add none (see Reader)."""
    loose: set[str] = set()
    while True:
        try:
            with all_or_nothing(graph), graph.as_default():
                return Reader(graph, nodes, prefix, input_map, loose)
        except ShapesChange as change:
            if loose.issuperset(*change.args):
                raise ValueError(f"The shapes of {sorted(loose)} change.") from None
            loose.update(*change.args)
        except (LookupError, AttributeError, TypeError, ArithmeticError) as error:
            raise ValueError(f"The GraphDef is not well-formed: {error!r}") from error
