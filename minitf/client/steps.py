"""The steps of a run, before they have an order: what each must wait for, reads, and changes.

A step is an op, or a cond or loop as a whole, and each of its blocks again consists of steps.

Here, a run replaces `w` by its square, and then negates what `w` holds:

    >>> w = tf.Variable(3.0, name="w")
    >>> store = tf.assign(w, tf.square(w, name="square"), name="store")
    >>> with tf.control_dependencies([store]):
    ...     minus = tf.negative(w, name="minus")

It needs five ops. (`w` is the op of the variable itself, and `w/read` hands the variable on.) These
are the ops that must come before each of them:

    >>> before = needed([minus.op], fed=set())
    >>> for op in sorted(before, key=lambda op: op.number):
    ...     print(f"{op.name:6} <-", *sorted(source.name for source in before[op]))
    w      <-
    w/read <- w
    square <- w/read
    store  <- square w
    minus  <- store w/read

The steps add what happens to variables. There is only one, so the set that has it is the number 1,
and 0 is the empty set. `store` changes it. `square` and `minus` read it when they run. `store`
doesn't read it, but what it stores was computed from it, so another update that came between
`square` and `store` would be lost:

    >>> steps = Steps(list(before), before, level=None)
    >>> for op in steps.members:
    ...     print(f"{op.name:6}", steps.changes[op], steps.reads[op], steps.computed_from[op])
    w      0 0 0
    w/read 0 0 0
    square 0 1 1
    store  1 0 1
    minus  0 1 1

`minus` must come after `store`, but `store` gives it nothing to compute with:

    >>> sorted(source.name for source in steps.sources[minus.op])
    ['store', 'w/read']
    >>> sorted(source.name for source in steps.givers[minus.op])
    ['w/read']
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from minitf.client.dependencies import changes, reads, sources
from minitf.framework.operation import Operation, Tensor


def needed(targets: Iterable[Operation], fed: set[Tensor]) -> dict[Operation, set[Operation]]:
    """Return everything that `targets` need, each op with those that must run before it."""
    before: dict[Operation, set[Operation]] = {}
    waiting = list(targets)
    while waiting:
        op = waiting.pop()
        if op in before or (op.type == "Placeholder" and op.outputs[0] in fed):
            continue
        before[op] = set(sources(op, fed))
        waiting.extend(before[op])
        if op.control.block is not None:
            waiting.extend(op.control.block.construct.needs)
    return before


def construct_at(op: Operation, level) -> tuple[Any, Any]:
    """Return the cond or loop that an op is part of, and which of its blocks the op is in.

    It is the outermost one inside the block `level`. The block is None for an op that closes the
    cond or loop. Both are None for an op that is directly in `level`.
    """
    block, _, construct = op.control
    inside = None
    while block is not level:
        construct, inside, block = block.construct, block, block.construct.outer
    return construct, inside


def bits(variables: int) -> Iterator[int]:
    """Yield each variable of a set (see `Steps`)."""
    while variables:
        lowest = variables & -variables
        yield lowest
        variables ^= lowest


class Steps:
    """The steps of one block.

    Each is known by its key: the op, or the cond or loop. A set of the variables that the block
    updates is an integer with a bit for each, because a step may have hundreds of them.

    members: the ops of each step. The keys are in an order that respects all edges.
    numbers: when each step was created.
    sources, users: the steps that must come before each step, and after it.
    givers: those of the sources that compute what the step uses. (An update isn't one: its output
        is the variable, which the step reads itself.)
    changes: the variables that a step updates.
    reads: the updated variables that a step's own ops read when they run.
    computed_from: the updated variables that a step or its givers read, or their givers.
    """

    def __init__(self, ops: list[Operation], before: dict[Operation, set[Operation]], level):
        members: dict[Any, list[Operation]] = defaultdict(list)
        for op in ops:
            members[construct_at(op, level)[0] or op].append(op)
        self._key_of = {op: key for key, inside in members.items() for op in inside}
        self.numbers = {key: max(op.number for op in inside) for key, inside in members.items()}
        self.sources: dict[Any, set[Any]] = {}
        self.users: dict[Any, list[Any]] = defaultdict(list)
        for key, inside in members.items():
            needs = () if isinstance(key, Operation) else key.needs
            sources = self.keys(s for op in inside for s in (*before[op], *needs)) - {key}
            self.sources[key] = sources
            for source in sources:
                self.users[source].append(key)
        self.members = {key: members[key] for key in self._sorted_by_edges()}
        self.changes, self.reads = self._changes_and_reads()
        self.givers: dict[Any, set[Any]] = {}
        self.computed_from: dict[Any, int] = {}
        for key, inside in self.members.items():
            given = self.keys(t.op for op in inside for t in op.inputs if t.op in before[op])
            self.givers[key] = {s for s in given if s is not key and not self.changes[s]}
            self.computed_from[key] = self.reads[key]
            for giver in self.givers[key]:
                self.computed_from[key] |= self.computed_from[giver]

    def keys(self, ops: Iterable[Operation]) -> set[Any]:
        """Return the keys of the steps that these ops belong to, of those in this block."""
        return {self._key_of[op] for op in ops if op in self._key_of}

    def all_users(self, key) -> set[Any]:
        """Return everything that has to come after a step."""
        found: set[Any] = set()
        waiting = [key]
        while waiting:
            new = set(self.users[waiting.pop()]) - found
            found |= new
            waiting += new
        return found

    def _sorted_by_edges(self) -> list[Any]:
        """Return all keys, each after its sources; among those that are ready, by number."""
        missing = {key: len(sources) for key, sources in self.sources.items()}
        ready = [(self.numbers[key], key) for key, count in missing.items() if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            done = heapq.heappop(ready)[-1]
            order.append(done)
            for key in self.users[done]:
                missing[key] -= 1
                if not missing[key]:
                    heapq.heappush(ready, (self.numbers[key], key))
        return order

    def _changes_and_reads(self) -> tuple[dict[Any, int], dict[Any, int]]:
        """Return which variables each step updates, and which of these it reads."""
        bit_of: dict[Operation, int] = {}
        changed, read = dict.fromkeys(self.members, 0), dict.fromkeys(self.members, 0)
        for key, inside in self.members.items():
            for variable in (v for op in inside for v in changes(op)):
                changed[key] |= bit_of.setdefault(variable, 1 << len(bit_of))
        for key, inside in self.members.items():
            for variable in (v for op in inside for v in reads(op)):
                read[key] |= bit_of.get(variable, 0)
        return changed, read
