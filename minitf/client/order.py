"""The order of a run: what is needed, and what comes first.

First comes everything that waits for no update of a variable, then the updates in the order they were
made, each as soon as what it needs is there, then what waits for them. TensorFlow leaves part of this
open; here it is the same every time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS


def execution_order(targets: Iterable[Operation], fed: set[Tensor]) -> list[Operation]:
    """All ops that `targets` need, in the order they run; what is fed needs nothing."""
    before = _needed(targets, fed)
    made = sorted(before, key=lambda op: op.number)
    waits: set[Operation] = set()
    for op in made:  # made in an order in which inputs come first
        if any(OPS[b.type].updates or b in waits for b in before[op] if b in before):
            waits.add(op)
    first = [op for op in made if op not in waits and not OPS[op.type].updates]
    if len(first) == len(made):
        return first
    return first + _updates_first([op for op in made if op in waits or OPS[op.type].updates], before)


def _needed(targets: Iterable[Operation], fed: set[Tensor]) -> dict[Operation, set[Operation]]:
    """Each needed op with the ops that must run before it."""
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
    return before


def _updates_first(rest: list[Operation], before: dict[Operation, set[Operation]]) -> list[Operation]:
    """`rest` so that whenever an update can run, it does, the one made first leading."""
    among = set(rest)
    missing = {op: len(before[op] & among) for op in rest}
    after: dict[Operation, list[Operation]] = {op: [] for op in rest}
    for op in rest:
        for source in before[op] & among:
            after[source].append(op)
    ready = [_turn(op) for op in rest if not missing[op]]
    heapq.heapify(ready)
    order = []
    while ready:
        op = heapq.heappop(ready)[-1]
        order.append(op)
        for follower in after[op]:
            missing[follower] -= 1
            if not missing[follower]:
                heapq.heappush(ready, _turn(follower))
    return order


def _turn(op: Operation) -> tuple[bool, int, Operation]:
    return not OPS[op.type].updates, op.number, op
