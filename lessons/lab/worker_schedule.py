"""Workers that take turns, in units of time: who pulls when, who pushes when, and where w goes."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

BATCHES = 24  # in an epoch
RATE, CURVATURE = 0.08, 4.704  # of lesson 06's mean: ten examples from 1 to 2


@dataclass(frozen=True)
class Push:
    """One gradient: of which worker, of the weight at which step, and the step that used it."""

    worker: int
    pulled: int
    step: int


@dataclass(frozen=True)
class Run:
    """An epoch: every push, `w` before the first step and after each, and how long it took."""

    pushes: list[Push]
    weights: list[float]
    time: int

    @property
    def staleness(self) -> int:
        """How many steps came between a pull and its push, at most."""
        return max(push.step - push.pulled - 1 for push in self.pushes)


def simulate(workers: int, delay: int, synchronous: bool) -> Run:
    """Train for an epoch. A batch takes one unit of time; worker 1 needs `delay` units more."""
    return _rounds(workers, delay) if synchronous else _free(workers, delay)


def _free(workers: int, delay: int) -> Run:
    """Let each worker push as soon as it is ready, then pull and take the next batch."""
    pushes, weights, time = [], [0.0], 0
    busy = [(_needed(worker, delay), worker, 0) for worker in range(workers)]
    heapq.heapify(busy)
    while len(pushes) < BATCHES:
        time, worker, pulled = heapq.heappop(busy)
        step = len(weights)
        weights.append(_updated(weights[-1], weights[pulled]))
        pushes.append(Push(worker, pulled, step))
        if len(pushes) + len(busy) < BATCHES:  # a batch is left
            heapq.heappush(busy, (time + _needed(worker, delay), worker, step))
    return Run(pushes, weights, time)


def _rounds(workers: int, delay: int) -> Run:
    """Let all workers compute at the same weight; one update with the mean ends the round."""
    pushes, weights, time = [], [0.0], 0
    while len(pushes) < BATCHES:
        step = len(weights)
        here = range(min(workers, BATCHES - len(pushes)))
        pushes += [Push(worker, step - 1, step) for worker in here]
        weights.append(_updated(weights[-1], weights[-1]))
        time += max(_needed(worker, delay) for worker in here)
    return Run(pushes, weights, time)


def _needed(worker: int, delay: int) -> int:
    return 1 + (delay if worker == 0 else 0)


def _updated(now: float, seen: float) -> float:
    return now - RATE * CURVATURE * (seen - 1)
