"""A graph is a list of operations that read each other's outputs; building it computes nothing.

Mirrors Graph of tensorflow/python/framework/ops.py.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from minitf.framework.late import load
from minitf.framework.operation import Operation, Tensor, default_sessions
from minitf.framework.registry import OPS
from minitf.framework.scopes import ControlDependencies, DefaultStack, Names, changed, merged_device
from minitf.framework.tensor_shape import in_message


class GraphKeys:
    """The names of the collections that TensorFlow itself uses."""

    GLOBAL_VARIABLES = VARIABLES = "variables"  # VARIABLES is the old name
    TABLE_INITIALIZERS = "table_initializer"
    LOCAL_VARIABLES = "local_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    METRIC_VARIABLES = "metric_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    CONCATENATED_VARIABLES = "concatenated_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    LOSSES = "losses"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    EVAL_STEP = "eval_step"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    SAVEABLE_OBJECTS = "saveable_objects"
    SAVERS = "savers"
    QUEUE_RUNNERS = "queue_runners"
    ASSET_FILEPATHS = "asset_filepaths"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"


class Graph(Names):
    """Operations, their names, and collections of tensors, variables and other objects."""

    def __init__(self):
        super().__init__()
        self.next_number = itertools.count().__next__
        self.operations: dict[str, Operation] = {}
        self._collections: dict[str, list] = {}
        self.control = ControlDependencies()
        self.seed: int | None = None  # set by tf.set_random_seed
        self.current_device: Any = ""
        self.distrusted_shapes: dict[Tensor, None] = {}
        self.gradient_of: dict[Tensor, Tensor] = {}  # maps a gradient to its tensor
        # Maps the names of ops and scopes to other names that programs show instead.
        self.shown_as: dict[str, str] = {}
        # Maps operations to the names of others that TensorFlow would place them with.
        self.colocated: dict[Operation, str] = {}
        self.colocation = ""  # the name that new ones are placed with
        self.changes: list[Operation] = []  # operations that changed after they were made
        self._prevented: set[Tensor | Operation] = set()  # from being fed or fetched
        self.variable_scopes: Any = None  # used by ops/variable_scope.py
        self.finalized = False  # whether it rejects new operations

    # Operations.

    def create_op(
        self,
        op_type: str,
        inputs: tuple[Tensor, ...] = (),
        attrs: dict | None = None,
        name: str | None = None,
    ) -> Operation:
        """Add an operation and return it. A name that ends in "/" is used as it is.

        Raises RuntimeError if the graph is finalized, ValueError if the shapes of the inputs don't
        fit.
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
        definition = OPS[op_type]
        if definition.updates:
            op.device = inputs[0].device  # an update is placed with its variable
        op.outputs = [Tensor(op, i, *output) for i, output in enumerate(outputs)]
        self.operations[name] = op
        if self.colocation:
            self.colocated[op] = self.colocation
        self.control.made(op)
        return op

    def distrust_shape(self, tensor: Tensor) -> None:
        """Record that the shape of `tensor` in a run may differ from its static shape."""
        if tensor not in self.distrusted_shapes:
            self.distrusted_shapes[tensor] = None
            self.changes.append(tensor.op)

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Don't let runs feed `tensor`."""
        self._prevented.add(tensor)
        self.changes.append(tensor.op)  # so that the next run looks at its feeds again

    def is_feedable(self, tensor: Tensor) -> bool:
        """Return whether runs can feed `tensor`."""
        return tensor not in self._prevented

    def prevent_fetching(self, op: Operation) -> None:
        """Don't let runs fetch `op` and its outputs."""
        self._prevented.add(op)
        self.changes.append(op)

    def is_fetchable(self, tensor_or_op: Tensor | Operation) -> bool:
        """Return whether runs can fetch this tensor or operation.

        Inside a cond or loop, they can't.
        """
        op = getattr(tensor_or_op, "op", tensor_or_op)
        return op not in self._prevented and not op.control.gives_inside

    def get_operations(self) -> list[Operation]:
        """Return all operations in the order they were created."""
        return list(self.operations.values())

    version = property(
        lambda self: len(self.operations), doc="A number that grows with each new operation."
    )

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False):
        """Return the graph as TensorFlow's GraphDef, with static output shapes if `add_shapes`.

        An op that only minitf has becomes several. `from_version` has no effect, as in TensorFlow
        2.
        """
        return load("tf.Graph", "as_graph_def")(self, add_shapes)

    def get_operation_by_name(self, name: str) -> Operation:
        """Return the operation with this name.

        Raises KeyError if there is none, TypeError if `name` isn't a string.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Return the tensor with this name, such as "w:0".

        Raises KeyError if there is none, TypeError if `name` isn't a string.
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(
        self, obj, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Tensor | Operation:
        """Return the Tensor or Operation that `obj` is or names.

        Raises KeyError for an unknown name, ValueError for an element of another graph or a
        malformed name, TypeError for anything else.
        """
        kinds = (Tensor,) * allow_tensor + (Operation,) * allow_operation
        wanted = " or ".join(kind.__name__ for kind in kinds)
        obj = obj._as_graph_element() if hasattr(obj, "_as_graph_element") else obj
        if isinstance(obj, str | bytes):
            return self._named(obj if isinstance(obj, str) else obj.decode(), kinds, wanted)
        if not isinstance(obj, kinds):
            raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")
        if obj.graph is not self:
            raise ValueError(f"{type(obj).__name__} {obj} is not an element of this graph.")
        return obj

    def _named(self, name: str, kinds: tuple[type, ...], wanted: str) -> Tensor | Operation:
        op_name, colon, index = name.partition(":")
        op = self.operations.get(op_name)
        form = 'Tensor names must be of the form "<op_name>:<output_index>".'
        if not colon:
            if Operation not in kinds:
                kind = "refers to an Operation" if op else "looks like an (invalid) Operation name"
                raise ValueError(f"The name {name!r} {kind}, not a {wanted}. {form}")
            if not op:
                raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            return op
        if Tensor not in kinds:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {wanted}.")
        if not index.isdecimal():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. {form}"
            )
        if not op or int(index) >= len(op.outputs):
            exists = f"exists but only has {len(op.outputs)} outputs" if op else ""
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, {exists or 'does not exist in the graph'}."
            )
        return op.outputs[int(index)]

    # Order, devices, collections.

    def control_dependencies(self, control_inputs: Iterable[Any] | None):
        """Make ops created within the `with` run after these; None cancels all outer blocks."""
        if control_inputs is None:
            return self.control.after(None)
        given = [c.op if hasattr(c, "dense_shape") else c for c in control_inputs]
        elements = map(self.as_graph_element, given)
        return self.control.after([getattr(element, "op", element) for element in elements])

    def device(self, device_name_or_function):
        """Request a device for ops created within the `with`; it is recorded but has no effect.

        The argument is a device spec, a function from an operation to one, or None. Raises
        ValueError for a part that no device spec has.
        """
        wanted, outer = device_name_or_function, self.current_device
        if wanted is not None and not callable(wanted):
            wanted = merged_device(outer if isinstance(outer, str) else "", wanted)
        return changed(self, "current_device", wanted or "")

    def colocate_with(self, op, ignore_existing: bool = False):
        """Record that ops created within the `with` belong to the device of `op`.

        This only shows in a stored graph. `op` is an operation, a tensor or a variable; anything
        else, such as a list that becomes a constant, has no device to share.
        """
        return changed(self, "colocation", getattr(getattr(op, "op", op), "name", ""))

    def add_to_collection(self, name: str, value) -> None:
        """Append `value` to the collection `name`."""
        self._check_not_finalized()
        self.get_collection_ref(name).append(value)

    def add_to_collections(self, names: Iterable[str] | str, value) -> None:
        """Append `value` to each collection in `names`."""
        for name in dict.fromkeys([names] if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list:
        """Return a copy of the collection.

        With `scope`, a regular expression, it has only items whose names begin with a match.
        """
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        return [v for v in values if hasattr(v, "name") and re.match(scope, v.name)]

    def get_collection_ref(self, name: str) -> list:
        """Return the collection's own list, so that changing it changes the graph."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """Return the names of the collections that aren't empty."""
        held = self._collections.items()
        return [name for name, values in held if values and isinstance(name, str)]

    collections = property(get_all_collection_keys)

    def clear_collection(self, name: str) -> None:
        """Empty the collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # The default graph, and finalizing.

    def as_default(self):
        """Make this the default graph within the `with`."""
        return default_graphs.pushed(self)

    def finalize(self) -> None:
        """Make the graph read-only: from now on, adding an operation raises RuntimeError."""
        self.finalized = True

    def _check_not_finalized(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")


default_graphs: DefaultStack = DefaultStack(make_first=Graph)


def get_default_graph() -> Graph:
    """Return the graph that new ops are added to; there always is one."""
    return default_graphs.get()


def reset_default_graph() -> None:
    """Start a new, empty default graph. Raises AssertionError inside `with graph.as_default()`."""
    if default_graphs.depth():
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    default_graphs.reset()


def get_default_session():
    """Return the session that `eval` and `run` use by default, or None."""
    return default_sessions.get()


def control_dependencies(control_inputs: Iterable[Any] | None):
    """Call `Graph.control_dependencies` on the default graph."""
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: str | None):
    """Call `Graph.device` on the default graph; the device has no effect."""
    return get_default_graph().device(device_name_or_function)


def add_to_collection(name: str, value) -> None:
    """Call `Graph.add_to_collection` on the default graph."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Iterable[str], value) -> None:
    """Call `Graph.add_to_collections` on the default graph."""
    get_default_graph().add_to_collections(names, value)


def get_collection(key: str, scope: str | None = None) -> list:
    """Call `Graph.get_collection` on the default graph."""
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list:
    """Call `Graph.get_collection_ref` on the default graph."""
    return get_default_graph().get_collection_ref(key)


@contextmanager
def name_scope(
    name: str | None, default_name: str | None = None, values: Iterable[Any] | None = None
) -> Iterator[str]:
    """Put names created within the `with` into the scope `name`, or else `default_name`.

    The `with` yields the scope's name followed by "/". It opens the scope in the graph of the first
    tensor in `values`, or in the default graph if there is none. Raises TypeError if the name isn't
    a string, ValueError for tensors of different graphs, and for `values` without a name.
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
    """Return the graph of the tensors and variables in `values`, or else the default graph.

    Raises ValueError if they are in different graphs.
    """
    first = None
    for value in values:
        if not isinstance(value, Tensor) and not hasattr(value, "dense_shape"):
            if not hasattr(value, "_as_tensor"):
                continue
            value = value._as_tensor(as_ref=True)
        first = value if first is None else first
        if value.graph is not first.graph:
            raise ValueError(
                f"{value} must be from the same graph as {first} (graphs are {value.graph} and "
                f"{first.graph})."
            )
    return default_graphs.get() if first is None else first.graph
