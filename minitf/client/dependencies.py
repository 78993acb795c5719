"""What an op reads, what it changes, and what it waits for; and which reads and updates race.

An edge is an input or a control input. Two ops are ordered if a path of edges leads from one to the
other. If a run updates and reads a variable, and no path orders the two, they race: in TensorFlow,
either may come first. (minitf always chooses the same order: client/order.py.)

The compiler, the report on a script and the checks of the lessons all ask here.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from minitf.framework.operation import Operation, Tensor, is_place
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variable_of, variables_of

# These hand on a variable without reading it, at least in TensorFlow.
_HAND_ON = ("Identity", "Reshape", "StopGradient")

# What an op reads and changes.


def changes(op: Operation) -> list[Operation]:
    """Return the variables that an op changes."""
    return variables_of(op) if OPS[op.type].updates else []


def reads(op: Operation) -> list[Operation]:
    """Return the variables that an op reads itself, when its turn comes in minitf."""
    if op.passes_on or op.type == "VariableV2":
        return []
    return [variable_of(tensor) for tensor in _values(op) if is_place(tensor)]


def may_read(op: Operation) -> list[Operation]:
    """Return the variables that an op reads in TensorFlow, where a Reshape doesn't read either."""
    if _hands_on(op) or op.type == "VariableV2":
        return []
    return [variable for variable in map(held_by, _values(op)) if variable is not None]


def held_by(tensor: Tensor) -> Operation | None:
    """Return the variable that a tensor still refers to, or None if its value has been read."""
    while _hands_on(tensor.op):
        tensor = tensor.op.inputs[0]
    return variable_of(tensor) if is_place(tensor) else None


def _values(op: Operation) -> tuple[Tensor, ...]:
    """Return an op's inputs without the variables that it changes."""
    return op.inputs[len(changes(op)) :]


def _hands_on(op: Operation) -> bool:
    """Return whether an op hands on a variable, which is read where the result is used."""
    return op.passes_on or op.type in _HAND_ON


def initializes(op: Operation) -> bool:
    """Return whether an op gives a variable its first value."""
    return op.type == "Assign" and op.name == f"{variable_of(op.inputs[0]).name}/Assign"


def restores(op: Operation) -> bool:
    """Return whether an op gives a variable a value from a checkpoint."""
    return op.type == "Assign" and op.inputs[1].op.type == "RestoreV2"


def trains(op: Operation) -> bool:
    """Return whether an op changes a variable that already has its value."""
    return OPS[op.type].updates and not initializes(op) and not restores(op)


# What comes before an op.


def sources(op: Operation, fed: Collection[Tensor] = ()) -> list[Operation]:
    """Return the ops from which an edge leads to an op; what is fed needs none."""
    return [*(tensor.op for tensor in op.inputs if tensor not in fed), *op.control_inputs]


def computed_from(value) -> list[Operation]:
    """Return the operations that a tensor, variable or op is computed from; none for a number.

    Its own op is the first. The result of an update is its variable, so nothing that the update
    stored is among them.
    """
    op = value if isinstance(value, Operation) else getattr(value, "op", None)
    return [] if op is None else _reached(op, _givers)


def all_before(op: Operation) -> list[Operation]:
    """Return `op`, and every operation from which a path leads to it."""
    return _reached(op, _earlier)


def waits_for(op: Operation, other: Operation) -> bool:
    """Return whether a path leads from `other` to `op`, so that `op` comes later."""
    return op is not other and other in all_before(op)


def _givers(op: Operation) -> list[Operation]:
    return [] if OPS[op.type].updates else [tensor.op for tensor in op.inputs]


def _earlier(op: Operation) -> list[Operation]:
    """Return the sources of an op; the results of a loop also wait for its last iteration."""
    results = getattr(op.control.closes, "results", ())
    return [*sources(op), *(tensor.op.inputs[1].op for tensor in results)]


def _reached(op: Operation, above: Callable) -> list[Operation]:
    """Return an op, then everything above it, everything above that, and so on."""
    found: dict[Operation, None] = {}
    waiting = [op]
    for op in waiting:
        if op not in found:
            found[op] = None
            waiting += above(op)
    return list(found)


# Races.


class Read(NamedTuple):
    """A read of a variable, by an op on which a fetch depends, or by the fetch itself (`last`)."""

    op: Operation
    variable: Operation
    last: bool


class Race(NamedTuple):
    """A variable that a run updates and reads in no order, for a fetch at this place."""

    variable: Operation
    fetch: Tensor
    place: int


def reads_for(fetch: Tensor | Operation) -> list[Read]:
    """Return the reads that the value of a fetch depends on; none for an op, which has no value."""
    if isinstance(fetch, Operation):
        return []
    variable = held_by(fetch)
    if variable is not None:
        return [Read(fetch.op, variable, True)]
    return [Read(op, held, False) for op in computed_from(fetch) for held in may_read(op)]


def ordered(
    read: Read, update: Operation, waits: Callable[[Operation, Operation], bool] = waits_for
) -> bool:
    """Return whether a path orders a read and an update, so that they don't race.

    The fetch of a variable comes last: an update that waits for its op doesn't wait for that.
    `waits(op, other)` says whether an op waits for another one, by default anywhere in the graph.
    """
    if read.op is update or waits(read.op, update):
        return True
    return not read.last and waits(update, read.op)


def races(ops: Iterable[Operation], fetches: Iterable[Tensor | Operation]) -> Iterator[Race]:
    """Yield the races of a run: `ops` are all its operations, each after its sources."""
    before = _Before(ops)
    updates = [(op, variable) for op in before.ops for variable in changes(op)]
    for place, fetch in enumerate(fetches):
        for read in reads_for(fetch):
            if read.op not in before:  # a feed has taken its place
                continue
            for update, variable in updates:
                if variable is read.variable and not ordered(read, update, before.waits_for):
                    yield Race(variable, fetch, place)


class UpdateRace(NamedTuple):
    """A variable that one update reads, and another one of the same run changes, in no order."""

    variable: Operation
    reader: Operation
    writer: Operation


def update_races(ops: Iterable[Operation]) -> Iterator[UpdateRace]:
    """Yield the races between the updates of a run: `ops` are all its operations, in order."""
    before = _Before(ops)
    updates = [(op, variable) for op in before.ops for variable in changes(op)]
    changed = {variable for _, variable in updates}
    reads = [Read(op, v, False) for op in before.ops for v in changed.intersection(may_read(op))]
    for read, (writer, variable) in product(reads, updates):
        if variable is read.variable and not ordered(read, writer, before.waits_for):
            for reader, _ in updates:
                if reader is not writer and _uses(reader, read.op, before):
                    yield UpdateRace(variable, reader, writer)


def _uses(update: Operation, op: Operation, before: "_Before") -> bool:
    """Return whether an update stores something that is computed from the result of an op."""
    return update is op or before.waits_for(update, op) and op in _reached(update, _inputs)


def _inputs(op: Operation) -> list[Operation]:
    return [tensor.op for tensor in op.inputs]


class _Before:
    """Which of a run's ops come before which. The ops from which a path leads to one are bits."""

    def __init__(self, ops: Iterable[Operation]):
        self.ops = list(ops)
        self._bit = {op: 1 << i for i, op in enumerate(self.ops)}
        self._before: dict[Operation, int] = {}
        for op in self.ops:
            self._before[op] = self._bit[op]
            for source in _earlier(op):
                self._before[op] |= self._before.get(source, 0)

    def __contains__(self, op: Operation) -> bool:
        """Return whether an op is part of the run."""
        return op in self._bit

    def waits_for(self, op: Operation, other: Operation) -> bool:
        """Return whether a path of the run leads from `other` to `op`."""
        return op is not other and bool(self._before[op] & self._bit[other])
