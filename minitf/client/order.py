"""The order of a run: which ops it needs, and which come first.

First comes everything that doesn't wait for the update of a variable. Then come the updates, in the
order they were created and each as soon as its inputs are ready, followed by whatever waits for
them. TensorFlow leaves part of this open; here the order is always the same. A cond or loop is a
single step with its own order inside.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS


class Group:
    """The ops of one cond or loop that a run needs.

    `parts` are the steps of its two blocks, in order, `closing` the ops that pass its results to
    the outside, and `ops` all of them.
    """

    def __init__(self, construct, ops: list[Operation], before: dict[Operation, set[Operation]]):
        self.construct, self.ops = construct, set(ops)
        inside: dict[Any, list[Operation]] = defaultdict(list)
        for op in sorted(ops, key=lambda op: op.number):
            inside[_place(op, construct.outer)[1]].append(op)
        self.closing = inside[None]
        self.parts = [_arranged(inside[block], before, block) for block in construct.blocks]
        self.number = max(op.number for op in ops)


Step = Operation | Group


def execution_order(targets: Iterable[Operation], fed: set[Tensor]) -> list[Step]:
    """Return everything that `targets` need, in execution order; what is fed needs nothing."""
    before = _needed(targets, fed)
    return _arranged(list(before), before, None)


def all_ops(steps: Iterable[Step]) -> list[Operation]:
    """Return the operations of all steps, including those inside conds and loops."""
    found = []
    for step in steps:
        if isinstance(step, Group):
            found += [*all_ops(step.parts[0]), *all_ops(step.parts[1]), *step.closing]
        else:
            found.append(step)
    return found


def _needed(targets: Iterable[Operation], fed: set[Tensor]) -> dict[Operation, set[Operation]]:
    """Return each needed op with the ops that must run before it."""
    before: dict[Operation, set[Operation]] = {}
    waiting = list(targets)
    while waiting:
        op = waiting.pop()
        if op in before or (op.type == "Placeholder" and op.outputs[0] in fed):
            continue
        sources = {t.op for t in op.inputs if t not in fed}
        sources.update(op.control_inputs)
        before[op] = sources
        waiting.extend(sources)
        if op.block is not None:
            waiting.extend(op.block.construct.needs)
    return before


def _place(op: Operation, level) -> tuple[Any, Any]:
    """Return the cond or loop that an op is part of, and which of its blocks the op is in.

    It is the outermost one inside the block `level`. The block is None for an op that closes the
    cond or loop. Both are None for an op that is directly in `level`.
    """
    construct, inside, block = op.closes, None, op.block
    while block is not level:
        construct, inside, block = block.construct, block, block.construct.outer
    return construct, inside


def _arranged(ops: list[Operation], before: dict[Operation, set[Operation]], level) -> list[Step]:
    """Return the steps of one block in order.

    Of the steps that are ready, those that wait for no update come first, then updates, then the
    rest; among equals, the one created first.
    """
    members: dict[Any, list[Operation]] = defaultdict(list)
    for op in ops:
        members[_place(op, level)[0] or op].append(op)
    key_of = {op: key for key, inside in members.items() for op in inside}
    steps: dict[Any, Step] = {}
    missing, after = {}, defaultdict(list)
    for key, inside in members.items():
        is_op = isinstance(key, Operation)
        steps[key] = key if is_op else Group(key, inside, before)
        needs = () if is_op else key.needs
        sources = {key_of[s] for op in inside for s in (*before[op], *needs) if s in key_of} - {key}
        missing[key] = len(sources)
        for source in sources:
            after[source].append(key)
    late: set[Any] = set()  # steps that update a variable, or wait for one that does
    ready: list[tuple] = []

    def make_ready(key) -> None:
        updates = any(OPS[op.type].updates for op in members[key])
        turn = 1 if updates else 2 if key in late else 0  # the lowest comes first
        if updates:
            late.add(key)
        heapq.heappush(ready, (turn, steps[key].number, key))

    for key, count in missing.items():
        if not count:
            make_ready(key)
    order = []
    while ready:
        done = heapq.heappop(ready)[-1]
        order.append(steps[done])
        for key in after[done]:
            missing[key] -= 1
            if done in late:
                late.add(key)
            if not missing[key]:
                make_ready(key)
    return order
