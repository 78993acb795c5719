"""Ops that compute nothing: they tie other ops together, or decide which of them run.

A block is one branch of a cond, or the condition or body of a while loop: its ops run only if, or
as often as, a condition says. A tensor from outside enters through an entry op: a Switch, which has
one output for each branch of a cond, or a loop's Enter. Results leave through a Merge or an Exit.
Gradients through a cond therefore need no rules beyond the ops' own: a Merge hands its gradient to
both branches, and the gradient of a Switch is a Merge. (For those of a loop, see
extras/control_flow.py.)

Mirrors tensorflow/python/ops/control_flow_ops.py and cond.py.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

import numpy as np

from minitf.framework import dtypes, nest
from minitf.framework.common_shapes import check_rank
from minitf.framework.graph import (
    Graph,
    control_dependencies,
    get_default_graph,
    graph_of,
    name_scope,
)
from minitf.framework.op_def_library import IndexedSlices, build, build_tensor, convert_to_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import always, call, first_itself, not_differentiable, register
from minitf.framework.tensor_shape import in_message
from minitf.ops.array_ops import identity, zeros_like
from minitf.ops.math_ops import cast
from minitf.ops.reduction_ops import reduce_sum
from minitf.ops.slicing_ops import stack

register("NoOp", "", lambda op: [], None, not_differentiable)


def no_op(name=None) -> Operation:
    """An op that does nothing but wait for its control dependencies."""
    return get_default_graph().create_op("NoOp", name=name or None)


def group(*inputs, **kwargs) -> Operation:
    """An op that completes when all `inputs` have run.

        train_op = tf.group(update_weights, update_averages, name="train")

    The inputs are ops, tensors, variables, or lists of these; `name` is the only keyword. Raises
    TypeError for any other input, ValueError for any other keyword.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}")
    operations = nest.flatten(inputs, _operation)[0]
    graph, name = graph_of([t for i in operations for t in i.outputs[:1]]), name or "group_deps"
    devices = sorted({op.device for op in operations})
    with graph.as_default():
        if len(devices) < 2:
            return _waiting(operations, name)
        # Several machines tell each other just once that they're done.
        with name_scope(name) as scope:
            parts = [_waiting([i for i in operations if i.device == d], None) for d in devices]
            with control_dependencies(parts):
                return no_op(name=scope)


def _waiting(operations: list[Operation], name: str | None) -> Operation:
    """An op on the device of these operations that waits for them."""
    device = operations[0].device if operations else ""
    placed = get_default_graph().device(device) if device else nullcontext()
    with control_dependencies(operations), placed:
        return no_op(name)


def _operation(item):
    op = getattr(item, "op", item)
    if not isinstance(op, Operation):
        raise TypeError(
            "'inputs' should be zero or more (nested) Tensors. "
            f"Received '{item}' with type '{type(item)}'."
        )
    return op


def tuple(tensors: Iterable[Any], name=None, control_inputs=None) -> list:
    """The same tensors, none of which is available before all of them have been computed.

    `control_inputs` are more ops to wait for; None entries stay None. Raises ValueError if there is
    nothing to wait for.
    """
    tensors = list(tensors)
    given = [t for t in tensors if t is not None]
    with name_scope(name, "tuple", given):
        if not given and not control_inputs:
            raise ValueError(f"'tensors' must have at least one Tensor. Received: {tensors}.")
        with control_dependencies([group(given, list(control_inputs or ()))]):
            return [None if t is None else _ready(t) for t in tensors]


def _ready(t):
    if isinstance(t, IndexedSlices):
        return IndexedSlices(_ready(t.values), t.indices, t.dense_shape)
    with get_default_graph().colocate_with(t):
        return identity(t, name="control_dependency")


# Checks.


def _check_code(op, *values):
    return call("check", op.attrs["summarize"], *values)


register(
    "Assert",
    "condition:bool data:*any=+T",
    lambda op: [],
    _check_code,
    not_differentiable,
    stateful=True,
    defaults={"summarize": 3},
)


def Assert(condition, data: list, summarize=None, name=None) -> Operation:
    """An op that raises InvalidArgumentError if `condition` is false when it runs.

    The message shows the first `summarize` values (by default 3) of each tensor in `data`.
    """
    with name_scope(name, "Assert", [condition, *data]):
        inputs = convert_to_tensor(condition, dtypes.bool), *map(convert_to_tensor, data)
        return inputs[0].graph.create_op("Assert", inputs, {"summarize": summarize or 3})


def at_most_one(preds: list[Tensor]) -> Operation:
    """An op that fails if more than one of `preds` is true."""
    values = stack(preds)
    names = ", ".join(pred.name for pred in preds)
    words = f"Input error: exclusive=True: more than 1 conditions ({names}) evaluated as True:"
    count = reduce_sum(cast(values, dtypes.int32))
    return Assert(count <= 1, [words, values], len(preds))


# Blocks. Their entries and exits have no kernels: the compiler turns blocks into functions.


def _infer_switch(op):
    check_rank(op.inputs[1], 0)
    return first_itself(op) * 2


def _infer_merge(op):
    """The shape that the inputs have in common; for a loop variable, the one its loop declares."""
    one, other = op.inputs[0], op.inputs[-1]
    common = one.shape.most_specific_compatible_shape(other.shape)
    return [(one.dtype.base_dtype, op.attrs.get("shape", common))]


def _not_one_truth_value(pred, *values):
    words = f"The second input must be a scalar, but it has shape {in_message(np.shape(pred))}"
    return words if np.ndim(pred) else None


register(
    "Switch",
    "data pred:bool",
    _infer_switch,
    None,
    not_differentiable,
    explain=_not_one_truth_value,
    passes_on=always,
)


def _merge_gradient(op, dy):
    return [dy] * len(op.inputs)


register("Merge", "inputs:*T", _infer_merge, None, _merge_gradient, fixed={"shape": None})


class Construct:
    """A cond or a while loop: its two blocks, and the tensors that enter them.

    `pred` is None for a loop. `needs` are the ops that must run whenever any op in the blocks runs.
    """

    def __init__(self, graph: Graph, scope: str, outer: Block | None, pred=None):
        self.graph, self.scope, self.outer, self.pred = graph, scope, outer, pred
        self.needs: list[Operation] = [pred.op] if pred is not None else []
        self.entries: dict[Tensor, Operation] = {}
        self.blocks = Block(self, 0), Block(self, 1)

    def enter(self, tensor: Tensor) -> Operation:
        """The op through which `tensor`, from outside, enters both blocks."""
        if tensor not in self.entries:
            self.entries[tensor] = self.entry(tensor)
        return self.entries[tensor]

    def entry(self, tensor: Tensor) -> Operation:
        """A new op through which `tensor` enters."""
        kind, *pred = ("Enter",) if self.pred is None else ("Switch", self.pred)
        control = self.graph.control
        with control.after(None), control.inside(self.outer, enters=self):
            return build(kind, tensor, *pred)

    def merge(self, false: Tensor, true: Tensor, name=None) -> Tensor:
        """The result, outside the cond, of whichever branch runs."""
        with self.graph.control.inside(self.outer, closes=self):
            op = self.graph.create_op("Merge", (false, true), name=name)
        self.graph.shown_as[op.name] = self.scope
        return op.outputs[0]

    # What only a loop does, see extras/control_flow.py.

    def lower(self, body, group, escaping) -> None:
        """Add a node for the loop to the body of a program."""
        raise NotImplementedError

    def back(self, walk, ops: list[Operation]) -> None:
        """Take a walk of tf.gradients from the loop's results to what enters it."""
        raise NotImplementedError


class Block:
    """One of the two blocks of a cond or loop.

    `index` is 0 for a cond's false branch and for a loop's condition, and 1 for a cond's true
    branch and for a loop's body.
    """

    def __init__(self, construct: Construct, index: int):
        self.construct, self.index = construct, index
        condition = construct if construct.pred is None else (construct.pred, index)
        # Ops with the same guard run together or not at all.
        self.guard = (*(construct.outer.guard if construct.outer else ()), condition)

    def own(self, tensor: Tensor, user=None) -> Tensor:
        """`tensor` as seen inside this block. `user` is the name of the op that reads it."""
        home = block_of(tensor)
        if home is not None and home.guard[: len(self.guard)] == self.guard:
            # It is computed in this block, in one inside it, or in a twin that runs with it.
            return tensor
        graph = self.construct.graph
        with graph.name_scope(f"{user or graph.get_name_scope()}/"):
            outputs = self.construct.enter(tensor).outputs
        return outputs[self.index if len(outputs) > 1 else 0]


def block_of(tensor: Tensor) -> Block | None:
    """The block in which a tensor has its value, or None if it is outside all blocks."""
    control = tensor.op.control
    return control.enters.blocks[tensor.value_index] if control.enters else control.block


def dense(gradient, tensor: Tensor) -> Tensor:
    """The gradient of `tensor` as a tensor, zeros if it is None."""
    if gradient is not None:
        return convert_to_tensor(gradient)
    is_list = tensor.dtype.name == "variant"
    return build_tensor("ZerosLike", tensor) if is_list else zeros_like(tensor)


def gradient_scope(construct: Construct) -> str:
    """The name that programs show for the cond or loop with the gradients of this one."""
    before, slash, last = construct.scope.rpartition("/")
    return f"{before}{slash}d_{last}"


class GradientBlocks:
    """Where one call of `tf.gradients` puts its ops: each block gets a twin that runs after it."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.current = block = graph.control.block
        self.twins = {None: block}
        while block is not None:
            self.twins[block] = self.current
            block = block.construct.outer

    def of(self, block: Block | None) -> Block | None:
        """The block for the gradients of ops in `block`: its twin, or the current block."""
        if block not in self.twins:
            old, outer = block.construct, self.of(block.construct.outer)
            pred, scope = old.pred, gradient_scope(old)
            if outer is None or outer.own(pred) is pred:
                new = Construct(self.graph, scope, outer, pred)
            else:  # in a loop, whose gradient gets the values of `pred` from a list
                with self.graph.control.inside(outer):
                    new = _construct(pred, scope)
            self.twins |= zip(old.blocks, new.blocks, strict=True)
        return self.twins[block]

    def inside(self, block: Block | None):
        """A context manager: ops created inside it belong to the twin of `block`."""
        return self.graph.control.inside(self.of(block))

    def of_entry(self, op: Operation, gradients: list[Tensor | None]) -> Tensor:
        """The gradient of the tensor that enters by `op`: from the branch that runs, or zeros.

        Raises ValueError if tf.gradients was called inside a loop and `op` belongs to one of its
        variables.
        """
        if op.control.enters is None:
            if op.control.block is self.current:
                raise ValueError(
                    "Cannot compute gradient inside while loop with respect to op "
                    f"'{op.inputs[0].op.inputs[0].op.inputs[0].op.name}'. We do not support taking "
                    "the gradient wrt or through the initial value of a loop variable. Gradients "
                    "can be computed through loop invariants or wrt the input parameters to the "
                    "loop body."
                )
            return None
        for block, gradient in zip(op.control.enters.blocks, gradients, strict=False):
            # tf.gradients was called inside this branch: the other one doesn't run.
            if self.twins.get(block, "no twin") is self.current:
                return gradient
        found = []
        for tensor, gradient in zip(op.outputs, gradients, strict=True):
            block = self.of(block_of(tensor))
            with self.graph.control.inside(block):
                found.append(block.own(dense(gradient, tensor)))
        return block.construct.merge(*found, name="cond_grad")


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """The results of `true_fn` if `pred` is true when the graph runs, otherwise of `false_fn`.

        magnitude = tf.cond(x < 0, lambda: -x, lambda: x)

    Both functions are called once, here, to build their ops. They return tensors or nested
    structures of tensors, the same structure and dtypes in both. Only ops created inside a function
    depend on the condition: what it uses from outside is computed whichever branch runs. A function
    may also return an op, whose result is then True. A list of one tensor becomes that tensor
    unless `strict`. `fn1` and `fn2` are older names of the functions.

    Raises TypeError if `pred` is a Python bool or doesn't have the dtype bool, or if a function is
    missing or not callable; ValueError if a function returns nothing, or if their results differ in
    structure or dtype.
    """
    given = ("true_fn", true_fn, "fn1", fn1), ("false_fn", false_fn, "fn2", fn2)
    for argument, function, older_name, older in given:
        if function is not None and older is not None:
            raise TypeError(
                f"cond(): '{argument}' and '{older_name}' may not be set simultaneously."
            )
        if function is None and older is None:
            raise TypeError(f"cond(): '{argument}' argument required")
        if not callable(older if function is None else function):
            raise TypeError(f"'{argument}' must be callable.")
    with name_scope(name, "cond", [pred]) as scope:
        if isinstance(pred, bool):
            raise TypeError("'pred' must not be a Python bool.")
        pred = convert_to_tensor(pred, name="pred")
        construct = _construct(pred, scope[:-1])
        true, rebuild = _branch(true_fn or fn1, construct.blocks[1], strict)
        false, rebuild_false = _branch(false_fn or fn2, construct.blocks[0], strict)
        nest.same_structure(rebuild(true), rebuild_false(false))
        for pair in zip(true, false, strict=True):
            one, other = (t.dtype.base_dtype for t in pair)
            if one is not other:
                types = f"{one.name} from 'true_fn' and {other.name} from 'false_fn'"
                raise ValueError(
                    "Outputs of 'true_fn' and 'false_fn' must have the same type(s). "
                    f"Received {types}."
                )
        if not true:
            raise ValueError("'true_fn' and 'false_fn' must return at least one result.")
        return rebuild([construct.merge(*pair) for pair in zip(false, true, strict=True)])


def _construct(pred, scope):
    """A cond on `pred`, with the ops that TensorFlow adds: `pred_id`, `switch_f` and so on."""
    graph = pred.graph
    construct = Construct(graph, scope, graph.control.block, identity(pred, name="pred_id"))
    construct.enter(pred)
    for block, name in zip(construct.blocks, ("switch_f", "switch_t"), strict=True):
        with graph.control.inside(block):
            identity(pred, name=name)
    return construct


def _branch(function, block, strict):
    """The tensors that a branch returns, and a function that rebuilds their structure."""

    def result(value):
        if isinstance(value, Operation):
            with control_dependencies([value]):
                value = identity(block.construct.pred, name="control_dependency")
        return block.own(convert_to_tensor(value))

    with block.construct.graph.control.inside(block):
        results = function()
        if results is None:
            raise ValueError("'true_fn' must have a return value.")
        if not strict and isinstance(results, list | builtins.tuple) and len(results) == 1:
            results = results[0]
        return nest.flatten(results, result)
