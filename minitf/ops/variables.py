"""A Variable is an object that lives in the graph; its value lives in each session's state.

Mirrors tensorflow/python/ops/variables.py (RefVariable).
"""

import enum
from collections.abc import Iterable
from contextlib import nullcontext

import numpy as np

from minitf.framework.graph import (
    GraphKeys,
    get_collection,
    get_default_graph,
    graph_of,
    name_scope,
)
from minitf.framework.op_def_library import build_tensor, constant, convert_to_tensor, named
from minitf.framework.operation import Operation, Operators, Tensor, default_sessions
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import state_ops
from minitf.ops.array_ops import identity
from minitf.ops.control_flow_ops import group
from minitf.ops.gather_ops import boolean_mask
from minitf.ops.math_ops import logical_not
from minitf.ops.slicing_ops import stack

VariableSynchronization = enum.Enum(
    "VariableSynchronization", "AUTO NONE ON_WRITE ON_READ", start=0
)
VariableAggregation = enum.Enum("VariableAggregation", "NONE SUM MEAN ONLY_FIRST_REPLICA", start=0)


class Variable(Operators):
    """A value that is kept from one run to the next.

    It consists of four things in the graph: the variable itself (`v`), its initial value, the op
    that assigns that value (`v/Assign`) and the op that reads it (`v/read`). In an expression it is
    the value that it holds at that moment of the run.

    Args: initial_value (anything that becomes a tensor, or a function without arguments that
    returns it); trainable (whether optimizers change it); collections (the names of the collections
    to join, else GLOBAL_VARIABLES); validate_shape (False: the shape may change); name; dtype;
    constraint (a function that optimizers apply to the value after a step); shape (where the
    initial value's says less). The others have no meaning here. Raises ValueError without an
    initial value, or where its shape is not known.
    """

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        collections=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        variable_def=None,
        dtype=None,
        expected_shape=None,
        import_scope=None,
        constraint=None,
        use_resource=None,
        synchronization=None,
        aggregation=None,
        shape=None,
    ):
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if not isinstance(collections, list | tuple | set | None):
            raise ValueError(
                "collections argument to Variable constructor must be a list, tuple, or set. "
                f"Got {collections} of type {type(collections)}"
            )
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self.trainable, self.constraint = trainable is None or bool(trainable), constraint
        self.synchronization = synchronization or VariableSynchronization.AUTO
        self.aggregation = aggregation or VariableAggregation.NONE
        made = callable(initial_value)
        graph = get_default_graph() if made else graph_of([initial_value])
        # A variable waits for nothing, wherever it is made.
        with (
            graph.as_default(),
            graph.control_dependencies(None),
            name_scope(name, "Variable") as scope,
        ):
            with graph.name_scope("Initializer") if made else nullcontext():
                value = initial_value() if made else initial_value
                value = convert_to_tensor(value, dtype, name="initial_value")
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {value}")
            shape = value.shape if shape is None and validate_shape else TensorShape(shape)
            attrs = {"dtype": value.dtype.base_dtype, "shape": shape}
            self.initial_value = value
            self._variable = graph.create_op("VariableV2", (), attrs, scope or None).outputs[0]
            safe = _guarded(value, f"_{self._variable.op.name}", {})
            assigned = state_ops.assign(
                self._variable, safe, validate_shape, name=f"{scope}Assign/"
            )
            self.initializer = assigned.op
            self._snapshot = build_tensor("Identity", self._variable, name=f"{scope}read/")
            self._snapshot.op.passes_on = True  # what the variable holds when the reader runs
        names = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        graph.add_to_collections(names + [GraphKeys.TRAINABLE_VARIABLES] * self.trainable, self)

    name = property(lambda self: self._variable.name, doc="The name of its tensor: `v:0`.")
    op = property(lambda self: self._variable.op, doc="The op that holds the variable's place.")
    graph = property(lambda self: self._variable.graph, doc="The graph that it lives in.")
    dtype = property(lambda self: self._variable.dtype, doc="The dtype, in its `_ref` form.")
    shape = property(lambda self: self._variable.shape, doc="The static shape.")
    device = property(lambda self: self._variable.device, doc="Asked for; without effect.")

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self._variable.shape

    def set_shape(self, shape) -> None:
        """Promise more about the shape. Raises ValueError where that contradicts what is known."""
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def initialized_value(self) -> Tensor:
        """The value if there is one, else the initial value: for initial values that need it."""
        inputs = self._variable, self.initial_value
        with self.graph.control_dependencies(None):
            return build_tensor("InitializedValue", *inputs, name="cond/Merge")

    def value(self) -> Tensor:
        """The tensor `v/read`, which every expression with the variable uses."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new tensor of the value that the variable has when that op runs."""
        return identity(self._variable, name="read")

    def eval(self, session=None):
        """The value in `session`, or in the default session."""
        return self._variable.eval(session=session)

    def load(self, value, session=None) -> None:
        """Set the value in `session`, or in the default session, adding nothing to the graph.

        Raises ValueError where there is no session, or `value` and the variable differ in shape.
        """
        session = session or default_sessions.get()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be "
                "established"
            )
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """`tf.assign(self, value)`; the op instead of the tensor if `read_value` is False."""
        return _tensor_or_op(state_ops.assign(self._variable, value, name=name), read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """`tf.assign_add(self, delta)`; the op instead of the tensor if `read_value` is False."""
        return _tensor_or_op(state_ops.assign_add(self._variable, delta, name=name), read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """`tf.assign_sub(self, delta)`; the op instead of the tensor if `read_value` is False."""
        return _tensor_or_op(state_ops.assign_sub(self._variable, delta, name=name), read_value)

    def _ref(self) -> Tensor:
        """The variable's own tensor, which can be assigned to."""
        return self._variable

    def _as_tensor(self, as_ref=False) -> Tensor:
        return self._variable if as_ref else self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    __iter__ = Tensor.__iter__  # which says that there is nothing to walk through

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def _tensor_or_op(tensor, read_value):
    return tensor if read_value else tensor.op


def _guarded(tensor, ending, done):
    """An initial value that takes those of the variables that it needs, if they have no value yet.

    So one initializer does for all. Ops made anew for it get a name with `ending`.
    """
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
            with graph.name_scope(None):
                done[op] = graph.create_op(op.type, inputs, op.attrs, op.name + ending)
    return done[op].outputs[tensor.value_index]


def _listing(name, doc):
    def variables(scope=None):
        return get_collection(getattr(GraphKeys, name.upper()), scope)

    return named(
        variables,
        name,
        f"The variables of the default graph {doc}. `scope`: what their names begin with.",
    )


global_variables = _listing("global_variables", "that a checkpoint holds")
local_variables = _listing("local_variables", "that no checkpoint holds")
trainable_variables = _listing("trainable_variables", "that optimizers change")
model_variables = _listing("model_variables", "that layers put there")
moving_average_variables = _listing("moving_average_variables", "that have averages")


def variables_initializer(var_list: Iterable[Variable], name="init") -> Operation:
    """An op that gives each of these variables its initial value."""
    return group(*[v.initializer for v in var_list or ()], name=name)


def global_variables_initializer() -> Operation:
    """An op that initializes the global variables that exist now, and none that is made later."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """An op that initializes the local variables that exist now."""
    return variables_initializer(local_variables())


def is_variable_initialized(variable) -> Tensor:
    """Whether the variable has a value in the session: a bool scalar."""
    return build_tensor("IsVariableInitialized", variable)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables") -> Tensor:
    """The names of those variables that have no value in the session; without a list, among all."""
    variables = global_variables() + local_variables() if var_list is None else list(var_list)
    if not variables and var_list is None:  # those that are in neither collection, then
        operations = get_default_graph().get_operations()
        variables = [op.outputs[0] for op in operations if op.type == "VariableV2"]
    with name_scope(name):
        names = constant(np.array([v.op.name for v in variables], object))
        if not variables:
            return names
        known = stack([is_variable_initialized(v) for v in variables])
        return boolean_mask(names, logical_not(known))
