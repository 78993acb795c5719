"""A gradient is stale if others push between its pull and its push: four workers over time."""

from dataclasses import dataclass

WORKERS, LAST = 4, 12  # and how far the schedule reaches, in the time of a batch


@dataclass(frozen=True)
class Push:
    """One gradient: its worker, the step at its pull, the step that it makes, and the times."""

    worker: int
    pulled: int
    step: int
    start: float  # the pull
    ready: float  # the gradient is computed
    end: float  # the push: at once, or when all are ready

    @property
    def staleness(self) -> int:
        """The step at the push minus the step at the pull: how many steps others made in between."""
        return self.step - 1 - self.pulled


def simulate(slow: float, synchronous: bool) -> list[Push]:
    """Let them work. A batch takes one unit of time, or `slow` units on worker 1.

    Each pushes as soon as it is ready, and they start one after another, within the first unit. Or
    they start together, and all wait for the last one, whose push ends the round.
    """

    def begin(worker: int, start: float, pulled: int) -> tuple[float, int, float, int]:
        return start + (1 if worker else slow), worker, start, pulled

    pushes, step, apart = [], 0, 0 if synchronous else 1 / WORKERS
    busy = [begin(worker, worker * apart, 0) for worker in range(WORKERS)]
    while any(start < LAST for _, _, start, _ in busy):
        busy.sort()
        done, busy = (busy, []) if synchronous else (busy[:1], busy[1:])
        step, end = step + 1, done[-1][0]
        for ready, worker, start, pulled in done:
            pushes.append(Push(worker, pulled, step, start, ready, end))
            busy.append(begin(worker, end, step))
    return pushes
