"""What lesson 15's inherited scripts promise in their first lines, as numbers that a check can compare."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab.experiments.watched_program import Run
from lab.files.recorded import DATA

Values = dict[str, np.ndarray]
AVERAGE = "/ExponentialMovingAverage"


@dataclass(frozen=True)
class Promise:
    """What a script promises: its training, and what it writes."""

    batches: int
    every: int  # steps from one test to the next
    rate: Callable[[int], float]  # of a step, counted from 0
    parts: dict[str, float]  # the weights to watch, and how much of the rate each learns at
    gradient: Callable[[Values, np.ndarray, np.ndarray], Values]
    tested: Callable[[Values], float]  # what a test of these weights gives
    curve: str
    logs_next: bool = True  # the rate in the log is the next step's, not the one that was used
    keeps: Callable[[int], list[float]] | None = None  # shares of itself an average may keep
    kills: tuple[int, ...] = (0,)  # the batch after which each run is killed; 0: it isn't

    def moved(self, part: str, run: Run) -> tuple[float, bool]:
        """Return how far a run moved a weight along its gradient, in gradients, and whether only so.

        The gradient may wait for the update of another layer in the same run, and use its new weights.
        """
        x, y = sorted((v for v in run.fed if np.ndim(v) == 2), key=lambda v: -np.shape(v)[1])[:2]
        others = {name for name in run.before if layer(name) != layer(part)}
        waits = {**run.before, **{name: run.after[name] for name in others}}
        old, way = run.before[part], run.before[part] - run.after[part]
        rounded = 3 * np.linalg.norm(np.spacing(old))
        fits = []
        for held in (run.before, waits):
            slope = self.gradient(held, x, y)[part]
            used = np.sum(way * slope) / np.sum(slope**2)
            fits.append((np.linalg.norm(way - used * slope), used))
        aside, used = min(fits)
        return used, aside < 0.05 * np.linalg.norm(way) + rounded

    def truth(self, held: Values) -> tuple[float, str]:
        """Return what a test should give when the Variables hold this, and say so."""
        averaged = {name: held[average_of(name, held)] for name in held} if self.keeps else held
        value, weights = self.tested(averaged), f"{'averaged ' * bool(self.keeps)}weights"
        return value, f"The {weights} have an {self.measure} of {value:.4g} on the test data."

    def logged(self, step: int, run: Run) -> tuple[float, str]:
        """Return the rate that the log should give after a step, which this run made, and say whose it is."""
        if self.logs_next:
            return self.rate(step), "The next step uses"
        return self.moved(next(iter(self.parts)), run)[0], "This step used"

    @property
    def measure(self) -> str:
        """What a test measures, as the log calls it: error or accuracy."""
        return self.curve.split("_")[-1]


def layer(name: str) -> str:
    """Return the name of the layer to which a weight belongs: "features" for "features/w"."""
    return name.rpartition("/")[0]


def average_of(part: str, held: Values) -> str:
    """Return the name of a weight's average: TensorFlow's, or another with its shape, or the weight's own."""
    like = [name for name in held if np.shape(held[name]) == np.shape(held[part])]
    return max(like, key=lambda name: (name == part + AVERAGE, name != part))


def share_kept(run: Run, part: str) -> tuple[float, bool]:
    """Return the share of itself that an average kept in a run, and if it took the weight from before it."""
    name = average_of(part, run.before)
    old, fits = run.before[name], []
    for weight in (run.after[part], run.before[part]):
        way, went = weight - old, run.after[name] - old
        used = np.sum(went * way) / max(np.sum(way**2), 1e-30)
        fits.append((np.linalg.norm(went - used * way), 1 - used))
    (off, share), (off_before, _) = fits
    return share, off_before < off / 2


def _wave(held: Values, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    hidden = np.tanh(x @ held["features/w"] + held["features/b"])
    return hidden, hidden @ held["readout/w"] + held["readout/b"]


def _of_the_wave(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    hidden, found = _wave(held, x)
    error = 2 / len(x) * (found - y)
    back = error @ held["readout/w"].T * (1 - hidden**2)
    return {"features/w": x.T @ back, "readout/w": hidden.T @ error}


def _wave_tested(held: Values) -> float:
    random = np.random.RandomState(5)  # as the script draws them
    x = random.uniform(-1, 1, [1500, 2])
    y = np.sin(3 * x[:, :1] + 2 * x[:, 1:]) + random.normal(0, 0.1, [1500, 1])
    return np.mean((_wave(held, x[1000:])[1] - y[1000:]) ** 2)


def _of_the_digits(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    odds = np.exp(x @ held["w"] + held["b"])
    return {"w": x.T @ (odds / odds.sum(1, keepdims=True) - y) / len(x)}


def _digits_tested(held: Values) -> float:
    with np.load(DATA / "optdigits.npz") as file:
        x, digits = file["images"][1500:].reshape(-1, 64) / 16.0, file["labels"][1500:]
    return np.mean(np.argmax(x @ held["w"] + held["b"], 1) == digits)


def _of_the_plane(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    return {"w": 2 / len(x) * x.T @ (x @ held["w"] - y)}


def _plane_tested(held: Values) -> float:
    random = np.random.RandomState(3)
    x = random.normal(size=[3300, 4])
    y = x @ [[1.0], [-2.0], [3.0], [0.5]] + random.normal(0, 2, [3300, 1])
    return np.mean((x[3000:] @ held["w"] - y[3000:]) ** 2)


PROMISES = {
    1: Promise(
        batches=320,
        every=40,
        rate=lambda step: 0.2 * 0.5 ** (step // 80),
        parts={"readout/w": 1, "features/w": 0.25},
        gradient=_of_the_wave,
        tested=_wave_tested,
        curve="test_error",
        keeps=lambda step: [min(0.98, (1 + step) / (10 + step)), 0.98],
        kills=(0, 60, 0),
    ),
    2: Promise(
        batches=400,
        every=100,
        rate=lambda step: min(0.5 * 0.8 ** (step / 100), 0.5 * (step + 1) / 50),
        parts={"w": 1},
        gradient=_of_the_digits,
        tested=_digits_tested,
        curve="accuracy",
        logs_next=False,
    ),
    3: Promise(
        batches=300,
        every=100,
        rate=lambda step: 0.1 * 0.5 ** (step / 300),
        parts={"w": 1},
        gradient=_of_the_plane,
        tested=_plane_tested,
        curve="error",
        keeps=lambda step: [min(0.99, (1 + step) / (10 + step))],
        kills=(0, 150, 0),
    ),
}
