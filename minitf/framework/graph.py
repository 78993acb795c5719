"""A graph is a list of operations, each naming the tensors it reads; building it computes nothing.

Stands for Graph, Operation and Tensor of tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from minitf.framework.collections import Collections
from minitf.framework.control_dependencies import ControlDependencies
from minitf.framework.default_stack import DefaultStack
from minitf.framework.dtypes import DType
from minitf.framework.errors import OperatorNotAllowedInGraphError
from minitf.framework.registry import OPS
from minitf.framework.source_line import SourceLine, user_line
from minitf.framework.tensor_shape import TensorShape, difference, in_message

_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


class Operators:
    """What `+`, `[...]` and the like do, the same for tensors and variables (filled in by ops)."""

    __slots__ = ()


class Tensor(Operators):
    """One output of an operation: a name, a dtype and a static shape, but no value until `run`."""

    __slots__ = ("op", "value_index", "dtype", "_shape", "__weakref__")

    def __init__(self, op: Operation, value_index: int, dtype: DType, shape: TensorShape):
        self.op = op
        self.value_index = value_index
        self.dtype = dtype
        self._shape = shape

    @property
    def name(self) -> str:
        """`op_name:output_index`."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
        return self.op.graph

    @property
    def device(self) -> str:
        """The device asked for; it has no effect here."""
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape before a run."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Promise more about the shape. Raises ValueError where that contradicts what is known."""
        shape = TensorShape(shape)
        if not self._shape.is_compatible_with(shape):
            raise ValueError(difference(self._shape, shape))
        self._shape = self._shape.merge_with(shape)
        self.graph.changes.append(self.op)
        if self.op.type != "Placeholder":  # what is fed to a placeholder is checked
            self.graph.distrust_shape(self)

    def consumers(self) -> list[Operation]:
        """The operations that read this tensor."""
        return [op for op in self.graph.get_operations() for t in op.inputs if t is self]

    def eval(self, feed_dict: dict | None = None, session: Any = None) -> Any:
        """`session.run(self, feed_dict)`, in the default session unless one is given."""
        return _session_for(self.graph, session, _EVAL).run(self, feed_dict)

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. "
            f"{self.name} has no value until a session runs it; tf.cond chooses inside the graph."
        )

    def __iter__(self) -> Iterator:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. "
            f"{self.name} has no value until a session runs it."
        )

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). "
            "Please call `x.shape` rather than `len(x)` for shape information."
        )

    def __array__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. "
            "This error may indicate that you're trying to pass a Tensor to a NumPy call, "
            "which is not supported."
        )

    def __str__(self) -> str:
        shape = f", shape={self._shape}" if self._shape.lengths is not None else ""
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self._shape} dtype={self.dtype.name}>"


class NodeDef(NamedTuple):
    """An op in words: its inputs are names, `^name` for a control input."""

    name: str
    op: str
    input: list[str]
    device: str

    def __str__(self) -> str:
        inputs = [f'input: "{name}"' for name in self.input]
        return "\n".join([f'name: "{self.name}"', f'op: "{self.op}"', *inputs, ""])


class Operation:
    """A node of the graph: what to do (`type`, `attrs`), with what (`inputs`), after what
    (`control_inputs`)."""

    __slots__ = ("graph", "name", "type", "inputs", "control_inputs", "attrs", "outputs")
    __slots__ += ("number", "device", "source_line", "__weakref__")

    def __init__(
        self,
        graph: Graph,
        op_type: str,
        name: str,
        inputs: tuple[Tensor, ...],
        control_inputs: list[Operation],
        attrs: dict[str, Any],
    ):
        self.graph = graph
        self.type = op_type
        self.name = name
        self.inputs = inputs
        self.control_inputs = control_inputs
        self.attrs = attrs
        self.device = graph.device_stack[-1]
        self.source_line: SourceLine = user_line()
        self.number = len(graph.operations)  # inputs are made first: the numbers are in order
        self.outputs: tuple[Tensor, ...] = ()

    @property
    def made_at(self) -> str:
        """Where the user's code made this op, for messages."""
        return f"made at {self.source_line}"

    @property
    def place(self) -> str:
        """The end of a message about this op: its name, and where the user's code made it."""
        return f"\n\t [[{{{{node {self.name}}}}}]], {self.made_at}"

    @property
    def node_def(self) -> NodeDef:
        """What TensorFlow writes down of the op; no protocol buffer here."""
        inputs = [t.name.removesuffix(":0") for t in self.inputs]
        inputs += [f"^{op.name}" for op in self.control_inputs]
        return NodeDef(self.name, self.type, inputs, self.device)

    def get_attr(self, name: str) -> Any:
        """An attribute's value. Raises ValueError where the op has no such attribute."""
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self.attrs[name]

    def values(self) -> tuple[Tensor, ...]:
        """The outputs."""
        return self.outputs

    def run(self, feed_dict: dict | None = None, session: Any = None) -> None:
        """`session.run(self, feed_dict)`, in the default session unless one is given."""
        _session_for(self.graph, session, _RUN).run(self, feed_dict)

    def __str__(self) -> str:
        return str(self.node_def)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class Graph:
    """Operations, the names they are known by, and the collections that things are put into."""

    def __init__(self):
        self.operations: dict[str, Operation] = {}
        self.collections = Collections()
        self.control = ControlDependencies()
        self.device_stack = [""]
        self.distrusted_shapes: dict[Tensor, None] = {}
        self.gradient_of: dict[Tensor, Tensor] = {}  # which tensor a gradient belongs to
        self.changes: list[Operation] = []  # operations changed after they were made
        self.unfeedable: set[Tensor] = set()
        self.seed: int | None = None
        self._names: dict[str, int] = {}  # how often each name was asked for, in lower case
        self._scope = ""
        self._finalized = False

    # Operations.

    def create_op(
        self,
        op_type: str,
        inputs: tuple[Tensor, ...] = (),
        attrs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Operation:
        """Add an operation. A name that ends in "/" is taken as it stands.

        Raises RuntimeError if the graph is finalized, ValueError for shapes that don't fit.
        """
        self._check_not_finalized()
        name = name or op_type
        name = name[:-1] if name.endswith("/") else self.unique_name(name)
        op = Operation(self, op_type, name, inputs, self.control.of(inputs), attrs or {})
        try:
            outputs = OPS[op_type].infer(op)
        except ValueError as error:
            shapes = ", ".join(in_message(t.shape) for t in inputs)
            raise ValueError(
                f"{error} for '{{{{node {name}}}}} = {op_type}({', '.join(t.op.name for t in inputs)})' "
                f"with input shapes: {shapes}."
            ) from None
        op.outputs = tuple(Tensor(op, i, *output) for i, output in enumerate(outputs))
        self.operations[name] = op
        self.control.made(op)
        return op

    def distrust_shape(self, tensor: Tensor) -> None:
        """Say that a run may give `tensor` another shape than its static one."""
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
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Tensor | Operation:
        """The Tensor or Operation that `obj` is or names.

        Raises KeyError for an unknown name, ValueError for an element of another graph or a name of the
        wrong form, TypeError for anything else.
        """
        wanted = " or ".join(["Tensor"] * allow_tensor + ["Operation"] * allow_operation)
        obj = obj._as_graph_element() if hasattr(obj, "_as_graph_element") else obj
        if isinstance(obj, str):
            return self._element_by_name(obj, allow_tensor, allow_operation, wanted)
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
        shown = repr(name)
        if colon and allow_tensor:
            if not index.isdecimal():
                raise ValueError(
                    f"The name {shown} looks a like a Tensor name, but is not a valid one. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            if op_name not in self.operations:
                raise KeyError(
                    f"The name {shown} refers to a Tensor which does not exist. The operation, "
                    f"{op_name!r}, does not exist in the graph."
                )
            outputs = self.operations[op_name].outputs
            if int(index) >= len(outputs):
                raise KeyError(
                    f"The name {shown} refers to a Tensor which does not exist. The operation, "
                    f"{op_name!r}, exists but only has {len(outputs)} outputs."
                )
            return outputs[int(index)]
        if colon:
            raise ValueError(f"Name {shown} appears to refer to a Tensor, not a {wanted}.")
        if op_name in self.operations and not allow_operation:
            raise ValueError(
                f"The name {shown} refers to an Operation, not a {wanted}. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if op_name in self.operations:
            return self.operations[op_name]
        if allow_operation:
            raise KeyError(f"The name {shown} refers to an Operation not in the graph.")
        raise ValueError(
            f"The name {shown} looks like an (invalid) Operation name, not a {wanted}. "
            'Tensor names must be of the form "<op_name>:<output_index>".'
        )

    # Names.

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the current scope, with `_1`, `_2` ... behind it where it is taken.

        Upper and lower case count as the same. Raises ValueError for characters that no name may have.
        """
        if not _OP_NAME.match(name) and not (self._scope and _SCOPE_NAME.match(name)):
            raise ValueError(
                f"`{name}` is not a valid node name. Accepted names conform to Regex /{_OP_NAME}/"
            )
        full = f"{self._scope}/{name}" if self._scope else name
        key, names = full.lower(), self._names
        if key not in names:
            if mark_as_used:
                names[key] = 1
            return full
        count, unique = names[key], key
        while unique in names:
            unique = f"{key}_{count}"
            count += 1
        if mark_as_used:
            names[key] = count
            names[unique] = 1
        return f"{full}_{count - 1}"

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Names made inside start with this scope's name and "/", which is what the `with` gives.

        A name that ends in "/" enters that very scope again; None or "" leaves all scopes.
        """
        if name and not name.endswith("/") and not self._scope and not _OP_NAME.match(name):
            raise ValueError(
                f"'{name}' is not a valid root scope name. A root scope name has to match the "
                f"following pattern: {_OP_NAME.pattern}"
            )
        if name and not _SCOPE_NAME.match(name):
            raise ValueError(
                f"'{name}' is not a valid scope name. A scope name has to match the following "
                f"pattern: {_SCOPE_NAME.pattern}"
            )
        outer = self._scope
        if not name:
            self._scope = ""
        else:
            self._scope = name[:-1] if name.endswith("/") else self.unique_name(name)
        try:
            yield self._scope + "/" if self._scope else ""
        finally:
            self._scope = outer

    # Order, devices, collections.

    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Any:
        """Ops made inside `with` this run after `control_inputs`; None forgets outer ones."""
        if control_inputs is None:
            return self.control.after(None)
        return self.control.after([self._as_operation(c) for c in control_inputs])

    def _as_operation(self, obj: Any) -> Operation:
        element = self.as_graph_element(obj)
        return element.op if isinstance(element, Tensor) else element

    @contextmanager
    def device(self, name: str | None) -> Iterator[None]:
        """Record a device on the ops made inside. It has no effect here."""
        self.device_stack.append(name or "")
        try:
            yield
        finally:
            self.device_stack.pop()

    def add_to_collection(self, name: str, value: Any) -> None:
        """Append `value` to the collection `name`."""
        self._check_not_finalized()
        self.collections.add(name, value)

    def add_to_collections(self, names: Iterable[str] | str, value: Any) -> None:
        """Append `value` to each of the collections `names`."""
        for name in dict.fromkeys([names] if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list:
        """A copy of the collection; with `scope`, what has a name that this pattern begins."""
        return self.collections.get(name, scope)

    def get_collection_ref(self, name: str) -> list:
        """The collection itself, so that a change to the list changes the graph."""
        return self.collections.ref(name)

    def get_all_collection_keys(self) -> list[str]:
        """The names of the collections that hold anything."""
        return self.collections.keys()

    def clear_collection(self, name: str) -> None:
        """Empty the collection."""
        self._check_not_finalized()
        self.collections.clear(name)

    # Being the default, being finished.

    def as_default(self) -> Any:
        """Inside `with` this, new ops go into this graph."""
        return default_graphs.pushed(self)

    @property
    def finalized(self) -> bool:
        """Whether the graph takes no more operations."""
        return self._finalized

    def finalize(self) -> None:
        """Take no more operations: from now on, adding one raises RuntimeError."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")


default_graphs: DefaultStack = DefaultStack(make_first=Graph)
default_sessions: DefaultStack = DefaultStack()


_EVAL = ("evaluate tensor", "eval", "sess.as_default()`", "tensor", "`eval(session=sess)`")
_RUN = ("execute operation", "run", "sess.as_default():`", "operation", "run(session=sess)")


def _session_for(graph: Graph, session: Any, words: tuple[str, str, str, str, str]) -> Any:
    """`session`, or else the default one, if it can run `graph`. Raises ValueError if it can't."""
    action, method, block, noun, hint = words
    chosen = session or default_sessions.get()
    if chosen is None:
        raise ValueError(
            f"Cannot {action} using `{method}()`: No default session is registered. Use `with {block} "
            f"or pass an explicit session to `{method}(session=sess)`"
        )
    if chosen.graph is not graph:
        which = "given" if session else "default"
        more = "" if session else f" Pass an explicit session to {hint}."
        raise ValueError(
            f"Cannot use the {which} session to {action}: the {noun}'s graph is different from the "
            f"session's graph.{more}"
        )
    return chosen


def get_default_graph() -> Graph:
    """The graph that new ops go into; there always is one."""
    return default_graphs.get()


def reset_default_graph() -> None:
    """Begin with a new, empty default graph. Raises AssertionError inside `with graph.as_default()`."""
    if default_graphs.depth():
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    default_graphs.reset()


def place_of(obj: Any) -> str:
    """`Operation.place` of a tensor, an operation or a variable; nothing for anything else."""
    return getattr(getattr(obj, "op", obj), "place", "")


def get_default_session() -> Any:
    """The session that `eval` and `run` use without one, or None."""
    return default_sessions.get()


def control_dependencies(control_inputs: Iterable[Any] | None) -> Any:
    """`Graph.control_dependencies` of the default graph."""
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: str | None) -> Any:
    """`Graph.device` of the default graph: recorded, without effect."""
    return get_default_graph().device(device_name_or_function)


def add_to_collection(name: str, value: Any) -> None:
    """`Graph.add_to_collection` of the default graph."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Iterable[str], value: Any) -> None:
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
    name: str | None = None, default_name: str | None = None, values: Iterable[Any] | None = None
) -> Iterator[str]:
    """Names made inside start with `name` (or, where that is None, `default_name`) and "/".

    The scope is opened in the graph of the first tensor of `values`, or else in the default graph.
    """
    graph = graph_of(values or ())
    chosen = default_name if name is None else name
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
        element = value if isinstance(value, Tensor) else getattr(value, "_as_graph_element", None)
        if element is None:
            continue
        element = element if isinstance(value, Tensor) else element()
        if first is None:
            first = element
        elif element.op.graph is not first.op.graph:
            raise ValueError(
                f"{element} must be from the same graph as {first} "
                f"(graphs are {element.op.graph} and {first.op.graph})."
            )
    return default_graphs.get() if first is None else first.op.graph
