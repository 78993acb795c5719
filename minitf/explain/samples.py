"""What is measured before a run that trains: its rates, and whether its weights are still numbers.

Every run is measured at first, later only some: each Work says when it is `due`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from minitf.client.arithmetic import calculate
from minitf.client.compiler import compile_program
from minitf.client.watchers import SessionRun
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS

KEPT_ELEMENTS = 10_000  # of a weight, to see whether training changes it


class Point(NamedTuple):
    """A rate before a run: how many training runs there were, the step, and the rate."""

    run: int
    step: float
    rate: float


class Sampled(NamedTuple):
    """A rate and its step, if it has one: the points so far, and how to compute both."""

    points: list[Point]
    compute: Callable
    step: Callable | None
    rate: Tensor
    clock: Tensor | None


class Samples:
    """What is measured before the runs of one program."""

    def __init__(self, record, work, program):
        self._record, self._work, self._program = record, work, program
        self._rates = list(self._sampled(program))

    def take(self, run: SessionRun) -> None:
        """Measure before a run."""
        trained = self._record.trained
        for sampled in self._rates:
            with suppress(Exception):
                rate = calculate(sampled.compute, run.state, *run.fed)
                step = calculate(sampled.step, run.state, *run.fed) if sampled.step else trained
                sampled.points.append(Point(trained, float(step), float(rate)))
        self._look_at_weights(run.state, trained)

    def finish(self, state) -> None:
        """Measure what a run after the last one would have got, where that needs no feed."""
        for sampled in self._rates:
            with suppress(Exception):
                rate = _computed(self._program, sampled.rate, ())
                step = (
                    _computed(self._program, sampled.clock, ())
                    if sampled.clock is not None
                    else None
                )
                trained = self._record.trained
                at = float(calculate(step, state)) if step else trained
                sampled.points.append(Point(trained, at, float(calculate(rate, state))))

    def _look_at_weights(self, state, trained: int) -> None:
        work, broken = self._work, self._record.not_finite
        for weight in work.weights:
            value = state.get(weight.name)
            if value is not None and weight not in broken and not np.isfinite(value).all():
                broken[weight] = (work.seen, trained)
        work.seen = trained
        if id(state) not in work.before:
            work.before[id(state)] = (state, beginnings(work.weights, state))
        elif not work.moved:
            began = work.before[id(state)][1]
            now = beginnings(work.weights, state)
            work.moved = any(not np.array_equal(now[name], began[name]) for name in began)

    def _sampled(self, program) -> Iterator[Sampled]:
        """Yield each rate that can be computed before these runs."""
        calls = {}  # a schedule says more of its rate than an optimizer that uses it
        for call in [*self._record.schedules(program.graph), *self._work.calls]:
            calls.setdefault(call.rate, call)
        for call in calls.values():
            with suppress(Exception):  # it may need something that isn't fed
                clock = clock_of(call)
                compute = _computed(program, call.rate, program.feeds)
                step = _computed(program, clock, program.feeds) if clock is not None else None
                points = self._record.rates[call.rate]
                yield Sampled(points, compute, step, call.rate, clock)


def beginnings(weights: Iterable[Operation], state) -> dict[str, np.ndarray]:
    """Return copies of the first elements of some weights."""
    values = {weight.name: state.get(weight.name) for weight in weights}
    return {
        name: np.ravel(value)[:KEPT_ELEMENTS].copy()
        for name, value in values.items()
        if value is not None
    }


def clock_of(call) -> Tensor | None:
    """Return what a schedule reads as its step, or what an optimizer counts; None for neither."""
    step = call.step
    if isinstance(step, Tensor):
        return step
    return step.op.outputs[0] if hasattr(step, "op") else None


def _computed(program, tensor: Tensor, feeds: Iterable[Tensor]) -> Callable:
    """Return a function of a state and of some feeds. Raises ValueError for a random tensor."""
    made = compile_program(program.graph, [tensor], feeds)
    if any(OPS[op.type].stateful and op.type != "VariableV2" for op in made.ops):
        raise ValueError(f"{tensor.name} isn't the same each time")
    return made.function
