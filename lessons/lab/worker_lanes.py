"""Lanes are one line for each worker over the shared axis of steps: from the pull to the push."""

from __future__ import annotations

from collections.abc import Sequence

from lab.panel import Axis, Curve, Dot, Panel
from lab.scene import Scene, Text
from lab.shown import Shown, drawn
from lab.view import View
from lab.worker_schedule import Push

LEFT, WIDTH, HEIGHT = 90, 530, 130  # of the lanes, in pixels


def lanes(pushes: Sequence[Push], workers: int, y: float, last: int, title: str) -> list:
    """Draw each push as a line from the step that was pulled, with a dot at the step that it made."""
    marks = range(0, last + 1, max(1, last // 6))
    panel = Panel(LEFT, y, WIDTH, HEIGHT, Axis(0, last, marks), Axis(0, workers, []), "step", "")
    shapes = [*panel.frame(), Text(4, y - 10, title, bold=True)]
    for mark in marks:
        shapes.append(Curve([panel.place((mark, 0)), panel.place((mark, workers))], "quiet", 0.5))
    for worker in range(workers):
        _, middle = panel.place((0, workers - worker - 0.5))
        shapes.append(Text(LEFT - 10, middle + 4, f"worker {worker + 1}", size=12, anchor="end"))
    for push in pushes:
        row = workers - push.worker - 0.5
        start, end = panel.place((push.pulled, row)), panel.place((push.step, row))
        shapes += [Curve([start, end], "done", 1.6), Dot(*end, "done", 3.5)]
    return shapes


class WorkerRuns(Shown):
    """An asynchronous run and a synchronous one, each as far as the picture reaches."""

    STEPS = 40

    def __init__(self, noted: Sequence[Sequence[tuple[int, int]]], rounds: int):
        """Take what each worker noted, the step that it pulled and the one that it made; and the rounds."""
        self._counts, self._rounds = [len(run) for run in noted], rounds
        pushes = [
            Push(worker, int(pulled), int(step))
            for worker, run in enumerate(noted)
            for pulled, step in run
        ]
        view = View()
        view.value = drawn(self._scene(pushes))
        super().__init__([view])

    def stored_words(self) -> str:
        """Say what is the same in every run."""
        return (
            f"Asynchronous: {sum(self._counts)} steps, each on one lane: "
            f"{' + '.join(map(str, self._counts))}.\n"
            f"Synchronous: {self._rounds} steps, each on all {len(self._counts)} lanes."
        )

    def stored_picture(self) -> Scene:
        """Return a run in which the workers take turns: a real one differs each time."""
        turns = [
            Push(step % len(self._counts), max(step - len(self._counts), 0), step)
            for step in range(1, sum(self._counts) + 1)
        ]
        return self._scene(
            turns, "Drawn with workers that take turns. Run the cells, and see yours."
        )

    def _scene(self, pushes: Sequence[Push], note: str = "") -> Scene:
        last, workers, below = self.STEPS, len(self._counts), 112 + HEIGHT
        pushes = [push for push in pushes if push.step <= last]
        rounds = range(1, min(last, self._rounds) + 1)
        together = [Push(worker, step - 1, step) for step in rounds for worker in range(workers)]
        shapes = [
            *lanes(pushes, workers, 34, last, f"asynchronous: the first {last} steps"),
            *lanes(together, workers, below, last, f"synchronous: the first {last} steps"),
        ]
        return Scene(640, below + HEIGHT + 46, shapes, self.stored_words(), note)
