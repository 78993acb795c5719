"""A Variable is an object that lives in the graph; its value lives in each session's state.

Stands for tensorflow/python/ops/variables.py (RefVariable).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from minitf.framework.collections import GraphKeys
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import DType
from minitf.framework.errors import OperatorNotAllowedInGraphError
from minitf.framework.graph import Graph, get_collection, get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor, default_sessions
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import array_ops, control_flow_ops, state_ops


def _changing(function: Callable) -> Callable:
    """The method of Variable that applies `function` to it."""

    def change(
        self: Variable,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Tensor | Operation:
        result = function(self._variable, delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    change.__name__ = function.__name__
    change.__doc__ = f"`tf.{function.__name__}(self, delta)`; without `read_value`, just the op."
    return change


class Variable(Operators):
    """A value that is kept from one run to the next.

    It is made of four things in the graph: the variable itself (`v`), its initial value, the op that
    assigns that value (`v/Assign`) and the op that reads it (`v/read`). Used in an expression it stands
    for what it holds at that moment of the run.

    Args: initial_value (anything that becomes a tensor, or a function without arguments that gives it);
    trainable (whether optimizers change it); collections (the names of the collections to join, else
    GLOBAL_VARIABLES); validate_shape (False: the shape may change); name; dtype. The others
    have no meaning here.
    Raises ValueError without an initial value, or where its shape is not known.
    """

    __slots__ = ("_variable", "_snapshot", "_initializer", "_initial_value", "_trainable")
    __slots__ += ("__weakref__",)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Iterable[str] | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ):
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        self._trainable = True if trainable is None else bool(trainable)
        graph = get_default_graph()
        # A variable waits for nothing, wherever it is made.
        with graph.control_dependencies(None), name_scope(name, "Variable") as scope:
            value = self._as_initial_value(initial_value, dtype, scope)
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {value}")
            attrs = {
                "dtype": value.dtype.base_dtype,
                "shape": value.shape if validate_shape else TensorShape(None),
            }
            self._initial_value = value
            self._variable = graph.create_op("VariableV2", (), attrs, scope).outputs[0]
            safe = _guarded(value, f"_{self._variable.op.name}", {})
            self._initializer = state_ops.assign(
                self._variable, safe, validate_shape=validate_shape, name=f"{scope}Assign/"
            ).op
            # Passes on what the variable holds when its reader runs (see the compiler).
            self._snapshot = build_tensor(
                "Identity", self._variable, name=f"{scope}read/", passes_on=True
            )
        self._join(graph, collections)

    @staticmethod
    def _as_initial_value(initial_value: Any, dtype: Any, scope: str) -> Tensor:
        if callable(initial_value) and not hasattr(initial_value, "_as_tensor"):
            initial_value = initial_value()
        return convert_to_tensor(initial_value, dtype, name=f"{scope}initial_value/")

    def _join(self, graph: Graph, collections: Iterable[str] | None) -> None:
        names = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in names:
            names.append(GraphKeys.TRAINABLE_VARIABLES)
        graph.add_to_collections(names, self)

    @property
    def name(self) -> str:
        """The name of the variable's tensor: `v:0`."""
        return self._variable.name

    @property
    def op(self) -> Operation:
        """The op that holds the place of the variable."""
        return self._variable.op

    @property
    def graph(self) -> Graph:
        """The graph that the variable lives in."""
        return self._variable.graph

    @property
    def dtype(self) -> DType:
        """The dtype, in its `_ref` form: this can be assigned to."""
        return self._variable.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self._variable.shape

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self._variable.shape

    @property
    def device(self) -> str:
        """The device asked for; it has no effect here."""
        return self._variable.device

    @property
    def trainable(self) -> bool:
        """Whether the variable joined the trainable ones."""
        return self._trainable

    @property
    def initializer(self) -> Operation:
        """The op that assigns the initial value."""
        return self._initializer

    @property
    def initial_value(self) -> Tensor:
        """The tensor of the initial value."""
        return self._initial_value

    def initialized_value(self) -> Tensor:
        """The value if there is one, else the initial value: for initial values that need it."""
        return build_tensor(
            "InitializedValue", self._variable, self._initial_value, name="cond/Merge"
        )

    def value(self) -> Tensor:
        """The tensor `v/read`, which every expression with the variable uses."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new tensor of the value that the variable has when that op runs."""
        return array_ops.identity(self._variable, name="read")

    def eval(self, session: Any = None) -> Any:
        """The value in `session`, or in the default session."""
        return self._variable.eval(session=session)

    def load(self, value: Any, session: Any = None) -> None:
        """Set the value in `session`, or in the default session, adding nothing to the graph."""
        session = session or default_sessions.get()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be established"
            )
        session.run(self.initializer, {self._initializer.inputs[1]: value})

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Tensor | Operation:
        """`tf.assign(self, value)`; the op instead of the tensor where `read_value` is False."""
        result = state_ops.assign(self._variable, value, use_locking=use_locking, name=name)
        return result if read_value else result.op

    assign_add = _changing(state_ops.assign_add)
    assign_sub = _changing(state_ops.assign_sub)

    def _as_tensor(self, as_ref: bool = False) -> Tensor:
        return self._variable if as_ref else self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def __iter__(self) -> None:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. "
            f"{self.name} has no value until a session runs it."
        )

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def _guarded(tensor: Tensor, ending: str, done: dict[Operation, Operation]) -> Tensor:
    """An initial value that takes the initial values of the variables which it needs and which have no
    value yet: so one initializer does for all. Ops that are made anew for it get a name with `ending`."""
    op, graph = tensor.op, tensor.graph
    if op.type in ("InitializedValue", "IsVariableInitialized"):
        return tensor
    if op.type == "VariableV2":
        keys = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES)
        known = [v for key in keys for v in graph.get_collection(key) if v._variable is tensor]
        return known[0].initialized_value() if known else tensor
    if op not in done:
        inputs = tuple(_guarded(source, ending, done) for source in op.inputs)
        done[op] = op
        if inputs != op.inputs:
            attrs = {key: value for key, value in op.attrs.items() if key != "passes_on"}
            with graph.name_scope(None):
                done[op] = graph.create_op(op.type, inputs, attrs, op.name + ending)
    return done[op].outputs[tensor.value_index]


def global_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the default graph: what a checkpoint holds."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the default graph that no checkpoint holds."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the default graph that optimizers change."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def variables_initializer(var_list: Iterable[Variable], name: str = "init") -> Operation:
    """An op that gives each of these variables its initial value."""
    var_list = list(var_list or ())
    if not var_list:
        return control_flow_ops.no_op(name=name)
    return control_flow_ops.group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer() -> Operation:
    """An op that initializes the global variables that exist now, and none that is made later."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """An op that initializes the local variables that exist now."""
    return variables_initializer(local_variables())


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable has a value in the session: a bool scalar."""
    return build_tensor("IsVariableInitialized", ref, name=name)
