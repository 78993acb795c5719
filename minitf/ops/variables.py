"""A Variable is an object that lives in the graph; its value lives in each session's state.

Mirrors tensorflow/python/ops/variables.py (RefVariable).
"""

import enum
from collections.abc import Iterable
from contextlib import ExitStack, nullcontext

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
from minitf.framework.scopes import changed
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import state_ops
from minitf.ops.array_ops import identity
from minitf.ops.control_flow_ops import group
from minitf.ops.gather_ops import boolean_mask
from minitf.ops.math_ops import logical_not
from minitf.ops.slicing_ops import stack


class VariableSynchronization(enum.Enum):
    """When TensorFlow synchronizes a variable's copies on several devices.

    It is ignored here.
    """

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(enum.Enum):
    """How TensorFlow combines updates of a variable's copies on several devices.

    It is ignored here.
    """

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


class Variable(Operators):
    """A value that is kept from one run to the next.

        w = tf.Variable(0.0, name="w")
        sess.run(w.initializer)

    In the graph, a variable `v` has four parts: the variable itself, its initial value, the op that
    assigns that value (`v/Assign`) and the op that reads the variable (`v/read`). In an expression,
    a variable gives the value that it holds at that point of the run.

    initial_value: anything that becomes a tensor, or a function without arguments that returns it.
    trainable: whether optimizers change the variable.
    collections: the names of the collections to join, by default GLOBAL_VARIABLES.
    validate_shape: if False, the shape may change.
    constraint: a function of the variable that optimizers apply after each update; it returns the
        new value.
    shape: the static shape; by default that of the initial value, or unknown if it may change.

    `name` and `dtype` are the variable's; the other arguments are ignored. Raises ValueError
    without an initial value, or if its shape is unknown but must not change.
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
        # A variable has no control dependencies, wherever it is created.
        with (
            graph.as_default(),
            graph.control_dependencies(None),
            name_scope(name, "Variable") as scope,
            ExitStack() as placed,
        ):
            if made and not graph.colocation:
                placed.enter_context(changed(graph, "colocation", scope[:-1]))
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
            )  # a name that ends in / is taken as it is
            self.initializer = assigned.op
            self._snapshot = build_tensor("Identity", self._variable, name=f"{scope}read/")
        names = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        graph.add_to_collections(names + [GraphKeys.TRAINABLE_VARIABLES] * self.trainable, self)

    name = property(lambda self: self._variable.name, doc="The name of its tensor, such as `v:0`.")
    op = property(lambda self: self._variable.op, doc="The op that is the variable itself.")
    graph = property(lambda self: self._variable.graph, doc="The graph that it is in.")
    dtype = property(lambda self: self._variable.dtype, doc="The dtype in its `_ref` form.")
    shape = property(lambda self: self._variable.shape, doc="The static shape.")
    device = property(lambda self: self._variable.device, doc="The requested device; no effect.")

    def get_shape(self) -> TensorShape:
        """The static shape, like `shape`."""
        return self._variable.shape

    def set_shape(self, shape) -> None:
        """Make the static shape more precise.

        Raises ValueError if the two contradict each other.
        """
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def initialized_value(self) -> Tensor:
        """The value if there is one, otherwise the initial value.

        Use it to initialize other variables.
        """
        inputs = self._variable, self.initial_value
        with self.graph.control_dependencies(None):
            return build_tensor("InitializedValue", *inputs, name="cond/Merge")

    def value(self) -> Tensor:
        """The tensor `v/read:0`, which expressions with the variable use."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new tensor with the value that the variable has when its op runs."""
        return identity(self._variable, name="read")

    def eval(self, session=None):
        """The value in `session`, or in the default session."""
        return self._variable.eval(session=session)

    def load(self, value, session=None) -> None:
        """Set the value in `session`, or in the default session, without adding to the graph.

        Raises ValueError if there is no session, or `value` and the variable differ in shape.
        """
        session = session or default_sessions.get()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be "
                "established"
            )
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """`tf.assign(self, value)`, or its op if `read_value` is False."""
        updated = state_ops.assign(self._variable, value, use_locking=use_locking, name=name)
        return _tensor_or_op(updated, read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """`tf.assign_add(self, delta)`, or its op if `read_value` is False."""
        updated = state_ops.assign_add(self._variable, delta, use_locking=use_locking, name=name)
        return _tensor_or_op(updated, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """`tf.assign_sub(self, delta)`, or its op if `read_value` is False."""
        updated = state_ops.assign_sub(self._variable, delta, use_locking=use_locking, name=name)
        return _tensor_or_op(updated, read_value)

    def _ref(self) -> Tensor:
        """The variable's own tensor, which can be assigned to."""
        return self._variable

    def _as_tensor(self, as_ref=False) -> Tensor:
        return self._variable if as_ref else self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    __iter__ = Tensor.__iter__  # raises: a variable can't be iterated over

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def _tensor_or_op(tensor, read_value):
    return tensor if read_value else tensor.op


def _guarded(tensor, ending, done):
    """`tensor`, an initial value that never fails because another variable has no value yet.

    Such a variable is replaced by its own initial value, so that one run can initialize all in any
    order. An op that depends on one is copied, with `ending` after its name, so that only this
    initial value changes. `done` has the ops seen so far, each with its copy or else itself.
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
        f"The variables of the default graph {doc}; with `scope`, those whose names begin with it.",
    )


global_variables = _listing("global_variables", "that checkpoints hold")
local_variables = _listing("local_variables", "that checkpoints leave out")
trainable_variables = _listing("trainable_variables", "that optimizers change")
model_variables = _listing("model_variables", "that layers added to MODEL_VARIABLES")
moving_average_variables = _listing("moving_average_variables", "that have moving averages")


def variables_initializer(var_list: Iterable[Variable], name="init") -> Operation:
    """An op that sets each of these variables to its initial value."""
    return group(*[v.initializer for v in var_list or ()], name=name)


def global_variables_initializer() -> Operation:
    """An op that initializes the global variables created so far, but no later ones."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """An op that initializes the local variables created so far."""
    return variables_initializer(local_variables())


def is_variable_initialized(variable) -> Tensor:
    """Whether the variable has a value in the session: a bool scalar."""
    return build_tensor("IsVariableInitialized", variable)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value in the session: a vector of strings.

    Without `var_list`, these are the global and the local variables.
    """
    variables = global_variables() + local_variables() if var_list is None else list(var_list)
    if not variables and var_list is None:  # look for variables in neither collection
        operations = get_default_graph().get_operations()
        variables = [op.outputs[0] for op in operations if op.type == "VariableV2"]
    with name_scope(name):
        names = constant(np.array([v.op.name for v in variables], object))
        if not variables:
            return names
        known = stack([is_variable_initialized(v) for v in variables])
        return boolean_mask(names, logical_not(known))
