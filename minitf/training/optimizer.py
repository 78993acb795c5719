"""An optimizer turns gradients into updates; the last thing it does is add one to `global_step`.

`minimize` calls `compute_gradients`, then `apply_gradients`. They build the gradients of the loss,
an update of each variable and, if there is a global step, the op that adds one to it after all
updates.

Mirrors tensorflow/python/training/optimizer.py.
"""

from collections.abc import Callable, Iterable, ValuesView
from typing import Any

from minitf.framework import nest
from minitf.framework.events import announced
from minitf.framework.graph import (
    Graph,
    GraphKeys,
    control_dependencies,
    get_collection,
    get_default_graph,
    name_scope,
)
from minitf.framework.op_def_library import IndexedSlices, build, build_tensor, convert_to_tensor
from minitf.framework.operation import Operation, Tensor, with_place
from minitf.framework.registry import OPS
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import array_ops, control_flow_ops, gather_ops, math_ops, state_ops
from minitf.ops.gradients import gradients
from minitf.ops.init_ops import zeros_initializer
from minitf.ops.variable_scope import get_variable, variable_scope
from minitf.ops.variables import Variable


class Optimizer:
    """The base class of optimizers; each one defines how to apply a gradient to a variable.

    Your own optimizer defines `_apply_dense(gradient, variable)`, which returns the op that changes
    the variable, and `_apply_sparse` for gathered rows. It may also define
    `_create_slots(var_list)`, which calls `_zeros_slot`, and `_prepare`, which converts the
    constructor's arguments to tensors.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    _op_type = ""  # the op that applies a gradient; for gathered rows, prefixed by "Sparse"
    _attrs: dict[str, Any] = {}  # of that op
    _slot_initializers: dict[str, Callable] = {}  # by the slots' names
    _slot_order: list[str] = []  # the order in which the op takes them, if it differs

    def __init__(self, use_locking: bool, name: str, **numbers):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = bool(use_locking)  # no effect here: a run is atomic
        self._name = name
        self._numbers = numbers  # the hyperparameters as given
        if numbers:
            # The first is the learning rate. Users' optimizers read these attributes, or those of
            # `_prepare`.
            self._lr = self._learning_rate = next(iter(numbers.values()))
        self._tensors: dict[str, Tensor] = {}  # the same as tensors; `_prepare` fills it
        self._slots: dict[str, dict[Variable, Variable]] = {}
        self._non_slots: dict[tuple[Graph, str], Variable] = {}

    def get_name(self) -> str:
        """Return the name of the optimizer's ops."""
        return self._name

    def get_slot_names(self) -> list[str]:
        """Return the names of the slots: variables that the optimizer keeps for each variable."""
        return sorted(self._slots)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """Return the slot called `name` of `var`, or None."""
        return self._slots.get(name, {}).get(var)

    def variables(self) -> list[Variable]:
        """Return the optimizer's own variables in the default graph, sorted by name."""
        kept = [*self._non_slots.values(), *(s for of in self._slots.values() for s in of.values())]
        return sorted((v for v in kept if v.graph is get_default_graph()), key=lambda v: v.op.name)

    def minimize(
        self,
        loss: Tensor,
        global_step: Variable | None = None,
        var_list=None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops=False,
        name: str | None = None,
        grad_loss=None,
    ) -> Operation:
        """Return an op that changes the variables to lower `loss`, then adds one to `global_step`.

            train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())

        Without a `global_step`, nothing counts the steps. `var_list` are the variables to change,
        by default all trainable ones; `grad_loss` weights the loss. `aggregation_method` and
        `colocate_gradients_with_ops` are ignored. Raises ValueError if there are no variables, or
        if the loss depends on none of them.
        """
        grads_and_vars = self.compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            colocate_gradients_with_ops,
            grad_loss,
        )
        if all(gradient is None for gradient, _ in grads_and_vars):
            words = "No gradients provided for any variable, check your graph for ops that do not"
            variables = [str(v) for _, v in grads_and_vars]
            raise ValueError(
                f"{words} support gradients, between variables {variables} and loss {loss}."
            )
        return self.apply_gradients(grads_and_vars, global_step, name)

    def compute_gradients(
        self,
        loss: Tensor,
        var_list=None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ) -> list[tuple[Tensor | None, Variable]]:
        """Return a list of (gradient, variable) for `var_list`, by default all trainable variables.

        The gradient is that of the sum of `loss`, weighted by `grad_loss`; it is None for a
        variable on which the loss does not depend. Raises ValueError if there are no variables,
        TypeError for an item that isn't a variable or a tensor.
        """
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        if var_list is None:
            var_list = get_collection(GraphKeys.TRAINABLE_VARIABLES)
        values = list(var_list) if isinstance(var_list, ValuesView) else var_list
        variables = nest.flatten(values)[0]
        for variable in variables:
            if not isinstance(variable, Variable | Tensor):
                raise TypeError(f"Argument is not a tf.Variable: {variable}")
        if not variables:
            raise with_place(ValueError("No variables to optimize."), loss)
        _check_floats([loss, grad_loss])
        found = gradients(
            loss, variables, grad_ys=grad_loss, gate_gradients=gate_gradients == self.GATE_OP
        )
        if gate_gradients == self.GATE_GRAPH:
            found = control_flow_ops.tuple(found)
        pairs = list(zip(found, variables, strict=True))
        _check_floats(variable for gradient, variable in pairs if gradient is not None)
        return pairs

    @announced
    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> Operation:
        """Return an op that applies each gradient to its variable, then adds one to `global_step`.

            grads_and_vars = optimizer.compute_gradients(loss)
            clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in grads_and_vars if g is not None]
            train_op = optimizer.apply_gradients(clipped, global_step=step)

        With a global step, the op is the `AssignAdd` that adds one, and it waits for all updates;
        without one, it is a `NoOp` that only waits. Either joins the collection TRAIN_OP. Raises
        ValueError if there are no pairs or all gradients are None.
        """
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        for _, variable in pairs:
            if not isinstance(variable, Variable | Tensor):
                raise TypeError(f"Variable must be a tf.Variable: {variable}")
        given = [(g, v) for g, v in pairs if g is not None]
        applied = [
            (g if isinstance(g, IndexedSlices) else convert_to_tensor(g), v) for g, v in given
        ]
        if not applied:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        with control_dependencies(None):
            self._create_slots([v for _, v in applied])
        with name_scope(name or self._name, None) as scope:
            self._prepare()
            updates = [self._update(g, v) for g, v in applied]
            if global_step is None:
                train_op = self._finish(updates, scope)
            else:
                # The `+ 1`: after the updates comes the constant 1, then the op that adds it.
                done, graph = self._finish(updates, "update"), get_default_graph()
                with control_dependencies([done]), graph.colocate_with(global_step):
                    train_op = state_ops.assign_add(global_step, 1, name=scope).op
        get_default_graph().add_to_collection(GraphKeys.TRAIN_OP, train_op)
        return train_op

    def _update(self, gradient: Tensor | IndexedSlices, variable: Variable):
        if isinstance(variable, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", variable)
        graph = variable.graph
        with name_scope(f"update_{variable.op.name}"), graph.colocate_with(variable):
            if isinstance(gradient, IndexedSlices):
                if variable.constraint is not None:
                    raise RuntimeError("Cannot use a constraint function on a sparse variable.")
                return self._apply_sparse_duplicate_indices(gradient, variable)
            update = self._apply_dense(gradient, variable)
            if variable.constraint is None:
                return update
            with control_dependencies([update]):
                return variable.assign(variable.constraint(variable)).op

    def _prepare(self) -> None:
        """Convert the hyperparameters to tensors."""
        for name, value in self._numbers.items():
            self._tensors[name] = convert_to_tensor(
                value() if callable(value) else value, name=name
            )
        if self._numbers:
            self._lr_t = self._learning_rate_tensor = self._tensors[next(iter(self._numbers))]

    def _create_slots(self, var_list: list[Variable]) -> None:
        """Create these variables' slots, such as `w/Adam` and `w/Adam_1`, unless they exist."""
        for variable in var_list:
            for name, initializer in self._slot_initializers.items():
                self._slot(variable, initializer, name, self._name)

    def _slot(self, var: Variable, initializer: Callable, slot_name: str, op_name: str) -> Variable:
        slots = self._slots.setdefault(slot_name, {})
        if var not in slots:
            slots[var] = create_slot(var, initializer, op_name)
        return slots[var]

    def _zeros_slot(self, var: Variable, slot_name: str, op_name: str) -> Variable:
        """Return the slot `slot_name` of `var`, initially zeros; for your own `_create_slots`."""
        return self._slot(var, zeros_initializer(), slot_name, op_name)

    def _finish(self, update_ops: list[Operation], name: str) -> Operation:
        """Return an op that completes when all updates have run."""
        return control_flow_ops.group(*update_ops, name=name)

    def _apply_dense(self, gradient: Tensor, variable: Variable) -> Operation:
        """Return the op that applies `gradient` to `variable`."""
        return self._build(self._op_type, variable, gradient)

    def _apply_sparse_duplicate_indices(
        self, gradient: IndexedSlices, variable: Variable
    ) -> Operation:
        """Return the op that applies a gradient's rows, adding up those with the same index."""
        indices, which = gather_ops.unique(gradient.indices)
        count = array_ops.shape(indices)[0]
        summed = build_tensor("UnsortedSegmentSum", gradient.values, which, count)
        return self._apply_sparse(IndexedSlices(summed, indices, gradient.dense_shape), variable)

    def _apply_sparse(self, gradient: IndexedSlices, variable: Variable) -> Operation:
        """Return the op that applies a gradient's rows, no two of which have the same index."""
        return self._build(f"Sparse{self._op_type}", variable, gradient.values, gradient.indices)

    def _hyperparameters(self) -> list:
        """Return the numbers that the op takes, in its order."""
        return list(self._tensors.values())

    def _build(self, op_type: str, variable: Variable, *gradient: Tensor) -> Operation:
        """Return a new update op.

        Its inputs are, in order, the variable, its slots and the numbers; `gradient` goes where the
        names of the inputs say.
        """
        if not self._op_type:
            raise NotImplementedError(
                f"{type(self).__name__} does not define how to apply a gradient."
            )
        slots = [
            self.get_slot(variable, name) for name in self._slot_order or self._slot_initializers
        ]
        numbers = [
            math_ops.cast(number, variable.dtype.base_dtype) for number in self._hyperparameters()
        ]
        given, parts = iter([variable, *slots, *numbers]), iter(gradient)
        inputs = [
            next(parts if name in ("grad", "delta", "indices") else given)
            for name, _ in OPS[op_type].inputs
        ]
        attrs = self._attrs | ({"use_locking": True} if self._use_locking else {})
        return build(op_type, *inputs, name=op_type, **attrs)


def create_slot(
    primary, initial: Callable | Tensor, name: str, shape: TensorShape | None = None
) -> Variable:
    """Return a new variable like `primary`, called `primary/name`, that isn't trainable.

    `initial` is its initial value or an initializer. In a variable scope, its name starts with the
    scope's name a second time, as in TensorFlow: `scope/scope/w/Adam`.
    """
    shape, dtype = shape or primary.shape, primary.dtype.base_dtype
    known = shape.is_fully_defined()
    place = primary.device if isinstance(primary, Variable) else ""
    graph, scope = get_default_graph(), f"{primary.op.name}/{name}"
    with graph.device(place), graph.colocate_with(primary), variable_scope(None, scope):
        if known and callable(initial):
            return get_variable("", shape, dtype, initial, trainable=False)
        if callable(initial):
            initial = array_ops.fill(array_ops.shape(primary), initial([], dtype))
        return get_variable("", initializer=initial, trainable=False, validate_shape=known)


def _check_floats(tensors: Iterable[Tensor | Variable | None]) -> None:
    for tensor in tensors:
        if tensor is not None and not tensor.dtype.is_floating:
            raise ValueError(
                f"Invalid type {tensor.dtype!r} for {tensor.name}, expected: [tf.float32, "
                "tf.float64, tf.float16, tf.bfloat16]."
            )
