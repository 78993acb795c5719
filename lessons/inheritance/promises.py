"""What the inherited scripts promise in their first lines, in numbers, for the check of lesson 15."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Values = dict[str, np.ndarray]


@dataclass(frozen=True)
class Promise:
    """What a script promises: its training, and what it writes."""

    batches: int
    every: int  # steps from one test to the next
    rate: Callable[[int], float]  # of a step, counted from 0
    parts: dict[str, float]  # the weights to watch, and how much of the rate each learns at
    gradient: Callable[[Values, np.ndarray, np.ndarray], Values]
    curve: str
    good: tuple[float, float]  # where the curve ends
    average: float = 0  # the decay of the averages; 0: there are none
    kills: tuple[int, ...] = (0,)  # the batch after which each run is killed; 0: it isn't


def _of_the_wave(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    hidden = np.tanh(x @ held["features/w"] + held["features/b"])
    error = 2 / len(x) * (hidden @ held["readout/w"] + held["readout/b"] - y)
    back = error @ held["readout/w"].T * (1 - hidden**2)
    return {"features/w": x.T @ back, "readout/w": hidden.T @ error}


def _of_the_digits(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    odds = np.exp(x @ held["w"] + held["b"])
    return {"w": x.T @ (odds / odds.sum(1, keepdims=True) - y) / len(x)}


def _of_the_plane(held: Values, x: np.ndarray, y: np.ndarray) -> Values:
    return {"w": 2 / len(x) * x.T @ (x @ held["w"] - y)}


PROMISES = {
    1: Promise(
        batches=320,
        every=40,
        rate=lambda step: 0.2 * 0.5 ** (step // 80),
        parts={"readout/w": 1, "features/w": 0.25},
        gradient=_of_the_wave,
        curve="test_error",
        good=(0.0, 0.08),
        average=0.98,
        kills=(0, 60, 45),
    ),
    2: Promise(
        batches=400,
        every=100,
        rate=lambda step: min(0.5 * 0.8 ** (step / 100), 0.5 * (step + 1) / 50),
        parts={"w": 1},
        gradient=_of_the_digits,
        curve="accuracy",
        good=(0.85, 1.0),
    ),
    3: Promise(
        batches=300,
        every=100,
        rate=lambda step: 0.1 * 0.5 ** (step / 300),
        parts={"w": 1},
        gradient=_of_the_plane,
        curve="error",
        good=(3.0, 4.5),
        average=0.99,
        kills=(0, 150, 105),
    ),
}
