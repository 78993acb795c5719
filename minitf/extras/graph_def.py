"""Turns operations into TensorFlow's NodeDefs, and NodeDefs back into operations.

Mostly, an op has the same type, inputs and attributes in both. Its OpDef says where they differ,
and extras/stored_ops.py what replaces an op that only one of the two has. The blocks of conds and
loops aren't stored: reading finds them again by the Switch or Enter that leads into each.

Mirrors tensorflow/python/framework/importer.py and tensor_util.py, and
tensorflow/core/graph/graph_constructor.cc.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import Any

import numpy as np

from minitf.extras import load_all
from minitf.extras.control_flow import Loop
from minitf.extras.stored_ops import DEFINITIONS, MADE_OF, STORED_AS
from minitf.framework import dtypes, errors
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import build
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message, tensorboard
from minitf.framework.registry import OPS, OpDef, definition
from minitf.framework.scopes import _OP_NAME, merged_device
from minitf.framework.tensor_shape import UNKNOWN, TensorShape
from minitf.ops.control_flow_ops import Block, Construct, block_of
from minitf.ops.state_ops import variable_of

_ONE_MORE = ("Merge", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")


def _definition(op_type: str) -> OpDef:
    """Return what is known of an op, which only TensorFlow may have."""
    return OPS.get(op_type) or DEFINITIONS.get(op_type) or _UNKNOWN


# Of most ops that only TensorFlow has, all inputs share a dtype.
_UNKNOWN = definition("", "", None, None, None)


def _type_attrs(op_type: str, types: list[dtypes.DType]) -> list[tuple[str, Any]]:
    """Return the attributes that follow from the dtypes of the inputs, in TensorFlow's order."""
    known = _definition(op_type)
    row, names, found = known.dtype_attrs or ["T"] * len(types), [], []
    if known.places:
        row = [row[place] for place in known.places]
    for name in row:
        count = len(types) - len(row) + 1
        if name[-1] == "*":
            found.append(("N", count))
            names += [name[:-1]] * count
        elif name[0] == "+":
            found.append((name[1:], tuple(types[len(names) :])))
        else:
            names.append(name)
    return found + [pair for pair in zip(names, types, strict=False) if pair[0] != "-"]


# The values of attributes.


def _shape_proto(shape: TensorShape) -> dict[str, Any]:
    dims = [{"size": -1 if d.value is None else d.value} for d in shape.dims or ()]
    return {"dim": dims, "unknown_rank": shape.rank is None}


def _shape_of(proto) -> TensorShape:
    lengths = [None if dim.size == -1 else dim.size for dim in proto.dim]
    return TensorShape(None if proto.unknown_rank else lengths)


def _stub(dtype: str | int):
    return tensorboard("compat.tensorflow_stub.dtypes").as_dtype(dtype)


def _data_type(dtype: dtypes.DType) -> int:
    return _stub(dtype.base_dtype.name).as_datatype_enum


def _dtype_of(number: int) -> dtypes.DType:
    return dtypes.as_dtype(_stub(number).base_dtype.name)


def tensor_proto(value):
    """Return an array or byte string as a TensorProto, which holds a repeated number only once."""
    repeated = isinstance(value, np.ndarray) and value.size and not any(value.strides)
    values = value.flat[:1] if repeated else value
    return tensorboard("util.tensor_util").make_tensor_proto(values, shape=np.shape(value))


def array_of(proto):
    """Return what a TensorProto holds: an array or, for rank 0, a scalar.

    A number that is held once for many elements is one number in the array as well. Raises
    ValueError if the content doesn't fit the shape.
    """
    shape = [dim.size for dim in proto.tensor_shape.dim]
    if min(shape, default=0) < 0:
        raise ValueError(f"Shape {shape} is not fully defined")
    values, count = _values_of(proto), math.prod(shape)
    if proto.tensor_content and len(values) != count:
        raise ValueError(f"its content has {len(values)} values, where {count} are expected")
    if len(values) > 1 and count > max(len(values), _MOST_REPEATED):
        raise ValueError(f"it holds only {len(values)} of its {count} values")
    if len(values) == 1:
        array = np.broadcast_to(values.reshape(()), shape)  # of the same dtype
    else:  # the last value is that of all further elements
        more = np.broadcast_to(values[-1], max(0, count - len(values)))
        array = np.concatenate([values[:count], more]).reshape(shape)
    array.flags.writeable = False
    return array[()]


def _values_of(proto) -> np.ndarray:
    """Return the values in a TensorProto, in a vector; of an empty one, a single 0."""
    dtype = _dtype_of(proto.dtype)
    if dtype is dtypes.string:
        return np.array([*(proto.string_val or [b""]), None], object)[:-1]
    if proto.tensor_content:
        numbers = np.dtype(dtype.as_numpy_dtype).newbyteorder("<")
        return np.frombuffer(proto.tensor_content, numbers).astype(dtype.as_numpy_dtype)
    if dtype is dtypes.float16:
        return np.array(proto.half_val or [0], np.uint16).view(np.float16)
    if dtype.is_complex:
        single = dtype is dtypes.complex64
        parts = proto.scomplex_val if single else proto.dcomplex_val
        pairs = np.array(parts or [0, 0], np.float32 if single else np.float64)
        return pairs.view(dtype.as_numpy_dtype)
    values = getattr(proto, _VALUES.get(dtype.name, "int_val"))
    return np.array(values or [0]).astype(dtype.as_numpy_dtype)


# The fields of a TensorProto, by dtype; all other integers are in "int_val".
_VALUES = {"float32": "float_val", "float64": "double_val", "int64": "int64_val"}
_VALUES |= {"bool": "bool_val", "uint32": "uint32_val", "uint64": "uint64_val"}
_MOST_REPEATED = 1 << 22  # how many elements several values can stand for


# For each type of value, its field in an AttrValue and how it is encoded there.
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


# What writing and reading share.


@contextmanager
def undone_on_error(graph: Graph) -> Iterator[None]:
    """If the `with` raises, take back what it has added to the graph."""
    with ExitStack() as stack:
        dicts = [held for held in vars(graph).values() if isinstance(held, dict)]
        for held in [*dicts, *graph._collections.values()]:
            stack.callback(_refill, held, held.copy())
        yield
        stack.pop_all()


def _refill(held: dict | list, before) -> None:
    """Give `held` its contents from before: programs may hold it, so it must stay the same."""
    held.clear()
    held.update(before) if isinstance(held, dict) else held.extend(before)


@contextmanager
def _part(graph: Graph, name: str, waits: list[Operation], block: Block | None) -> Iterator[None]:
    """Put new ops into a block, with names under `name`, and make them wait for others."""
    control = graph.control
    with (
        graph.as_default(),
        graph.name_scope(f"{name}/"),
        graph.device(None),
        control.after(None),
        control.after(waits),
        control.inside(block),
    ):
        yield


# Writing.


def as_graph_def(graph: Graph, add_shapes: bool = False):
    """Return the operations of a graph as a GraphDef that TensorFlow can import.

    With `add_shapes`, it includes the static shapes of the outputs.
    """
    nodes = [*_Writer(graph, add_shapes).nodes()]
    return message("GraphDef")(node=nodes, versions={"producer": 134})  # of TensorFlow 1.15


def _loop_of(block: Block | None):
    """Return the innermost loop around a block, or None."""
    while block is not None and block.construct.pred is not None:
        block = block.construct.outer
    return block and block.construct


def _gate_of(op: Operation) -> str | None:
    """Return the scope that all gradients of one op share, or None for any other op."""
    scope = op.name.rpartition("/")[0]
    return scope if scope.endswith("_grad/tuple") else None


def _stored_type(op: Operation) -> str:
    """Return the type of an op in TensorFlow, which has other ops for some dtypes."""
    if op.type == "Abs" and op.inputs[0].dtype.is_complex:
        return "ComplexAbs"
    if op.type in ("Switch", "Enter") and op.inputs[0].dtype._is_ref_dtype:
        return f"Ref{op.type}"
    return op.type


def _twin(op: Operation, graph: Graph) -> Operation:
    """Return an op like this one, with the same inputs, whose outputs ops of `graph` can read."""
    twin = copy(op)
    twin.graph = graph
    twin.outputs = [Tensor(twin, t.value_index, t.dtype, t.shape) for t in op.outputs]
    return twin


class _Writer:
    """Turns operations into NodeDefs."""

    def __init__(self, graph: Graph, add_shapes: bool):
        self._graph, self._add_shapes = graph, add_shapes
        self._scratch = Graph()  # for the ops that others are stored as
        self._scratch._counts |= graph._counts  # so that their names are free in `graph`
        # For each block, an op that runs whenever the block does: ops without inputs wait for it.
        self._pivots: dict[Any, str] = {}
        # In minitf a run is atomic. In TensorFlow the gradients of an op must wait for each other,
        # or an optimizer could change a variable that one of them has yet to read.
        self._gates: dict[str | None, list[Operation]] = defaultdict(list)
        for op in graph.get_operations():
            self._gates[_gate_of(op)] += [t.op for t in op.inputs]
        self._gates.pop(None, None)

    def nodes(self) -> Iterator[Any]:
        """Yield the node of each operation, or the nodes of the ops that it is stored as."""
        for op in self._graph.get_operations():
            yield from map(self._node, self._stored(op))

    def _stored(self, op: Operation) -> list[Operation]:
        """Return the ops that an op is stored as: mostly itself, or else ops of the scratch graph.

        They read the twins of its inputs, which have the same names.
        """
        if op.type not in STORED_AS:
            return [op]
        scratch, before = self._scratch, len(self._scratch.operations)
        sources = [t.op for t in op.inputs] + op.control_inputs
        twins = {source: _twin(source, scratch) for source in sources}
        inputs = [twins[t.op].outputs[t.value_index] for t in op.inputs]
        waits = [twins[control] for control in op.control_inputs]
        with _part(scratch, op.name, waits, op.control.block):
            result = STORED_AS[op.type](op, *inputs)
        if result is None:
            return [op]
        result.op.name = op.name
        made = scratch.get_operations()[before:]
        for part in made:
            part.device = op.device
        return made

    def _placed_with(self, op: Operation) -> str | None:
        """Return the name of the op on whose device TensorFlow places this one, if that is fixed.

        An op that takes a variable itself, not its value, is placed with it.
        """
        place = self._graph.colocated.get(op)
        pairs = zip(OPS[op.type].inputs, op.inputs, strict=False)
        takes = [tensor for (_, kind), tensor in pairs if kind == "ref"]
        if op.type == "Identity" and op.passes_on or op.type == "Switch":
            takes = [t for t in op.inputs[:1] if t.dtype._is_ref_dtype]
        if place is None and takes:
            place = variable_of(takes[0]).name
        other = self._graph.operations.get(place) if place != op.name else None
        return (self._placed_with(other) or place) if other else place

    def _node(self, op: Operation):
        """Return the NodeDef of an op."""
        places = OPS[op.type].places  # of TensorFlow's inputs among minitf's, if they differ
        inputs = [op.inputs[place] for place in places] if places else list(op.inputs)
        waits = [f"^{name}" for name in self._waits_for(op, inputs)]
        return message("NodeDef")(
            name=op.name,
            op=_stored_type(op),
            input=[t.name.removesuffix(":0") for t in inputs] + waits,
            device=op.device,
            attr={name: _encoded(name, value) for name, value in self._attrs(op, inputs).items()},
        )

    def _attrs(self, op: Operation, inputs: list[Tensor]) -> dict[str, Any]:
        """Return the attributes, as TensorFlow has them; `inputs` are those that are stored."""
        known, kind, attrs = OPS[op.type], _stored_type(op), dict(op.attrs)
        if op.type == "Enter":
            loop = op.control.enters
            attrs["frame_name"] = f"{loop.scope}/while_context"
            attrs["is_constant"] = op in loop.entries.values()
        elif kind == "ComplexAbs":
            attrs["Tout"] = op.outputs[0].dtype
        for name, default in known.defaults.items():
            attrs[known.renamed.get(name, name)] = attrs.pop(name, default)
        for name in known.fixed:
            attrs.pop(name, None)
        attrs |= _type_attrs(op.type, [t.dtype.base_dtype for t in inputs])
        if known.updates and op.type != "StridedSliceAssign":
            locks = op.type in ("Assign", "ScatterUpdate", "ScatterNdUpdate")
            attrs.setdefault("use_locking", locks)
        if place := self._placed_with(op):
            attrs["_class"] = [f"loc:@{place}"]
        if self._add_shapes and op.outputs:
            others = [UNKNOWN] * (kind in _ONE_MORE)
            attrs["_output_shapes"] = [*(t.shape for t in op.outputs), *others]
        return attrs

    def _waits_for(self, op: Operation, inputs: list[Tensor]) -> list[str]:
        """Return the names of the ops for which an op waits, beyond those of its inputs."""
        block = op.control.block
        loop = _loop_of(block)
        waits = [*op.control_inputs, *self._gates.get(_gate_of(op), ())]
        # In a loop, nothing can wait for anything outside.
        names = [c.name for c in waits if loop is None or _loop_of(c.control.block) is loop]
        if block is not None and _stored_type(op) != "Switch":
            pivot = self._pivots.setdefault((block.guard, block.index), op.name)
            if all(t.op.type == "Enter" for t in inputs):  # no input ties the op to its block
                names.append(pivot)
        return [name for name in dict.fromkeys(names) if name != op.name]


# Reading.


def read_nodes(graph: Graph, nodes, prefix: str, input_map: dict[str, Tensor]) -> Reader:
    """Add the nodes of a GraphDef to a graph, or none of them if one is wrong (see Reader)."""
    with undone_on_error(graph), graph.name_scope(None):
        return Reader(graph, nodes, prefix, input_map)


def _moved(home: Block | None, op_type: str, data: list[Tensor]) -> Block | None:
    """Return the block of an op whose inputs are in the block `home`: mostly the same one."""
    if op_type == "Exit" or op_type == "Merge" and len(data) > 1:
        return home.construct.outer
    if op_type == "NextIteration" or op_type == "Switch" and data[1].op.type == "LoopCond":
        return home.construct.blocks[1]
    return home


def _enters(op: Operation, construct: Construct, is_entry: bool) -> None:
    """Record that an op leads into a cond or loop; an entry gives its input to all ops inside."""
    op.control = op.control._replace(enters=construct)
    if is_entry:
        construct.entries[op.inputs[0]] = op


class Reader:
    """Adds the nodes of a GraphDef to a graph, with `prefix` before their names.

    `input_map` maps names such as "x:0" to tensors that replace the file's; `used` has the names
    that occur. `operations` and `tensors` map the file's names to ops and tensors.

    Raises NotFoundError for an op that minitf lacks, ValueError for most other mistakes.
    """

    def __init__(self, graph: Graph, nodes, prefix: str, input_map: dict[str, Tensor]):
        self._graph, self._prefix = graph, prefix
        self._nodes: dict[str, Any] = {}
        # The block, the ops to wait for and the device of the `with`s around.
        self._block, self._waits = graph.control.block, graph.control.of(())
        self._device = graph.current_device
        self._name = ""  # of the node that is being read
        self.tensors, self.used = dict(input_map), set[str]()
        self.operations: dict[str, Operation] = {}
        self._loops: dict[str, Loop] = {}  # by frame
        # The gradients of a cond form another cond on the same predicate. An op can't be part of
        # one whose results it depends on; `_after` says which these are.
        self._conds: dict[Any, list[Construct]] = defaultdict(list)
        self._after: dict[Operation, frozenset[Construct]] = {}
        self._check(nodes)
        try:
            self._read_all()
        except Exception as error:
            node = self._nodes[self._name]
            raise ValueError(f"Node '{node.name}': {error} (op type: {node.op})") from error

    def _check(self, nodes) -> None:
        """Raise an error unless all names are valid and minitf has all ops."""
        load_all()
        lacking = defaultdict(list)
        for node in nodes:
            if node.name in self._nodes:
                raise ValueError(f"Node '{node.name}' is not unique")
            if not _OP_NAME.fullmatch(node.name):
                raise ValueError(f"Node '{node.name}': Node name contains invalid characters")
            self._nodes[node.name] = node
            if self._type(node.name) not in OPS.keys() | MADE_OF.keys():
                lacking[node.op].append(node.name)
        if lacking:
            found = [f"'{op_type}' ({', '.join(names)})" for op_type, names in lacking.items()]
            words = f"Op type not registered {', '.join(found)} in minitf"
            raise errors.NotFoundError(None, None, words)

    def _type(self, name: str) -> str:
        return self._nodes[name].op.removeprefix("Ref")

    def _sources(self, name: str) -> list[tuple[str, str]]:
        """Return the inputs that a node begins with, each with the name of its node."""
        given = self._nodes[name].input
        sources = [(source, source.removeprefix("^").partition(":")[0]) for source in given]
        for source, read in sources:
            if read not in self._nodes:
                raise ValueError(f"Unknown input node '{source}'")
        if self._type(name) == "Merge" and self._type(sources[0][1]) == "Enter":
            return sources[:1]  # the other comes from the previous turn
        return sources

    def _read_all(self) -> None:
        """Add all ops in the order of the file, except that each follows what it reads."""
        entered, waiting = set(), [*self._nodes][::-1]
        while waiting:
            name = self._name = waiting.pop()
            sources = [read for _, read in self._sources(name)]
            missing = [read for read in sources if read not in self.operations]
            if missing and name in entered:
                raise ValueError(f"{len(entered - self.operations.keys())} nodes in a cycle")
            if missing:
                entered.add(name)
                waiting += [name, *missing]
            elif name not in self.operations:
                self._add(self._nodes[name])
        for name, op in self.operations.items():
            if op.type == "Merge" and op.control.closes is None:  # in a loop
                self._name = name
                op.inputs += (self.operations[self._nodes[name].input[1]].outputs[0],)
                loop = op.control.block.construct
                loop.needs = [loop.condition.op]

    def _inputs(self, node) -> tuple[list[Tensor], list[Operation]]:
        """Return the inputs and control inputs; for a loop's Merge, only the first turn's input."""
        data, controls = [], []
        for source, name in self._sources(node.name):
            index = source.partition(":")[2] or 0
            key = f"{name}:{index}"
            self.used.add(key)
            if source[0] == "^":
                controls.append(self.operations[name])
            elif controls:
                raise ValueError("Control dependencies must come after regular dependencies")
            elif key in self.tensors:
                data.append(self.tensors[key])
            else:
                count = len(self.operations[name].outputs)
                raise ValueError(
                    f"Connecting to invalid output {index} of source node {name} which has {count} "
                    "outputs."
                )
        return data, controls

    def _attrs(self, node, op_type: str, data: list[Tensor]) -> dict[str, Any]:
        """Return the attributes, as minitf has them. Raises ValueError if the inputs don't fit."""
        attrs = {name: _decoded(attr) for name, attr in node.attr.items() if name[0] != "_"}
        if op_type == "Const" and not isinstance(attrs["value"], np.ndarray | np.generic | bytes):
            raise ValueError(f"its value can't be {attrs['value']}")  # a text would become code
        for name in ("N", "Tout", "dtype"):
            if isinstance(attrs.get(name), str):
                raise ValueError(f"its {name} can't be a text")
        for name, found in _type_attrs(op_type, [t.dtype.base_dtype for t in data]):
            if attrs.setdefault(name, found) != found and name != "N":
                raise ValueError(f"its inputs have the dtype {found}, not {attrs[name]}")
        known = _definition(op_type)
        for name, default in (known.fixed | known.defaults).items():
            value = attrs.pop(known.renamed.get(name, name), default)
            if type(value) is not type(default) or name in known.fixed and value != default:
                raise ValueError(f"its {name} can't be {value}")
            attrs |= {} if default is None else {name: value}
        return attrs

    def _add(self, node) -> None:
        """Add the op of a node, in the block where its inputs are."""
        op_type = self._type(node.name)
        data, controls = self._inputs(node)
        attrs = self._attrs(node, op_type, data)
        sources = [*(t.op for t in data), *controls]
        after = frozenset().union(*(self._after.get(op, ()) for op in sources))
        home = self._home(data, controls, after)
        name, inside = self._free(self._prefix + node.name), home and home.construct
        with _part(self._graph, name, [*controls, *self._waits], _moved(home, op_type, data)):
            outputs = self._made(op_type, name, data, attrs)
        op = self.operations[node.name] = self._graph.operations[name]
        self._place(op, node)
        self._connect(op, inside, after)
        for each in (op, *(t.op for t in outputs)):
            self._after[each] = after | {op.control.closes}
        for i, tensor in enumerate(outputs):
            self.tensors.setdefault(f"{node.name}:{i}", tensor)

    def _home(self, data: list[Tensor], controls: list[Operation], after) -> Block | None:
        """Return the innermost block that any of an op's inputs and control inputs is in."""
        homes = filter(None, [*map(block_of, data), *(op.control.block for op in controls)])
        home = max(homes, key=lambda b: (len(b.guard), b.index), default=self._block)
        return self._outside(home, after)

    def _place(self, op: Operation, node) -> None:
        """Give an op the device of its node, and the ops with which it is placed."""
        outer = self._device if isinstance(self._device, str) else ""
        op.device = merged_device(outer, node.device)
        for place in node.attr["_class"].list.s if "_class" in node.attr else ():
            self._graph.colocated[op] = self._prefix + place.decode().removeprefix("loc:@")

    def _free(self, name: str) -> str:
        """Return `name`, or else with a number, so that no op has it, and no other of the file."""
        graph, free = self._graph, name
        for number in itertools.count(1):
            # Some names, such as `w/Assign`, are used without being counted.
            used = free in graph.operations or graph.unique_name(free, False) != free
            if not used and (free == name or free.removeprefix(self._prefix) not in self._nodes):
                break
            free = f"{name}_{number}"
        return graph.unique_name(free)

    def _connect(self, op: Operation, inside: Any, after) -> None:
        """Link an op with the cond or loop that it enters, or that its inputs are `inside` of."""
        if op.type == "Enter":
            frame = op.attrs["frame_name"].removesuffix("/while_context")
            loop = self._loops.setdefault(frame, Loop(self._graph, frame, op.control.block))
            _enters(op, loop, is_entry=op.attrs.get("is_constant", False))  # or a first value
        elif op.type == "Switch" and op.inputs[1].op.type != "LoopCond":
            scope = op.name.rpartition("/")[0] or "cond"
            cond = self._cond(op.inputs[1], op.control.block, after, scope)
            _enters(op, cond, is_entry=True)
        elif op.type == "LoopCond":
            inside.condition = op.outputs[0]
        elif op.type == "Merge" and len(op.inputs) > 1:  # of a cond: in a loop, it has only one yet
            op.control = op.control._replace(closes=inside)
            self._graph.shown_as[op.name] = inside.scope
        elif op.type == "Exit":
            op.control = op.control._replace(closes=inside)
            switch = op.inputs[0].op
            inside.results[switch.inputs[0]] = op.outputs[0]

    def _made(self, op_type: str, name: str, data: list[Tensor], attrs) -> list[Tensor]:
        """Add an op called `name`, or what replaces it in minitf, and return the outputs."""
        graph = self._graph
        if op_type == "Merge" and len(data) == 1:  # a loop variable, whose lengths may change
            rank = data[0].shape.rank
            attrs = {"shape": TensorShape(None if rank is None else [None] * rank)}
        elif op_type == "Merge":
            data.sort(key=lambda t: block_of(t).index)
        elif op_type == "Switch" and data[1].op.name.endswith("/pred_id"):
            data[1] = data[1].op.inputs[0]  # as in the Switch that a cond begins with
        made = MADE_OF[op_type](attrs, *data) if op_type in MADE_OF else None
        if made is None:
            return build(op_type, *data, name=f"{name}/", **attrs).outputs
        outputs = made if isinstance(made, list) else [made]
        op = graph.operations[name] = graph.operations.pop(outputs[0].op.name)
        op.name = name
        return outputs

    def _cond(self, pred: Tensor, outer: Block | None, after, scope: str) -> Construct:
        """Return the first cond on `pred` that `after` doesn't have."""
        conds = self._conds[pred, outer]
        if after.issuperset(conds):
            before, slash, last = scope.rpartition("/")
            scope = f"{before}{slash}{'d_' * len(conds)}{last}"
            conds.append(Construct(self._graph, scope, outer, pred))
        return next(cond for cond in conds if cond not in after)

    def _outside(self, block: Block | None, after) -> Block | None:
        """Return the block like `block` that isn't part of a cond in `after`."""
        if block in (None, self._block) or block.construct.pred is None:
            return block
        old = block.construct
        outer = self._outside(old.outer, after)
        return self._cond(old.pred, outer, after, old.scope).blocks[block.index]
