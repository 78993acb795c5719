"""What lesson 15's inherited scripts promise in their first lines, as numbers that a check can compare."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import minitf as tf
from lab.experiments.inheritance import YOURS, inheritance
from lab.experiments.inherited import execute
from lab.experiments.watched_program import Run, State, watch
from lab.files.temporary_folder import temporary_folder

AVERAGE = "/ExponentialMovingAverage"


@dataclass(frozen=True)
class Promise:
    """What a script promises: its training, and what it writes."""

    script: int
    batches: int
    every: int  # steps from one test to the next
    rate: Callable[[int], float]  # of a step, counted from 0
    parts: dict[str, float]  # the weights to watch, and how much of the rate each learns at
    curve: str
    tested: str = "Mean:0"  # what a test averages: the loss, or whether each answer is right
    logs_next: bool = True  # the rate in the log is the next step's, not the one that was used
    keeps: Callable[[int], list[float]] | None = None  # shares of itself an average may keep
    kills: tuple[int, ...] = (0,)  # the batch after which each run is killed; 0: it isn't

    @functools.cached_property
    def inherited(self) -> tuple[tf.Session, dict[str, tf.Tensor], list[np.ndarray]]:
        """The inherited script's graph, whose loss is right: a session, gradients, and the test data."""
        seen = watch(execute, inheritance(self.script), YOURS, temporary_folder())
        with seen.graph.as_default():
            weights = tf.trainable_variables()
            slopes = tf.gradients(seen.graph.get_tensor_by_name("Mean:0"), weights)
        test = next(run.fed for run in seen.runs if run.fed and not run.trains)
        names = [weight.op.name for weight in weights]
        return tf.Session(graph=seen.graph), dict(zip(names, slopes, strict=True)), test

    def computed(self, fetch: Any, held: State, fed: list[np.ndarray]) -> np.ndarray:
        """Run the inherited graph with these weights, and images and labels like these."""
        sess, slopes, _ = self.inherited
        x, y = sorted((v for v in fed if np.ndim(v) == 2), key=lambda v: -np.shape(v)[1])[:2]
        return sess.run(fetch, {"x:0": x, "y:0": y, **{f"{name}:0": held[name] for name in slopes}})

    def moved(self, part: str, run: Run) -> tuple[float, bool]:
        """Return how far a run moved a weight along its gradient, in gradients, and whether only so.

        The gradient may wait for the update of another layer in the same run, and use its new weights.
        """
        old, way = run.before[part], run.before[part] - run.after[part]
        other = {name: v for name, v in run.after.items() if layer(name) != layer(part)}
        fits = []
        for held in (run.before, run.before | other):
            slope = self.computed(self.inherited[1][part], held, run.fed)
            used = np.sum(way * slope) / np.sum(slope**2)
            fits.append((np.linalg.norm(way - used * slope), used))
        aside, used = min(fits)
        rounded = 3 * np.linalg.norm(np.spacing(old))
        return used, aside < 0.05 * np.linalg.norm(way) + rounded

    def truth(self, held: State) -> float:
        """Return what a test should give when the Variables hold this."""
        averaged = {name: held[average_of(name, held)] for name in held} if self.keeps else held
        return np.mean(self.computed(self.tested, averaged, self.inherited[2]))


def layer(name: str) -> str:
    """Return the name of the layer to which a weight belongs: "features" for "features/w"."""
    return name.rpartition("/")[0]


def average_of(part: str, held: State) -> str:
    """Return the name of a weight's average: TensorFlow's, or another with its shape, or the weight's own."""
    like = [name for name in held if np.shape(held[name]) == np.shape(held[part])]
    return max(like, key=lambda name: (name == part + AVERAGE, name != part))


def warming_up(most: float, step: int) -> float:
    """Return the share that tf.train.ExponentialMovingAverage keeps if it's given the step."""
    return min(most, (1 + step) / (10 + step))


PROMISES = {
    1: Promise(
        script=1,
        batches=320,
        every=40,
        rate=lambda step: 0.2 * 0.5 ** (step // 80),
        parts={"readout/w": 1, "features/w": 0.25},
        curve="test_error",
        keeps=lambda step: [warming_up(0.98, step), 0.98],
        kills=(0, 60, 0),
    ),
    2: Promise(
        script=2,
        batches=400,
        every=100,
        rate=lambda step: min(0.5 * 0.8 ** (step / 100), 0.5 * (step + 1) / 50),
        parts={"w": 1},
        curve="accuracy",
        tested="Equal:0",
        logs_next=False,
    ),
    3: Promise(
        script=3,
        batches=300,
        every=100,
        rate=lambda step: 0.1 * 0.5 ** (step / 300),
        parts={"w": 1},
        curve="error",
        keeps=lambda step: [warming_up(0.99, step)],
        kills=(0, 150, 0),
    ),
}
