"""A block is a part of a cond or of a while loop: its ops run only if, or as often as, something says so.

A tensor from outside comes in through an entry op: a Switch, of which each branch of a cond has an output, or a
loop's Enter. What leaves goes through a Merge or an Exit. So the gradient of a Merge is what its branches are
given, the gradient of a Switch is a Merge, and gradients through a cond are made by the rules of all other ops.

Mirrors CondContext and WhileContext of tensorflow/python/ops/control_flow_ops.py and while_loop.py.
"""

from __future__ import annotations

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import build
from minitf.framework.operation import Operation, Tensor, with_place
from minitf.framework.registry import register
from minitf.framework.tensor_shape import in_message
from minitf.ops import array_ops, shape_ops


def _infer_switch(op: Operation) -> list:
    shape_ops.check_rank(op.inputs[1], 0)
    return [(op.inputs[0].dtype, op.inputs[0].shape)] * 2


def _infer_merge(op: Operation) -> list:
    """What the inputs have in common; a loop variable has the shape that its loop is promised."""
    one, other = op.inputs[0], op.inputs[-1]
    return [
        (
            one.dtype.base_dtype,
            op.attrs.get("shape", one.shape.most_specific_compatible_shape(other.shape)),
        )
    ]


def _not_one_truth_value(pred, *values) -> str | None:
    words = f"The second input must be a scalar, but it has shape {in_message(np.shape(pred))}"
    return words if np.ndim(pred) else None


def _infer_condition(op: Operation) -> list:
    shape_ops.check_rank(op.inputs[0], 0)
    return [(dtypes.bool, op.inputs[0].shape)]


def _no_gradient(op: Operation, *gradients) -> list:
    raise with_place(
        LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})"), op
    )


# No kernels: the compiler makes functions of blocks, and these ops are how values get in and out.
register(
    "Switch", "data pred:bool", _infer_switch, None, _no_gradient, explain=_not_one_truth_value
)
register("Merge", "inputs:*T", _infer_merge, None, lambda op, dy: [dy] * len(op.inputs))
register("Enter", "data", lambda op: [(op.inputs[0].dtype, op.inputs[0].shape)], None, _no_gradient)
register("NextIteration", "data", array_ops.same_as_first, None, _no_gradient)
register("LoopCond", "input:bool", _infer_condition, None, _no_gradient)
register("Exit", "data", array_ops.same_as_first, None, _no_gradient)


class Construct:
    """A cond or a while loop: its two blocks, and what enters them.

    `needs` are the ops without which none of its ops can run. `pred` is None for a loop.
    """

    def __init__(self, graph: Graph, scope: str, outer: Block | None, pred: Tensor | None = None):
        self.graph, self.scope, self.outer, self.pred = graph, scope, outer, pred
        self.needs: list[Operation] = [pred.op] if pred is not None else []
        self.entries: dict[Tensor, Operation] = {}
        self.blocks = Block(self, 0), Block(self, 1)

    def enter(self, tensor: Tensor) -> Operation:
        """The entry op of a tensor from outside."""
        if tensor not in self.entries:
            kind, *pred = ("Enter",) if self.pred is None else ("Switch", self.pred)
            with self.graph.control.after(None), self.graph.control.inside(self.outer):
                self.entries[tensor] = build(
                    kind, tensor, *pred, blocks=self.blocks, passes_on=True
                )
        return self.entries[tensor]

    def merge(self, false: Tensor, true: Tensor, name: str | None = None) -> Tensor:
        """What one of its branches gives, outside."""
        with self.graph.control.inside(self.outer):
            merged = self.graph.create_op("Merge", (false, true), {"closes": self}, name).outputs[0]
        self.graph.shown_as[merged.op.name] = self.scope
        return merged


class Block:
    """One of the two blocks of a construct: a cond's false and true branch, a loop's condition and body."""

    def __init__(self, construct: Construct, index: int):
        self.construct, self.index = construct, index
        condition = construct if construct.pred is None else (construct.pred, index)
        # Ops with the same guard run together or not at all.
        self.guard: tuple = (*(construct.outer.guard if construct.outer else ()), condition)

    def own(self, tensor: Tensor, user: str | None = None) -> Tensor:
        """The tensor as the ops of this block see it; `user` is the name of the op that reads it."""
        home = block_of(tensor)
        if home is not None and home.guard[: len(self.guard)] == self.guard:
            return tensor
        graph = self.construct.graph
        with graph.name_scope(f"{user or graph.get_name_scope()}/"):
            outputs = self.construct.enter(tensor).outputs
        return outputs[self.index if len(outputs) > 1 else 0]


def block_of(tensor: Tensor) -> Block | None:
    """The block that a tensor has a value in; None outside of all."""
    blocks = tensor.op.blocks
    return tensor.op.block if blocks is None else blocks[tensor.value_index]


class GradientBlocks:
    """Where one call of `tf.gradients` makes its ops: for each block one with the same condition, run later."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.current = block = graph.control.block
        self._twins: dict[Block | None, Block | None] = {None: block}
        while block is not None:
            self._twins[block] = self.current
            block = block.construct.outer

    def of(self, block: Block | None) -> Block | None:
        """The block for gradients of what is in `block`; where `tf.gradients` is called inside of it, that place."""
        if block not in self._twins:
            old = block.construct
            words = old.scope.rpartition("/")
            new = Construct(
                self.graph, f"{words[0]}{words[1]}d_{words[2]}", self.of(old.outer), old.pred
            )
            self._twins |= zip(old.blocks, new.blocks, strict=True)
        return self._twins[block]

    def inside(self, block: Block | None):
        """Ops made inside this `with` are in the block for gradients of what is in `block`."""
        return self.graph.control.inside(self.of(block))

    def of_entry(self, op: Operation, gradients: list[Tensor | None]) -> Tensor:
        """The gradient of what enters blocks by `op`: that of the branch which runs, zeros if it has none."""
        for block, gradient in zip(op.blocks, gradients, strict=False):
            if self._twins.get(block, self) is self.current:
                return gradient
        found = []
        for tensor, gradient in zip(op.outputs, gradients, strict=True):
            block = self.of(block_of(tensor))
            with self.graph.control.inside(block):
                gradient = (
                    array_ops.zeros_like(tensor)
                    if gradient is None
                    else convert_to_tensor(gradient)
                )
                found.append(block.own(gradient))
        return block.construct.merge(*found, name="cond_grad")
