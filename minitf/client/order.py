"""The order in which the ops of a run come.

First comes everything that waits for no update, such as the gradients; but what only assigns use is
computed when their turn comes, so that no update is lost. Then come the updates: the optimizers',
then those that compute a variable's new value from its old one (a clip), then others, and finally
those that copy or average another updated variable. Last comes whatever waits for an update.

TensorFlow leaves part of this open, and may choose differently from session to session. This order
never changes, and is the one that TensorFlow chooses most often in the cases that
tools/updates.py counts. That's also the only reason for the finer distinctions of
`Rank`, and for the one created last to come first among updates of one variable and rank. (Where
edges make an assign wait for another update, but not the value that it stores, an update can still
be lost, as in TensorFlow.)
"""

from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from minitf.client.steps import Steps, bits, construct_at, needed
from minitf.framework.operation import Operation, Tensor

# The updates that put a new value in the place of the old one; all others change the old one.
REPLACING = ("Assign", "ScatterUpdate", "ScatterNdUpdate", "StridedSliceAssign")


class Rank(IntEnum):
    """The kinds of updates, in the order in which they come."""

    OPTIMIZER = 0  # or another update computed from several updated variables
    FROM_OTHER = 1  # assigns something computed from another updated variable
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
            inside[construct_at(op, construct.outer)[1]].append(op)
        self.closing = inside[None]
        self.parts = [_arranged(inside[block], before, block) for block in construct.blocks]


Step = Operation | Group


def execution_order(targets: Iterable[Operation], fed: set[Tensor]) -> list[Step]:
    """Return everything that `targets` need, in execution order; what is fed needs nothing."""
    targets = list(targets)
    before = needed(targets, fed)
    return _arranged(list(before), before, None, targets)


def all_ops(steps: Iterable[Step]) -> list[Operation]:
    """Return the operations of all steps, including those inside conds and loops."""
    found = []
    for step in steps:
        if isinstance(step, Group):
            found += [*all_ops(step.parts[0]), *all_ops(step.parts[1]), *step.closing]
        else:
            found.append(step)
    return found


def _arranged(
    ops: list[Operation],
    before: dict[Operation, set[Operation]],
    level,
    targets: Iterable[Operation] = (),
) -> list[Step]:
    """Return the steps of one block in order."""
    steps = Steps(ops, before, level)
    return [
        key if isinstance(key, Operation) else Group(key, steps.members[key], before)
        for key in _Turns(steps, steps.keys(targets)).order()
    ]


class _Turns:
    """Puts the steps of one block in order.

    An assign *rewrites* a variable if it replaces the value by something computed from it. An
    update between this read and the assign would be lost.

    _rewriting: the assigns that rewrite a variable, by variable.
    _will_replace: for each step, the variables rewritten by something computed from its value.
    """

    def __init__(self, steps: Steps, fetched: set[Any]):
        self._steps, self._fetched = steps, fetched
        updates = [key for key in steps.members if steps.changes[key]]
        self._ranks = {key: _rank(steps, key) for key in updates}
        self._rewriting: dict[int, list[Any]] = defaultdict(list)
        self._will_replace = dict.fromkeys(steps.members, 0)
        for key in reversed(steps.members):
            replaced = self._will_replace[key]
            if steps.computed_from[key] & steps.changes[key] and _replaces(steps, key):
                replaced = steps.changes[key]
                for variable in bits(replaced):
                    self._rewriting[variable].append(key)
            for giver in steps.givers[key]:
                self._will_replace[giver] |= replaced
        self._order: list[Any] = []
        self._placed: set[Any] = set()

    def order(self) -> list[Any]:
        """Return the keys of the steps in order."""
        for key in [*self._at_start(), *self._updates(), *self._steps.members]:
            self._put(key)
        return self._order

    def _at_start(self) -> list[Any]:
        """Return what comes before the updates: whatever waits for none, and isn't for assigns."""
        steps = self._steps
        late: set[Any] = set()  # the updates, and what waits for one
        early: set[Any] = set()
        for key in steps.members:
            if key in self._ranks or not late.isdisjoint(steps.sources[key]):
                late.add(key)

        def asks_early(user) -> bool:
            if user in self._ranks:
                return self._ranks[user] is Rank.OPTIMIZER
            return user in early or user in late

        for key in reversed(steps.members):
            fetched = key in self._fetched
            if fetched and steps.computed_from[key] & self._will_replace[key]:
                fetched = False  # it belongs to the assign
            users = steps.users[key]
            if key not in late and (fetched or not users or any(map(asks_early, users))):
                early.add(key)
        return [key for key in steps.members if key in early]

    def _updates(self) -> list[Any]:
        """Return the updates by rank, and within a rank in the order they were created.

        Of those of one rank that change the same variables, the one created last comes first.
        """
        numbers = self._steps.numbers
        first: dict[Any, int] = {}  # of those that are alike, when the first was created

        def alike(key) -> tuple[Rank, int]:
            return self._ranks[key], self._steps.changes[key]

        for key in sorted(self._ranks, key=numbers.get):
            first.setdefault(alike(key), numbers[key])
        return sorted(self._ranks, key=lambda k: (self._ranks[k], first[alike(k)], -numbers[k]))

    def _put(self, key) -> None:
        """Put a step at the end of the order, and before it whatever has to come before it."""
        # Two assigns that would both lose the other's update don't wait for each other.
        stack, hurried = [key], {key}
        while stack:
            key = stack[-1]
            if key not in self._placed:
                waiting = self._steps.sources[key] - self._placed
                if not waiting:
                    waiting = self._would_lose_it(key) - hurried
                    hurried |= waiting
                if waiting:
                    stack += sorted(waiting, key=self._steps.numbers.get, reverse=True)
                    continue
                self._placed.add(key)
                self._order.append(key)
            stack.pop()

    def _would_lose_it(self, key) -> set[Any]:
        """Return the assigns that would lose an update if they came after this step.

        They have read a variable that the step updates, or reads for another rewriting assign.
        They come first, unless they have to wait for the step.
        """
        steps = self._steps
        variables = steps.changes[key] | steps.reads[key] & self._will_replace[key]
        found = {
            assign
            for variable in bits(variables)
            for assign in self._rewriting[variable]
            if assign not in self._placed and self._has_read(assign, variable)
        }
        return found - steps.all_users(key) - {key} if found else found

    def _has_read(self, assign, variable: int) -> bool:
        """Return whether a step that gives an assign its value has already read this variable."""
        steps, waiting = self._steps, [assign]
        seen: set[Any] = set()
        while waiting:
            for key in steps.givers[waiting.pop()] - seen:
                if steps.reads[key] & variable and key in self._placed:
                    return True
                seen.add(key)
                if steps.computed_from[key] & variable:
                    waiting.append(key)
        return False


def _replaces(steps: Steps, key) -> bool:
    return any(op.type in REPLACING for op in steps.members[key])


def _rank(steps: Steps, key) -> Rank:
    """Return the kind of update that a step is."""
    own, others = steps.changes[key], steps.computed_from[key] & ~steps.changes[key]
    if others.bit_count() > 1 or any("Apply" in op.type for op in steps.members[key]):
        return Rank.OPTIMIZER
    replaces = _replaces(steps, key)
    if others:
        is_computed = replaces and not steps.reads[key]
        return Rank.FROM_OTHER if is_computed else Rank.COPY
    if steps.computed_from[key] & own:
        return Rank.OWN_NEW if replaces else Rank.OWN_CHANGE
    return Rank.NEW if replaces else Rank.CHANGE
