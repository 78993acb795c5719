"""An operation is a node of the graph; its outputs are tensors, which have no value until a run.

Mirrors Operation and Tensor of tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from minitf.framework.dtypes import DType
from minitf.framework.errors import OperatorNotAllowedInGraphError as NoValueError
from minitf.framework.registry import OPS
from minitf.framework.scopes import Control, DefaultStack
from minitf.framework.tensor_shape import TensorShape, check_compatible

if TYPE_CHECKING:
    from minitf.framework.graph import Graph

default_sessions: DefaultStack = DefaultStack()
_MINITF = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class SourceLine(NamedTuple):
    """A line of a source file, printed as `file:line: text`."""

    filename: str
    lineno: int

    def __str__(self) -> str:
        text = linecache.getline(self.filename, self.lineno).strip()
        place = f"{self._shown_file()}:{self.lineno}"
        return f"{place}: {text}" if text else place

    def _shown_file(self) -> str:
        """Return the name of the file or, in a notebook, the number of the cell."""
        notebook = getattr(sys.modules.get("__main__"), "get_ipython", None)
        shell = notebook() if notebook else None
        cells = getattr(getattr(shell, "compile", None), "_filename_map", {})
        if self.filename in cells:
            return f"cell In[{cells[self.filename]}]"
        return os.path.basename(self.filename)


_source_line = cache(SourceLine)  # one object for all the ops that a line makes


def user_line() -> SourceLine:
    """Return the innermost line on the stack that is outside of minitf."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_code.co_filename.startswith(_MINITF):
        frame = frame.f_back
    return _source_line(frame.f_code.co_filename, frame.f_lineno)


class Operators:
    """`+`, `[...]` and the other operators of tensors and variables; the ops define them."""

    __slots__ = ()


def _refused(error: type[Exception], words: str) -> Callable:
    """Return a method of Tensor that raises, because it would need the tensor's value."""

    def method(self: Tensor, *args, **kwargs) -> None:
        raise error(f"{words.format(self.name)} {self.name} has no value until a session runs it.")

    return method


_NO_LENGTH = "len is not well defined for a symbolic Tensor ({0})."
_NO_LENGTH += " Please call `x.shape` rather than `len(x)` for shape information."
_NO_ARRAY = "Cannot convert a symbolic tf.Tensor ({0}) to a numpy array. This error may indicate"
_NO_ARRAY += " that you're trying to pass a Tensor to a NumPy call, which is not supported."


class Tensor(Operators):
    """One output of an operation: a name, a dtype and a static shape, but no value until a run."""

    __slots__ = ("op", "value_index", "dtype", "_shape", "__weakref__")

    def __init__(self, op: Operation, value_index: int, dtype: DType, shape: TensorShape):
        self.op, self.value_index, self.dtype, self._shape = op, value_index, dtype, shape

    name: str = property(
        lambda self: f"{self.op.name}:{self.value_index}", doc="`op_name:output_index`."
    )
    graph: Graph = property(lambda self: self.op.graph, doc="The graph that the tensor belongs to.")
    device: str = property(
        lambda self: self.op.device, doc="The requested device; it has no effect in minitf."
    )
    shape: TensorShape = property(
        lambda self: self._shape, doc="What is known about the shape before a run."
    )

    def get_shape(self) -> TensorShape:
        """Return `shape`."""
        return self._shape

    def set_shape(self, shape) -> None:
        """Refine the static shape. Raises ValueError if `shape` contradicts what is known."""
        shape = TensorShape(shape)
        check_compatible(self._shape, shape)
        self._shape = self._shape.merge_with(shape)
        self.graph.changes.append(self.op)
        if self.op.type != "Placeholder":  # the shape of a fed placeholder is checked
            self.graph.distrust_shape(self)

    def consumers(self) -> list[Operation]:
        """Return the operations that read this tensor."""
        return [op for op in self.graph.get_operations() for t in op.inputs if t is self]

    def eval(self, feed_dict: dict | None = None, session=None):
        """Return `session.run(self, feed_dict)`, by default in the default session.

        Raises ValueError if there is no session, or if it has another graph.
        """
        return _session_for(self.graph, session, _EVAL).run(self, feed_dict)

    __bool__ = _refused(
        NoValueError, "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed."
    )
    __iter__ = _refused(NoValueError, "Iterating over a symbolic `tf.Tensor` is not allowed.")
    __len__ = _refused(TypeError, _NO_LENGTH)
    __array__ = _refused(NotImplementedError, _NO_ARRAY)

    def __str__(self) -> str:
        shape = f", shape={self._shape}" if self._shape.lengths is not None else ""
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self._shape} dtype={self.dtype.name}>"


NodeDef = namedtuple("NodeDef", "name op input device")


class Operation:
    """A node of the graph: what to do, with which inputs, and after which other operations.

    `passes_on` says whether its output is its first input, so that nothing is computed, and
    `control` what conds and loops it has to do with.
    """

    __slots__ = ("graph", "name", "type", "inputs", "_waits_for", "attrs", "outputs")
    __slots__ += ("number", "device", "source_line", "control", "passes_on", "__weakref__")

    def __init__(
        self,
        graph: Graph,
        op_type: str,
        name: str,
        inputs: tuple,
        waits_for: tuple[Operation, ...],
        attrs: dict,
    ):
        self.graph, self.type, self.name = graph, op_type, name
        self.inputs, self._waits_for, self.attrs = inputs, waits_for, attrs
        device = graph.current_device
        self.device = device(self) if callable(device) else device
        self.control: Control = graph.control.current
        self.passes_on: bool = OPS[op_type].passes_on(self)
        self.source_line: SourceLine = user_line()
        self.number = graph.next_number()  # greater than those of its inputs
        self.outputs: list[Tensor] = []

    # A list is made when it is asked for, so that most ops keep one object less.
    control_inputs: list[Operation] = property(
        lambda self: list(self._waits_for), doc="The operations that must run before this one."
    )

    @property
    def place(self) -> str:
        """The end of an error message about this op: its name and the user's line that made it."""
        return f"\n\t [[{{{{node {self.name}}}}}]], made at {self.source_line}"

    @property
    def all_attrs(self) -> dict:
        """The attributes, including `T`, the dtype that the inputs share."""
        arguments = zip(OPS[self.type].inputs, self.inputs, strict=False)
        shared = [t.dtype.base_dtype for (_, kind), t in arguments if kind in ("T", "*T", "ref")]
        return {"T": shared[0]} | self.attrs if shared else self.attrs

    def get_attr(self, name: str):
        """Return an attribute's value. Raises ValueError if the op has no such attribute."""
        attrs = self.all_attrs
        if name not in attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return attrs[name]

    def values(self) -> tuple[Tensor, ...]:
        """Return the outputs as a tuple."""
        return tuple(self.outputs)

    def run(self, feed_dict: dict | None = None, session=None) -> None:
        """Call `session.run(self, feed_dict)`, by default in the default session.

        Raises ValueError if there is no session, or if it has another graph.
        """
        _session_for(self.graph, session, _RUN).run(self, feed_dict)

    @property
    def node_def(self) -> NodeDef:
        """The operation with its inputs as names; a control input begins with "^"."""
        inputs = [t.name.removesuffix(":0") for t in self.inputs]
        inputs += [f"^{op.name}" for op in self.control_inputs]
        return NodeDef(self.name, self.type, inputs, self.device)

    def __str__(self) -> str:
        inputs = (f'input: "{name}"' for name in self.node_def.input)
        return "\n".join([f'name: "{self.name}"', f'op: "{self.type}"', *inputs, ""])

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


def with_place(error: Exception, obj) -> Exception:
    """Return the error, its message unchanged, with a note that says where `obj` was made."""
    if place := getattr(getattr(obj, "op", obj), "place", ""):
        error.add_note(place.lstrip("\n"))
    return error


def passed_on(tensor: Tensor) -> Tensor:
    """Return the tensor that this one merely passes on, through any number of ops."""
    while tensor.op.passes_on:
        tensor = tensor.op.inputs[0]
    return tensor


def is_place(tensor: Tensor) -> bool:
    """Return whether a tensor is a variable's place, so that what uses it reads the variable.

    That's a variable, the output of an update, or what an Identity hands on of either.
    """
    return passed_on(tensor).dtype._is_ref_dtype


_EVAL = ("evaluate tensor", "eval", "", "`eval(session=sess)`")
_RUN = ("execute operation", "run", ":", "run(session=sess)")


def _session_for(graph: Graph, session, words: tuple[str, str, str, str]):
    """Return `session` or else the default one. Raises ValueError if it can't run `graph`."""
    action, method, colon, hint = words
    chosen = session or default_sessions.get()
    if chosen is None:
        raise ValueError(
            f"Cannot {action} using `{method}()`: No default session is registered. Use `with "
            f"sess.as_default(){colon}` or pass an explicit session to `{method}(session=sess)`"
        )
    if chosen.graph is not graph:
        which = "given" if session else "default"
        more = "" if session else f" Pass an explicit session to {hint}."
        raise ValueError(
            f"Cannot use the {which} session to {action}: the {action.split()[-1]}'s graph is "
            f"different from the session's graph.{more}"
        )
    return chosen
