"""Operations become NodeDefs, as TensorFlow has them, and NodeDefs become operations again.

Mostly, an op has the same type, inputs and attributes in both. `_ROWS` lists the exceptions, and
extras/stored_ops.py what is made of an op that only one of the two has. The blocks of conds and
loops aren't stored: reading finds them again, by the Switch or Enter that leads into each.

Mirrors tensorflow/python/framework/importer.py and tensor_util.py, and
tensorflow/core/graph/graph_constructor.cc.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minitf.extras import load_all
from minitf.extras.control_flow import Loop
from minitf.extras.stored_ops import MADE_OF, STORED_AS
from minitf.framework import dtypes, errors
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message, tensorboard
from minitf.framework.registry import OPS
from minitf.framework.tensor_shape import UNKNOWN, TensorShape
from minitf.ops.array_ops import identity
from minitf.ops.control_flow_ops import Block, Construct, block_of
from minitf.ops.state_ops import variable_of

# Each line has types of ops, and the attributes that hold the dtypes of their inputs, in
# TensorFlow's order, unless that is "T" for each: "-" where the dtype is fixed, "T*" for a list of
# inputs, "+T" for a list of dtypes. Then come attributes with their defaults: `a:b` is called b in
# minitf, and one after "!" isn't stored, because it can only have this value.
_ROWS = """
AddN: T*
All Any: - Tidx keep_dims=False
ApplyAdagradDA: T T T T T T T -
ArgMax ArgMin: T Tidx output_type=int64
AvgPoolGrad: - T data_format='NHWC'
Assert: - +T summarize=3
Assign: validate_shape=True
BatchMatMulV2: adj_x:transpose_a=False adj_y:transpose_b=False
BiasAdd BiasAddGrad: !data_format='NHWC'
BroadcastTo ReverseV2: T Tidx
Cast: SrcT
ConcatV2: T* Tidx
Conv2D: data_format='NHWC' dilations=(1,1,1,1)
Conv2DBackpropFilter: T - T data_format='NHWC' dilations=(1,1,1,1)
Conv2DBackpropInput: - T T data_format='NHWC' dilations=(1,1,1,1)
Cumsum: T Tidx exclusive=False reverse=False
ExpandDims: T Tdim
Fill: index_type T
GatherNd: Tparams Tindices
GatherV2: Tparams Tindices Taxis batch_dims=0
ImageSummary: - T max_images=3
IsVariableInitialized PlaceholderWithDefault: dtype
LinSpace: T T Tidx
LogUniformCandidateSampler UniformCandidateSampler: - seed=0 seed2=0
LogicalAnd LogicalOr: - -
LogicalNot LoopCond StaticRegexFullMatch: -
MatMul: transpose_a=False transpose_b=False
AvgPool MaxPool MaxPoolGrad: data_format='NHWC'
Max Mean Min Prod Sum: T Tidx keep_dims=False
Merge: T* !shape=None
MergeSummary StringJoin: -*
MergeV2Checkpoints: - -
MirrorPad: T Tpaddings
OneHot: TI - T T axis=-1
Pack: T* axis=0
Pad: T Tpaddings !constant_values=0
Print: T +U summarize=3
PyFunc: +Tin
RandomShuffle RandomStandardNormal RandomUniform TruncatedNormal: seed=0 seed2=0
RandomUniformInt: T Tout Tout !dtype=None seed=0 seed2=0
Range: Tidx Tidx Tidx
Reshape: T Tshape
RestoreV2 ShardedFilename: - - -
SaveV2: - - - +dtypes
ScalarSummary HistogramSummary: - T
ScatterAdd ScatterNdUpdate ScatterSub ScatterUpdate: T Tindices T
ScatterNd: Tindices T Tindices
Select SelectV2: - T T
Shape Size: out_type=int32
Slice: T Index Index
Softmax LogSoftmax: !axis=-1
SparseApplyAdadelta: T T T T T T T Tindices
SparseApplyAdagrad: T T T T Tindices
SparseApplyAdagradDA: T T T T Tindices T T T -
SparseApplyCenteredRMSProp: T T T T T T T T T Tindices
SparseApplyFtrl: T T T T Tindices T T T T
SparseApplyMomentum: T T T T Tindices T use_nesterov=False
SparseApplyProximalAdagrad: T T T T T T Tindices
SparseApplyProximalGradientDescent: T T T T T Tindices
SparseApplyRMSProp: T T T T T T T T Tindices
SparseSoftmaxCrossEntropyWithLogits: T Tlabels
Split: - T
SplitV: T Tlen -
Squeeze: squeeze_dims:axis=()
StridedSlice: T Index Index Index begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 \
shrink_axis_mask=0
StridedSliceAssign: T Index Index Index T begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 \
shrink_axis_mask=0
StridedSliceGrad: Index Index Index Index T !shape=None begin_mask=0 end_mask=0 ellipsis_mask=0 \
new_axis_mask=0 shrink_axis_mask=0
Switch: T -
TensorSummaryV2: - T -
Tile: T Tmultiples
TopKV2: T Tk
Transpose: T Tperm
Unpack: T axis=0
UnsortedSegmentSum: T Tindices Tnumsegments
"""
_ENTRIES = {
    op_type: entries.split()
    for line in _ROWS.strip().splitlines()
    for op_types, entries in [line.split(": ")]
    for op_type in op_types.split()
}
# In the order of TensorFlow's inputs, the places of minitf's.
_PLACES = {"Split": (2, 0), "StridedSliceGrad": (1, 2, 3, 4, 0)}
_OF_BLOCKS = ("Switch", "Merge", "Enter", "Exit", "NextIteration")  # "RefSwitch" for a variable
_ONE_MORE = ("Merge", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")
# What else TensorFlow calls ops.
_OP_TYPES = {f"Ref{op_type}": op_type for op_type in _OF_BLOCKS}
_OP_TYPES |= {"Add": "AddV2", "BatchMatMul": "BatchMatMulV2", "ComplexAbs": "Abs"}
_OP_TYPES |= {"RefIdentity": "Identity", "Variable": "VariableV2"}


def _type_attrs(op_type: str, types: list[dtypes.DType]) -> dict[str, Any]:
    """Return the attributes that follow from the dtypes of the inputs, in TensorFlow's order."""
    names = [entry for entry in _ENTRIES.get(op_type, ()) if "=" not in entry]
    inputs = OPS[op_type].inputs if op_type in OPS else ()
    names, found = names or ["T"] * len(inputs or types), {}
    count = len(types) - len(names) + 1
    if names and names[0][-1] == "*":
        found["N"], names[:1] = count, [names[0][:-1]] * count
    elif names and names[-1][0] == "+":
        *names, others = names
        found[others[1:]] = tuple(types[len(names) :])
        types = types[: len(names)]
    if len(names) != len(types):
        raise ValueError(f"{op_type} expects {len(names)} inputs, not {len(types)}")
    return found | {n: dtype for n, dtype in zip(names, types, strict=True) if n != "-"}


def _other_attrs(op_type: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the stored name of an attribute ("" if it isn't stored), its name and its default."""
    for name, equals, default in (e.partition("=") for e in _ENTRIES.get(op_type, ())):
        if equals:
            stored, _, own = name.lstrip("!").rpartition(":")
            yield "" if name[0] == "!" else stored or own, own, eval(default, vars(dtypes))


# The values of attributes.


def _shape_proto(shape: TensorShape):
    proto = message("TensorShapeProto")
    if shape.rank is None:
        return proto(unknown_rank=True)
    return proto(dim=[proto.Dim(size=-1 if n is None else n) for n in shape.as_list()])


def _shape_of(proto) -> TensorShape:
    lengths = [None if dim.size == -1 else dim.size for dim in proto.dim]
    return TensorShape(None if proto.unknown_rank else lengths)


def _data_type(dtype: dtypes.DType) -> int:
    name = dtype.base_dtype.name
    return message("DataType").Value(f"DT_{dtypes.PROTO_NAMES.get(name, name)}".upper())


def _dtype_of(number: int) -> dtypes.DType:
    name = message("DataType").Name(number).removeprefix("DT_").removesuffix("_REF")
    return dtypes.as_dtype(name.lower())


def tensor_proto(value):
    """Return an array, or a byte string, as a TensorProto."""
    return tensorboard("util.tensor_util").make_tensor_proto(value)


def array_of(proto):
    """Return what a TensorProto holds: an array or, for rank 0, a scalar."""
    unsigned = [*proto.uint32_val, *proto.uint64_val]  # which TensorBoard can't read
    if unsigned:
        unsigned = np.array(unsigned, _dtype_of(proto.dtype).as_numpy_dtype)
        array = np.resize(unsigned, _shape_of(proto.tensor_shape).as_list())
    else:
        array = tensorboard("util.tensor_util").make_ndarray(proto)
    array.flags.writeable = False
    return array[()]


# By the type of a value, its field in an AttrValue and how it is encoded there.
_FIELDS: dict[type, tuple] = {dtypes.DType: ("type", _data_type), str: ("s", str.encode)}
_FIELDS |= {bool: ("b", bool), int: ("i", int), float: ("f", float)}
_FIELDS[TensorShape] = "shape", _shape_proto
_DECODERS = {"type": _dtype_of, "shape": _shape_of, "tensor": array_of, "s": bytes.decode}


def _encoded(name: str, value) -> dict[str, Any]:
    """Return the contents of an AttrValue."""
    if isinstance(value, tuple | list):
        lists = defaultdict(list)
        for each in value:
            ((field, item),) = _encoded("", each).items()
            lists[field].append(item)
        return {"list": lists}
    if isinstance(value, np.generic) and name != "value":
        value = value.item()
    field, encode = _FIELDS.get(type(value), ("tensor", tensor_proto))
    return {field: encode(value)}


def _decoded(attr):
    """Return the value of an AttrValue."""

    def decode(field: str, value):
        return _DECODERS.get(field, lambda same: same)(value)

    field = attr.WhichOneof("value")
    if field == "list":
        return tuple(decode(f.name, v) for f, values in attr.list.ListFields() for v in values)
    return field and decode(field, getattr(attr, field))


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
    """Return a tensor in `graph` that has the name of `tensor`, which is in another graph."""
    kind = "VariableV2" if tensor.dtype._is_ref_dtype else "Placeholder"
    attrs = {"dtype": tensor.dtype.base_dtype, "shape": tensor.shape}
    op = graph.create_op(kind, (), attrs, "x/")
    del graph.operations["x"]
    op.name, op.outputs[0].value_index = tensor.op.name, tensor.value_index
    return op.outputs[0]


def _loop_of(block: Block | None):
    """Return the innermost loop around a block, or None."""
    while block is not None and block.construct.pred is not None:
        block = block.construct.outer
    return block and block.construct


def _gate_of(op: Operation) -> str:
    """Return the name of the op that a gated gradient waits for; of any other op, its own name."""
    return re.sub(r"(?<=_grad/tuple)/control_dependency(_\d+)?$", "/group_deps", op.name)


class _Writer:
    """Turns operations into NodeDefs."""

    def __init__(self, graph: Graph, add_shapes: bool):
        self.nodes: list[Any] = []
        self._made: set[str] = set()
        self._scratch, self._add_shapes = scratch(graph), add_shapes
        # In each block an op that runs whenever the block does: an op without inputs waits for it.
        self._pivots: dict[Any, str] = {}
        # In minitf a run is atomic. In TensorFlow the gradients of an op must wait for each other,
        # or else an optimizer could change a variable that one of them still reads.
        self._gates: dict[str, list[str]] = defaultdict(list)
        for op in graph.get_operations():
            gate = _gate_of(op)
            if gate not in graph.operations:
                self._gates[gate].append(f"^{op.inputs[0].op.name}")
            if op.block is not None and op.inputs and op.type != "Switch":
                self._pivots.setdefault((op.block.guard, op.block.index), op.name)

    def add(self, op: Operation) -> None:
        """Add an operation, or those that it is stored as."""
        made, graph = [op], self._scratch
        gate = _gate_of(op)
        if gate in self._gates and gate not in self._made:
            self._made.add(gate)
            self.nodes.append(message("NodeDef")(name=gate, op="NoOp", input=self._gates[gate]))
        if op.type in STORED_AS:
            with graph.as_default(), graph.name_scope(f"{op.name}/"):
                result = STORED_AS[op.type](op, *[stand_in(graph, t) for t in op.inputs])
            if result is not None:
                made, result.op.name = graph.get_operations(), op.name
            graph.operations.clear()
        for part in made:
            waits = dict.fromkeys(part.control_inputs + op.control_inputs)
            self.nodes.append(self._node(part, op.device, part.block or op.block, waits))

    def _node(self, op: Operation, device: str, block: Block | None, waits: Iterable[Operation]):
        inputs, attrs, kind, loop = list(op.inputs), dict(op.attrs), op.type, _loop_of(block)
        if kind == "Merge" and op.closes is None:
            inputs.append(loop.following[loop.variables.index(op.outputs[0])])
        elif kind == "Exit":
            del inputs[1:]
        elif kind == "Enter":
            left = op.blocks[0].construct
            attrs["frame_name"] = f"{left.scope}/while_context"
            attrs["is_constant"] = op.outputs[0] not in left.initial
        elif kind == "MirrorPad":
            attrs["mode"] = attrs["mode"].upper()
        elif kind == "Abs" and inputs[0].dtype.is_complex:
            kind, attrs["Tout"] = "ComplexAbs", op.outputs[0].dtype
        if "seeds" in attrs:
            attrs["seed"], attrs["seed2"] = attrs.pop("seeds") or (0, 0)
        if kind in _OF_BLOCKS and inputs[0].dtype._is_ref_dtype:
            kind = f"Ref{kind}"
        for stored, own, default in _other_attrs(op.type):
            value = attrs.pop(own, default)
            attrs |= {stored: value} if stored else {}
        inputs = [inputs[i] for i in _PLACES.get(op.type, range(len(inputs)))]
        attrs |= _type_attrs(op.type, [t.dtype.base_dtype for t in inputs])
        if self._add_shapes and op.outputs:
            attrs["_output_shapes"] = [t.shape for t in op.outputs]
            attrs["_output_shapes"] += [UNKNOWN] * (op.type in _ONE_MORE)
        # In a loop, nothing can wait for anything outside.
        names = [c.name for c in waits if loop is None or _loop_of(c.block) is loop]
        names += self._gates.keys() & {_gate_of(op)}
        if block is not None and all(t.op.type == "Enter" for t in inputs):
            names.append(self._pivots.get((block.guard, block.index), op.name))
        return message("NodeDef")(
            name=op.name,
            op=kind,
            input=[t.name.removesuffix(":0") for t in inputs]
            + [f"^{name}" for name in names if name != op.name],
            device=device,
            attr={name: _encoded(name, value) for name, value in attrs.items()},
        )


# Reading.


@contextmanager
def all_or_nothing(graph: Graph) -> Iterator[None]:
    """If the `with` raises, take back what it has added to the graph."""
    names = ("operations", "_counts", "shown_as", "distrusted_shapes")
    before = {name: dict(getattr(graph, name)) for name in names}
    before["_collections"] = {key: list(values) for key, values in graph._collections.items()}
    try:
        yield
    except BaseException:
        vars(graph).update(before)
        raise


def read_nodes(graph: Graph, nodes, prefix: str, input_map: dict[str, Tensor]) -> Reader:
    """Add the nodes of a GraphDef to a graph, or none of them if one is wrong (see Reader)."""
    try:
        with all_or_nothing(graph), graph.as_default(), graph.name_scope(None):
            return Reader(graph, nodes, prefix, input_map)
    except (LookupError, AttributeError, TypeError, ArithmeticError) as error:
        raise ValueError(f"The GraphDef is not well-formed: {error!r}") from error


class Reader:
    """Adds the nodes of a GraphDef to a graph, with `prefix` before their names.

    `input_map` has tensors to use instead of the file's, by names such as "x:0"; `used` are the
    names that occur. By the names in the file, `operations` has the ops and `outputs` the tensors.

    Raises NotFoundError for an op that minitf lacks, ValueError for most other mistakes.
    """

    def __init__(self, graph: Graph, nodes, prefix: str, input_map: dict[str, Tensor]):
        self._graph, self._prefix, self._input_map = graph, prefix, input_map
        self._nodes = {node.name: node for node in nodes}
        self.used: set[str] = set()
        self.operations: dict[str, Operation] = {}
        self.outputs: dict[str, list[Tensor]] = {}
        self._loops: dict[str, Loop] = {}  # by their frames
        self._merges: dict[str, tuple[str, str]] = {}  # in loops: the NextIteration and the frame
        self._exits: dict[Tensor, Operation] = {}
        self._pred_ids: dict[
            str, str
        ] = {}  # of the Switch that a cond begins with: what others read
        # The gradients of a cond form another cond on the same predicate. How many results of such
        # conds an op depends on says which of them it is part of.
        self._conds: dict[Any, Construct] = {}
        self._turns: dict[Operation, dict[Tensor, int]] = {}
        self._check(nodes)
        for name in self._ordered():
            self._add(self._nodes[name])
        for frame, loop in self._loops.items():
            self._finish(frame, loop)

    def _check(self, nodes) -> None:
        """Raise an error unless all names are valid and minitf has all ops."""
        load_all()
        lacking, names = defaultdict(list), set()
        for node in nodes:
            if node.name in names:
                raise ValueError(f"Node '{node.name}' is not unique")
            if not re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*", node.name):
                raise ValueError(f"Node '{node.name}': Node name contains invalid characters")
            names.add(node.name)
            if self._type(node.name) not in OPS.keys() | MADE_OF.keys():
                lacking[node.op].append(node.name)
        if lacking:
            found = [f"'{op_type}' ({', '.join(names)})" for op_type, names in lacking.items()]
            words = f"Op type not registered {', '.join(found)} in minitf"
            raise errors.NotFoundError(None, None, words)

    def _type(self, name: str) -> str:
        return _OP_TYPES.get(self._nodes[name].op, self._nodes[name].op)

    def _sources(self, name: str) -> list[str]:
        """Return the names of the nodes that must be made before this one."""
        given = self._nodes[name].input
        names = [source.lstrip("^").partition(":")[0] for source in given]
        for source, read in zip(given, names, strict=True):
            if read not in self._nodes:
                raise ValueError(f"Node '{name}': Unknown input node '{source}'")
        pred_id = name.rpartition("/")[0] + "/pred_id"
        if self._type(name) == "Switch" and names[0] == names[1] and pred_id in self._nodes:
            self._pred_ids[name] = pred_id
            names.append(pred_id)
        if self._type(name) == "Merge":
            for i, read in enumerate(names[:2]):
                if self._type(read) == "Enter":
                    frame = self._nodes[read].attr["frame_name"].s.decode()
                    self._merges[name] = names[1 - i], frame
                    return [read]
        return names

    def _ordered(self) -> Iterable[str]:
        """Return the names in the order of the file, except that each follows what it reads."""
        sources = {name: self._sources(name) for name in self._nodes}
        for name, names in sources.items():
            if self._type(name) == "Exit":  # it follows the whole loop
                _, left = self._merges[sources[names[0]][0]]
                names += [each for each, frame in self._merges.values() if frame == left]
        order: dict[str, None] = {}
        waiting, entered = list(sources)[::-1], set()
        while waiting:
            missing = [name for name in sources[waiting[-1]] if name not in order]
            if not missing:
                order[waiting.pop()] = None
            elif waiting[-1] in entered:
                raise ValueError(f"{len(set(waiting))} nodes in a cycle")
            else:
                entered.add(waiting[-1])
                waiting += missing
        return order

    def _inputs(self, node) -> tuple[list[Tensor], list[Operation]]:
        """Return the inputs and control inputs; of a loop's Merge, the input of the first turn."""
        data, controls = [], []
        following, _ = self._merges.get(node.name, ("", ""))
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
            elif name != following:
                outputs = self.outputs[name]
                if number >= len(outputs):
                    words = f"Connecting to invalid output {number} of source node {name} which has"
                    raise ValueError(f"Node '{node.name}': {words} {len(outputs)} outputs.")
                data.append(outputs[number])
        if node.name in self._pred_ids:
            data[1:] = self.outputs[self._pred_ids[node.name]]
        return data, controls

    def _attrs(self, node, op_type: str, data: list[Tensor]) -> dict[str, Any]:
        """Return the attributes, as minitf has them. Raises ValueError if the inputs don't fit."""
        attrs = {name: _decoded(attr) for name, attr in node.attr.items() if name[0] != "_"}
        kinds = OPS[op_type].inputs if op_type in OPS.keys() - _PLACES.keys() else ()
        types = [t.dtype.base_dtype for t in data]
        wrong: dict[int, str] = {}
        for name, found in _type_attrs(op_type, types).items():
            if attrs.setdefault(name, found) != found and name != "N" and kinds:
                wrong[types.index(found)] = attrs[name].name
        for i, (_, kind) in enumerate(kinds):
            wanted = {"bool": "bool", "ref": f"{types[i].name}_ref"}.get(kind)
            if wanted not in (None, data[i].dtype.name):
                wrong[i] = wanted
        for i, wanted in wrong.items():
            given, wanted = (dtypes.PROTO_NAMES.get(t, t) for t in (types[i].name, wanted))
            words = f"was passed {given} from {data[i].name} incompatible with expected {wanted}."
            raise ValueError(f"Input {i} of node {self._prefix}{node.name} {words}")
        for stored, own, default in _other_attrs(op_type):
            value = attrs.pop(stored or own, default)
            if type(value) is not type(default) or not stored and value != default:
                raise ValueError(f"{own} of node {node.name} can't be {value}.")
            attrs |= {} if default is None else {own: value}
        if "seed" in attrs:
            seeds = attrs.pop("seed"), attrs.pop("seed2")
            attrs["seeds"] = seeds if any(seeds) else ()
        if op_type == "RandomUniformInt":
            attrs["dtype"] = attrs["Tout"]
        elif op_type == "MirrorPad":
            attrs["mode"] = attrs["mode"].lower()
        return attrs

    def _add(self, node) -> None:
        """Add the op of a node, in the block where its inputs are."""
        graph, op_type = self._graph, self._type(node.name)
        data, controls = self._inputs(node)
        attrs = self._attrs(node, op_type, data)
        turns: dict[Tensor, int] = defaultdict(int)
        for op in [*(t.op for t in data), *controls]:
            for pred, count in self._turns.get(op, turns).items():
                turns[pred] = max(count, turns[pred])
        homes = [block_of(t) for t in data] + [op.block for op in controls]
        home = max(filter(None, homes), key=lambda b: (len(b.guard), b.index), default=None)
        name = graph.unique_name(self._prefix + node.name)
        with graph.control.after(None), graph.control.after(controls), graph.device(None):
            outputs = self._made(node, op_type, name, data, attrs, self._now(home, turns), turns)
        op = self.operations[node.name] = graph.operations[name]
        self.outputs[node.name], op.device = outputs, node.device
        self._turns |= dict.fromkeys([op, *(t.op for t in outputs)], turns)

    def _cond(self, pred: Tensor, outer: Block | None, turns: dict[Tensor, int]) -> Construct:
        key = pred, outer, turns[pred]
        if key not in self._conds:
            before, slash, last = (pred.op.name.rpartition("/")[0] or "cond").rpartition("/")
            scope = f"{before}{slash}{'d_' * turns[pred]}{last}"
            self._conds[key] = Construct(self._graph, scope, outer, pred)
        return self._conds[key]

    def _now(self, block: Block | None, turns: dict[Tensor, int]) -> Block | None:
        """Return the block like `block` that an op with these turns is in."""
        if block is None or block.construct.pred is None:
            return block
        outer = self._now(block.construct.outer, turns)
        return self._cond(block.construct.pred, outer, turns).blocks[block.index]

    def _made(self, node, op_type, name, data, attrs, home, turns) -> list[Tensor]:
        """Add an op called `name`, or what minitf makes of it, and return the outputs."""
        graph, traits, inside = self._graph, {}, home and home.construct
        if op_type == "Switch" and data[1].op.type == "LoopCond":
            home, traits = data[1].op.block.construct.blocks[1], {"passes_on": True}
        elif op_type == "Switch":
            cond = self._cond(data[1], home, turns)
            traits = {"passes_on": True, "blocks": cond.blocks}
        elif op_type == "Enter":
            frame = attrs.pop("frame_name")
            if frame not in self._loops:
                loop = Loop(graph, frame.removesuffix("/while_context"), home)
                self._loops[frame], loop.initial, loop.variables = loop, [], []
            inside = self._loops[frame]
            home, traits = inside.outer, {"passes_on": True, "blocks": inside.blocks}
        elif op_type == "Merge" and node.name in self._merges:
            inside = data[0].op.blocks[0].construct
            home, rank = inside.blocks[0], data[0].shape.rank
            attrs = {"shape": TensorShape(None if rank is None else [None] * rank)}
        elif op_type == "Merge":
            data, home = sorted(data, key=lambda t: block_of(t).index), inside.outer
            traits = {"closes": inside}
            graph.shown_as[name] = inside.scope
            turns[inside.pred] += 1
        elif op_type == "Exit":
            home, traits = inside.outer, {"closes": inside}
        elif op_type in ("LoopCond", "NextIteration"):
            home, traits = inside.blocks[op_type == "NextIteration"], {"passes_on": True}
        elif op_type == "Identity" and name == f"{data[0].op.name}/read":
            traits = {"passes_on": data[0].op.type == "VariableV2"}
        made = None
        with graph.control.inside(home):
            if op_type in MADE_OF:
                with graph.name_scope(f"{name}/"):
                    made = MADE_OF[op_type](attrs, *data)
            if made is None:
                op = graph.create_op(op_type, tuple(data), attrs, f"{name}/")
            else:
                made = made if isinstance(made, list) else [made]
                op = made[0].op
                if op.name.startswith(f"{name}/"):
                    graph.operations[name] = graph.operations.pop(op.name)
                    op.name = name
                else:  # it was there before
                    made[0] = identity(made[0], f"{name}/")
        for trait, value in traits.items():
            setattr(op, trait, value)
        if op_type == "Exit":
            self._exits[data[0].op.inputs[0]] = op
        elif op_type == "LoopCond":
            inside.condition = op.outputs[0]
        elif op_type == "Merge" and "shape" in attrs:
            inside.initial.append(data[0])
            inside.variables.append(op.outputs[0])
        elif "blocks" in traits:
            op.blocks[0].construct.entries[data[0]] = op
        elif not attrs.get("validate_shape", True):
            graph.distrust_shape(variable_of(data[0]).outputs[0])
        return made or op.outputs

    def _finish(self, frame: str, loop: Loop) -> None:
        """Complete a loop, all of whose ops are there."""
        pairs = [(m, n) for m, (n, inside) in self._merges.items() if inside == frame]
        following = {self.outputs[m][0]: self.outputs[n][0] for m, n in pairs}
        loop.following = [following[variable] for variable in loop.variables]
        loop.exits = [self._exits[variable].outputs[0] for variable in loop.variables]
        loop.needs = [t.op for t in (loop.condition, *loop.following)]
        for tensor in loop.exits:
            tensor.op.inputs = (tensor.op.inputs[0], *loop.following)
