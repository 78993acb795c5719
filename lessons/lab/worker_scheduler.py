"""The worker scheduler: how many workers, how slow one of them is, and whether they wait for each other."""

from __future__ import annotations

import ipywidgets as widgets

from lab.explorer import Explorer, slider
from lab.panel import Axis, Curve, Panel
from lab.scene import Scene
from lab.worker_lanes import HEIGHT, LEFT, WIDTH, lanes
from lab.worker_schedule import BATCHES, Run, simulate

MOST = 8  # workers
WAYS = ["asynchronous", "synchronous"]


class WorkerScheduler(Explorer):
    """Two sliders and a switch above the workers' lanes and the way of w."""

    note = "Run this cell, and you get controls: more workers, a slow one, rounds."

    def __init__(self) -> None:
        """Start with four equal workers that do not wait for each other."""
        self.workers = slider("workers", 4, 1, MOST)
        self.delay = slider("delay of worker 1", 0, 0, 8)
        self.way = widgets.ToggleButtons(
            options=WAYS, description="way", layout=widgets.Layout(display="flex")
        )
        self.way.style.button_width = "9em"
        super().__init__([self.workers, self.delay, self.way])

    def picture(self) -> Scene:
        """Return the lanes, and `w` after each step."""
        workers, synchronous = self.workers.value, self.way.value == WAYS[1]
        run = simulate(workers, self.delay.value, synchronous)
        title = f"{workers} worker{'s' * (workers > 1)}, {self.way.value}"
        below = 34 + HEIGHT + 78
        shapes = [*lanes(run.pushes, workers, 34, BATCHES, title), *_weights(run, below)]
        return Scene(640, below + 170, shapes, in_words(run, title))


def _weights(run: Run, y: float) -> list:
    """Draw the way of w, and where it has to go."""
    across, up = Axis(0, BATCHES, range(0, BATCHES + 1, 4)), Axis(-1, 3, range(-1, 4))
    panel = Panel(LEFT, y, WIDTH, 120, across, up, "step", "w")
    answer = [panel.place((0, 1)), panel.place((BATCHES, 1))]
    return [
        *panel.frame(),
        Curve(answer, dashed=True, thick=1.2),
        *panel.path(list(enumerate(run.weights)), "now"),
    ]


def in_words(run: Run, title: str) -> str:
    """Say what the picture shows."""
    steps, staleness = len(run.weights) - 1, run.staleness
    old = "No gradient is stale" if not staleness else f"The staleness is up to {staleness}"
    return (
        f"{title}: the epoch has {BATCHES} batches, and takes {steps} steps and {run.time} units of time.\n"
        f"{old}. w ends at {run.weights[-1]:.4g}."
    )
