"""A graph is a list of operations, each naming the tensors it reads; building it computes nothing.

Mirrors Graph of tensorflow/python/framework/ops.py.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from minitf.framework.operation import Operation, Tensor, default_sessions
from minitf.framework.protos import graph_def
from minitf.framework.registry import OPS
from minitf.framework.scopes import ControlDependencies, DefaultStack, Names, changed, merged_device
from minitf.framework.tensor_shape import in_message


class GraphKeys:
    """The names of the collections that TensorFlow itself uses."""

    GLOBAL_VARIABLES = VARIABLES = "variables"  # the second is its old name
    TABLE_INITIALIZERS = "table_initializer"


# Every other one is called as its key, in lower case.
_OTHER_KEYS = """
    LOCAL_VARIABLES MODEL_VARIABLES TRAINABLE_VARIABLES METRIC_VARIABLES MOVING_AVERAGE_VARIABLES
    CONCATENATED_VARIABLES REGULARIZATION_LOSSES LOSSES WEIGHTS BIASES ACTIVATIONS UPDATE_OPS GLOBAL_STEP TRAIN_OP
    EVAL_STEP SUMMARIES SUMMARY_OP SAVEABLE_OBJECTS SAVERS QUEUE_RUNNERS ASSET_FILEPATHS COND_CONTEXT WHILE_CONTEXT
    INIT_OP LOCAL_INIT_OP READY_OP READY_FOR_LOCAL_INIT_OP
"""
for _key in _OTHER_KEYS.split():
    setattr(GraphKeys, _key, _key.lower())


class Graph(Names):
    """Operations, the names they are known by, and the collections that things are put into."""

    def __init__(self):
        super().__init__()
        self.next_number = itertools.count().__next__
        self.operations: dict[str, Operation] = {}
        self._collections: dict[str, list] = {}
        self.control = ControlDependencies()
        self.seed: int | None = None  # tf.set_random_seed's
        self.current_device: Any = ""
        self.distrusted_shapes: dict[Tensor, None] = {}
        self.gradient_of: dict[Tensor, Tensor] = {}  # which tensor a gradient belongs to
        self.shown_as: dict[
            str, str
        ] = {}  # what a program calls an op or scope, if not by its name
        self.changes: list[Operation] = []  # operations changed after they were made
        self.unfeedable: set[Tensor] = set()
        self.variable_scopes: Any = None  # ops/variable_scope.py's
        self.finalized = False  # whether it takes no more operations

    # Operations.

    def create_op(
        self,
        op_type: str,
        inputs: tuple[Tensor, ...] = (),
        attrs: dict | None = None,
        name: str | None = None,
    ) -> Operation:
        """Add an operation. A name that ends in "/" is taken as it stands.

        Raises RuntimeError if the graph is finalized, ValueError for shapes that don't fit.
        """
        self._check_not_finalized()
        name = op_type if name is None else name
        name = name[:-1] if str(name).endswith("/") else self.unique_name(name)
        if self.control.block is not None:
            inputs = tuple(self.control.block.own(t, name) for t in inputs)
        op = Operation(self, op_type, name, inputs, self.control.of(inputs), attrs or {})
        try:
            outputs = OPS[op_type].infer(op)
        except ValueError as error:
            node = f"{{{{node {name}}}}} = {op_type}({', '.join(t.op.name for t in inputs)})"
            shapes = ", ".join(in_message(t.shape) for t in inputs)
            raise ValueError(f"{error} for '{node}' with input shapes: {shapes}.") from None
        if OPS[op_type].updates:
            op.device = inputs[0].device  # where the variable is
        op.outputs = [Tensor(op, i, *output) for i, output in enumerate(outputs)]
        self.operations[name] = op
        self.control.made(op)
        return op

    def distrust_shape(self, tensor: Tensor) -> None:
        """Say that a run may give `tensor` a shape other than its static one."""
        self.distrusted_shapes[tensor] = None
        self.changes.append(tensor.op)

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Let no run give `tensor` another value."""
        self.unfeedable.add(tensor)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether a run may give `tensor` another value."""
        return tensor not in self.unfeedable

    def get_operations(self) -> list[Operation]:
        """All operations, in the order they were made."""
        return list(self.operations.values())

    version = property(
        lambda self: len(self.operations), doc="A number that grows with each operation."
    )

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False):
        """The graph as a GraphDef, such as TensorBoard draws; with `add_shapes`, with all static shapes.

        `from_version` has no effect, as in TensorFlow 2.
        """
        return graph_def(self.get_operations(), add_shapes)

    def get_operation_by_name(self, name: str) -> Operation:
        """Raises KeyError if there is none, TypeError if `name` is no string."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Raises KeyError if there is none, TypeError if `name` is no string."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(
        self, obj, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Tensor | Operation:
        """The Tensor or Operation that `obj` is or names.

        Raises KeyError for an unknown name, ValueError for an element of another graph or a name of the
        wrong form, TypeError for anything else.
        """
        wanted = " or ".join(["Tensor"] * allow_tensor + ["Operation"] * allow_operation)
        obj = obj._as_graph_element() if hasattr(obj, "_as_graph_element") else obj
        if isinstance(obj, str | bytes):
            name = obj if isinstance(obj, str) else obj.decode()
            return self._element_by_name(name, allow_tensor, allow_operation, wanted)
        if (
            isinstance(obj, Tensor)
            and allow_tensor
            or isinstance(obj, Operation)
            and allow_operation
        ):
            if obj.graph is not self:
                kind = "Tensor" if isinstance(obj, Tensor) else "Operation"
                raise ValueError(f"{kind} {obj} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _element_by_name(
        self, name: str, allow_tensor: bool, allow_operation: bool, wanted: str
    ) -> Tensor | Operation:
        op_name, colon, index = name.partition(":")
        op = self.operations.get(op_name)
        form = 'Tensor names must be of the form "<op_name>:<output_index>".'
        if colon and not allow_tensor:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {wanted}.")
        if colon and not index.isdecimal():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. {form}"
            )
        if not colon and not allow_operation:
            kind = "refers to an Operation" if op else "looks like an (invalid) Operation name"
            raise ValueError(f"The name {name!r} {kind}, not a {wanted}. {form}")
        if not colon and not op:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        if colon and (not op or int(index) >= len(op.outputs)):
            lack = (
                f"exists but only has {len(op.outputs)} outputs"
                if op
                else "does not exist in the graph"
            )
            what = f"refers to a Tensor which does not exist. The operation, {op_name!r}, {lack}."
            raise KeyError(f"The name {name!r} {what}")
        return op.outputs[int(index)] if colon else op

    # Order, devices, collections.

    def control_dependencies(self, control_inputs: Iterable[Any] | None):
        """Ops made inside `with` this run after `control_inputs`; None forgets outer ones."""
        if control_inputs is None:
            return self.control.after(None)
        elements = [
            self.as_graph_element(c.op if hasattr(c, "dense_shape") else c) for c in control_inputs
        ]
        return self.control.after([getattr(element, "op", element) for element in elements])

    def device(self, device_name_or_function):
        """Ops made inside `with` ask for this device, or the one that the function gives them: without effect."""
        wanted, outer = device_name_or_function, self.current_device
        if wanted is not None and not callable(wanted):
            wanted = merged_device(outer if isinstance(outer, str) else "", wanted)
        return changed(self, "current_device", wanted or "")

    def add_to_collection(self, name: str, value) -> None:
        """Append `value` to the collection `name`."""
        self._check_not_finalized()
        self.get_collection_ref(name).append(value)

    def add_to_collections(self, names: Iterable[str] | str, value) -> None:
        """Append `value` to each of the collections `names`."""
        for name in dict.fromkeys([names] if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list:
        """A copy of the collection; with `scope`, what has a name that this pattern begins."""
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        return [v for v in values if hasattr(v, "name") and re.match(scope, v.name)]

    def get_collection_ref(self, name: str) -> list:
        """The collection itself, so that a change to the list changes the graph."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """The names of the collections that hold anything."""
        return [
            name for name, values in self._collections.items() if values and isinstance(name, str)
        ]

    collections = property(get_all_collection_keys)

    def clear_collection(self, name: str) -> None:
        """Empty the collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # Being the default, being finished.

    def as_default(self):
        """Inside `with` this, new ops go into this graph."""
        return default_graphs.pushed(self)

    def finalize(self) -> None:
        """Take no more operations: from now on, adding one raises RuntimeError."""
        self.finalized = True

    def _check_not_finalized(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")


default_graphs: DefaultStack = DefaultStack(make_first=Graph)


def get_default_graph() -> Graph:
    """The graph that new ops go into; there always is one."""
    return default_graphs.get()


def reset_default_graph() -> None:
    """Begin with a new, empty default graph. Raises AssertionError inside `with graph.as_default()`."""
    if default_graphs.depth():
        advice = "If you need a cleared graph, exit the nesting and create a new graph."
        raise AssertionError(
            f"Do not use tf.reset_default_graph() to clear nested graphs. {advice}"
        )
    default_graphs.reset()


def get_default_session():
    """The session that `eval` and `run` use without one, or None."""
    return default_sessions.get()


def control_dependencies(control_inputs: Iterable[Any] | None):
    """`Graph.control_dependencies` of the default graph."""
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: str | None):
    """`Graph.device` of the default graph: recorded, without effect."""
    return get_default_graph().device(device_name_or_function)


def add_to_collection(name: str, value) -> None:
    """`Graph.add_to_collection` of the default graph."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Iterable[str], value) -> None:
    """`Graph.add_to_collections` of the default graph."""
    get_default_graph().add_to_collections(names, value)


def get_collection(key: str, scope: str | None = None) -> list:
    """`Graph.get_collection` of the default graph."""
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list:
    """`Graph.get_collection_ref` of the default graph."""
    return get_default_graph().get_collection_ref(key)


@contextmanager
def name_scope(
    name: str | None, default_name: str | None = None, values: Iterable[Any] | None = None
) -> Iterator[str]:
    """Names made inside start with `name` (or, where that is None, `default_name`) and "/".

    The scope is opened in the graph of the first tensor of `values`, or else in the default graph.
    Raises TypeError for a name that is no string, ValueError for tensors of two graphs, or for `values` without a name.
    """
    graph = graph_of(values or ())
    chosen = default_name if name is None else name
    if chosen is None and values is not None:
        raise ValueError("At least one of name (None) and default_name (None) must be provided.")
    if chosen is not None and not isinstance(chosen, str):
        raise TypeError(f"expected string or bytes-like object, got '{type(chosen).__name__}'")
    with graph.as_default(), graph.name_scope(chosen) as scope:
        yield scope


def graph_of(values: Iterable[Any]) -> Graph:
    """The one graph that the tensors and variables among `values` are of, else the default graph.

    Raises ValueError where they are of two graphs.
    """
    first = None
    for value in values:
        if not isinstance(value, Tensor) and not hasattr(value, "dense_shape"):
            if not hasattr(value, "_as_tensor"):
                continue
            value = value._as_tensor(as_ref=True)
        first = value if first is None else first
        if value.graph is not first.graph:
            graphs = f"(graphs are {value.graph} and {first.graph})"
            raise ValueError(f"{value} must be from the same graph as {first} {graphs}.")
    return default_graphs.get() if first is None else first.graph
