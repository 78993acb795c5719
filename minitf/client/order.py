"""The order of a run: which ops it needs, and which come first.

First comes everything that waits for no update, such as the gradients; but what only assigns use is
computed when their turn comes, so that no update is lost. Then come the updates: the optimizers',
then those that compute a variable's new value from its old one (a clip), then others, and finally
those that copy or average another updated variable. Last comes whatever waits for an update.

TensorFlow leaves part of this open, and may choose differently from session to session. This order
never changes, and is the one that TensorFlow chooses most often in the cases that
tests/conformance/updates.py counts. That's also the only reason for the finer distinctions of
`Rank`, and for the one created last to come first among updates of one variable and rank. (Where
edges make an assign wait for another update, but not the value that it stores, an update can still
be lost, as in TensorFlow.) A cond or loop is a single step with its own order inside.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any

from minitf.framework.operation import Operation, Tensor, is_place
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variable_of, variables_of

# The updates that put a new value in the place of the old one; all others change the old one.
REPLACING = ("Assign", "ScatterUpdate", "ScatterNdUpdate", "StridedSliceAssign")


class Rank(IntEnum):
    """The kinds of updates, in the order in which they come."""

    OPTIMIZER = 0  # or another update computed from several updated variables
    FROM_OTHER = 1  # an assign computed from another updated variable
    OWN_CHANGE = 2  # adds something computed from the variable's own value
    OWN_NEW = 3  # assigns something computed from it
    CHANGE = 4  # adds something else
    NEW = 5  # assigns something else
    COPY = 6  # copies another updated variable, or adds something computed from it: an average


class Group:
    """The ops of one cond or loop that a run needs.

    `parts` are the steps of its two blocks, in order, `closing` the ops that pass its results to
    the outside, and `ops` all of them.
    """

    def __init__(self, construct, ops: list[Operation], before: dict[Operation, set[Operation]]):
        self.construct, self.ops = construct, set(ops)
        inside: dict[Any, list[Operation]] = defaultdict(list)
        for op in sorted(ops, key=lambda op: op.number):
            inside[_construct_at(op, construct.outer)[1]].append(op)
        self.closing = inside[None]
        self.parts = [Steps(inside[block], before, block).arranged() for block in construct.blocks]
        self.number = max(op.number for op in ops)


Step = Operation | Group


def execution_order(targets: Iterable[Operation], fed: set[Tensor]) -> list[Step]:
    """Return everything that `targets` need, in execution order; what is fed needs nothing."""
    targets = list(targets)
    before = _needed(targets, fed)
    return Steps(list(before), before, None, targets).arranged()


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


def _construct_at(op: Operation, level) -> tuple[Any, Any]:
    """Return the cond or loop that an op is part of, and which of its blocks the op is in.

    It is the outermost one inside the block `level`. The block is None for an op that closes the
    cond or loop. Both are None for an op that is directly in `level`.
    """
    construct, inside, block = op.closes, None, op.block
    while block is not level:
        construct, inside, block = block.construct, block, block.construct.outer
    return construct, inside


class Steps:
    """The steps of one block, and the order in which they come.

    A step is known by its key: an op, or the cond or loop that its ops belong to. Sets of updated
    variables are integers with a bit for each.

    members: the ops of each step, by key, each after its sources.
    sources, users: the steps that must come before a step, and after it.
    changes: the variables that it updates.
    computed_from: the updated variables whose values go into what it computes.
    """

    def __init__(
        self,
        ops: list[Operation],
        before: dict[Operation, set[Operation]],
        level,
        targets: Iterable[Operation] = (),
    ):
        members: dict[Any, list[Operation]] = defaultdict(list)
        for op in ops:
            members[_construct_at(op, level)[0] or op].append(op)
        self.steps: dict[Any, Step] = {}
        self.sources: dict[Any, set[Any]] = {}
        self._key_of = {op: key for key, inside in members.items() for op in inside}
        self._before, self._targets = before, self._keys(targets)
        for key, inside in members.items():
            is_op = isinstance(key, Operation)
            self.steps[key] = key if is_op else Group(key, inside, before)
            needs = () if is_op else key.needs
            self.sources[key] = self._keys(s for op in inside for s in (*before[op], *needs))
            self.sources[key].discard(key)
        self.users: dict[Any, list[Any]] = defaultdict(list)
        for key, sources in self.sources.items():
            for source in sources:
                self.users[source].append(key)
        self.members = {key: members[key] for key in self._sorted_by_edges()}
        self._find_reads()
        self._order: list[Any] = []
        self._placed: set[Any] = set()

    def _keys(self, ops: Iterable[Operation]) -> set[Any]:
        return {self._key_of[op] for op in ops if op in self._key_of}

    def number(self, key) -> int:
        """Return when a step was created."""
        return self.steps[key].number

    def _sorted_by_edges(self) -> list[Any]:
        """Return all keys, each after its sources; among those that are ready, by number."""
        missing = {key: len(sources) for key, sources in self.sources.items()}
        ready = [(self.number(key), key) for key, count in missing.items() if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            done = heapq.heappop(ready)[-1]
            order.append(done)
            for key in self.users[done]:
                missing[key] -= 1
                if not missing[key]:
                    heapq.heappush(ready, (self.number(key), key))
        return order

    # What a step reads.

    def _find_reads(self) -> None:
        bits: dict[Operation, int] = {}
        self.changes = dict.fromkeys(self.members, 0)
        for key, inside in self.members.items():
            for variable in (v for op in inside if OPS[op.type].updates for v in variables_of(op)):
                self.changes[key] |= bits.setdefault(variable, 1 << len(bits))
        self._reads = {  # what its own ops read, not those that it gets values from
            key: sum({bits.get(v, 0) for op in inside for v in _read_by(op)})
            for key, inside in self.members.items()
        }
        self._given_by = {key: self._givers(key) for key in self.members}
        self.computed_from: dict[Any, int] = {}
        for key in self.members:
            self.computed_from[key] = self._reads[key]
            for source in self._given_by[key]:
                self.computed_from[key] |= self.computed_from[source]
        # The assigns that compute a variable's new value from its old one, and, for each step, the
        # variables that they replace by something computed from it.
        self._rewriting = {
            key: None
            for key, inside in self.members.items()
            if self.computed_from[key] & self.changes[key]
            and any(op.type in REPLACING for op in inside)
        }
        self._rewriters: dict[int, list[Any]] = defaultdict(list)  # by variable
        for key in self._rewriting:
            for bit in _bits(self.changes[key]):
                self._rewriters[bit].append(key)
        self._will_replace = dict.fromkeys(self.members, 0)
        for key in reversed(self.members):
            goes = self.changes[key] if key in self._rewriting else self._will_replace[key]
            for source in self._given_by[key]:
                self._will_replace[source] |= goes

    def _givers(self, key) -> frozenset[Any]:
        """Return the steps that compute what a step uses. (An update's output is a variable.)"""
        given = (t.op for op in self.members[key] for t in op.inputs if t.op in self._before[op])
        return frozenset(s for s in self._keys(given) if s is not key and not self.changes[s])

    # Who comes when.

    def arranged(self) -> list[Step]:
        """Return the steps in order."""
        late = self._late()
        for key in self._early(late):
            self._put(key)
        for key in self._updates():
            self._put(key)
        for key in self.members:
            self._put(key)
        return [self.steps[key] for key in self._order]

    def _late(self) -> set[Any]:
        """Return the updates, and what waits for one."""
        late: set[Any] = set()
        for key in self.members:
            if self.changes[key] or not late.isdisjoint(self.sources[key]):
                late.add(key)
        return late

    def _updates(self) -> list[Any]:
        """Return the updates by rank, and within a rank in the order they were created.

        Of those of one rank that change the same variable, the one created last comes first.
        """
        updates = sorted((key for key in self.members if self.changes[key]), key=self.number)
        first: dict[tuple[int, int], int] = {}
        for key in updates:
            first.setdefault((self._rank(key), self.changes[key]), self.number(key))

        def turn(key) -> tuple[int, int, int]:
            rank = self._rank(key)
            return rank, first[rank, self.changes[key]], -self.number(key)

        return sorted(updates, key=turn)

    def _rank(self, key) -> Rank:
        """Return the kind of update that a step is."""
        own, others = self.changes[key], self.computed_from[key] & ~self.changes[key]
        if others.bit_count() > 1 or any("Apply" in op.type for op in self.members[key]):
            return Rank.OPTIMIZER
        replaces = any(op.type in REPLACING for op in self.members[key])
        if others:
            is_computed = replaces and not self._reads[key]
            return Rank.FROM_OTHER if is_computed else Rank.COPY
        if self.computed_from[key] & own:
            return Rank.OWN_NEW if replaces else Rank.OWN_CHANGE
        return Rank.NEW if replaces else Rank.CHANGE

    def _early(self, late: set[Any]) -> list[Any]:
        """Return what comes before the updates: all that isn't late and not for assigns alone."""
        early: set[Any] = set()

        def asks_early(user) -> bool:
            if self.changes[user]:
                return self._rank(user) is Rank.OPTIMIZER
            return user in early or user in late

        for key in reversed(self.members):
            users = self.users[key]
            fetched = key in self._targets and not self.computed_from[key] & self._will_replace[key]
            asked = fetched or not users or any(map(asks_early, users))
            if asked and key not in late:
                early.add(key)
        return [key for key in self.members if key in early]

    def _put(self, key) -> None:
        """Put a step at the end of the order, and before it whatever has to come before it."""
        stack, hurried = [key], {key}
        while stack:
            key = stack[-1]
            if key not in self._placed:
                waiting = [s for s in self.sources[key] if s not in self._placed]
                waiting.sort(key=self.number, reverse=True)
                if not waiting:
                    waiting = [a for a in self._would_undo(key) if a not in hurried][::-1]
                    hurried.update(waiting)
                if waiting:
                    stack += waiting
                    continue
                self._placed.add(key)
                self._order.append(key)
            stack.pop()

    def _would_undo(self, key) -> list[Any]:
        """Return the assigns that would lose an update if this step came now.

        They have read a variable, and would replace its value after the step has updated it, or
        has read it for another such assign. They come first, unless they wait for the step.
        """
        variables = self.changes[key] | self._reads[key] & self._will_replace[key]
        found = [
            assign
            for assign in dict.fromkeys(a for bit in _bits(variables) for a in self._rewriters[bit])
            if assign is not key
            and assign not in self._placed
            and self._has_read(assign, self.changes[assign] & variables)
        ]
        waiting = self._all_users(key) if found else set()
        return [assign for assign in found if assign not in waiting]

    def _has_read(self, assign, variables: int) -> bool:
        """Return whether steps that gave an assign its value have already read these variables."""
        seen: set[Any] = set()
        waiting = [assign]
        while waiting:
            for key in self._given_by[waiting.pop()] - seen:
                if self._reads[key] & variables and key in self._placed:
                    return True
                seen.add(key)
                if self.computed_from[key] & variables:
                    waiting.append(key)
        return False

    def _all_users(self, key) -> set[Any]:
        """Return everything that has to come after a step."""
        found: set[Any] = set()
        waiting = [key]
        while waiting:
            new = set(self.users[waiting.pop()]) - found
            found |= new
            waiting += new
        return found


def _bits(variables: int) -> Iterator[int]:
    """Yield each of the variables in a set."""
    while variables:
        lowest = variables & -variables
        yield lowest
        variables ^= lowest


def _read_by(op: Operation) -> list[Operation]:
    """Return the variables that an op reads itself, when its turn comes."""
    if op.passes_on or op.type == "VariableV2":
        return []
    inputs = op.inputs[len(variables_of(op)) :] if OPS[op.type].updates else op.inputs
    return [variable_of(tensor) for tensor in inputs if is_place(tensor)]
