"""The decay explorer: four arguments of `exponential_decay`, and the learning rate they give."""

from collections.abc import Iterable

from lab.controls.controls import slider, tick
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, Picture, axis, chart, line, note
from lab.experiments.rates import rates

# What is stored: the learning rates, and each of these numbers of steps with each of these rates.
RATES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
STEPS, FACTORS = (1, 2, 5, 10, 15, 20, 30, 40), (0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0)
LAST = 41  # the rate of step 40 holds until then
POSTS = {"learning_rate": 0.1, "decay_steps": 10, "decay_rate": 2.0, "staircase": False}


class DecayExplorer(Explorer):
    """Sliders for learning_rate, decay_steps and decay_rate, and a checkbox for staircase."""

    controls = (
        slider("learning_rate", "learning_rate", POSTS["learning_rate"], 0.01, 0.5, 0.01),
        slider("decay_steps", "decay_steps", POSTS["decay_steps"], 1, 40),
        slider("decay_rate", "decay_rate", POSTS["decay_rate"], 0.1, 3.0, 0.1),
        tick("staircase", "staircase", POSTS["staircase"]),
    )

    def __init__(self) -> None:
        """Compute the posts' rates, which are always in the picture."""
        self._posts = list(enumerate(rates("exponential_decay", 10, **POSTS)))

    def settings(self) -> Iterable[dict]:
        """Return each learning rate, and the other sliders together, with and without the staircase."""
        moves = [{"learning_rate": rate} for rate in RATES]
        moves += [{"decay_steps": n, "decay_rate": rate} for n in STEPS for rate in FACTORS]
        return [
            {**POSTS, **move, "staircase": stairs} for stairs in (False, True) for move in moves
        ]

    def picture(self, **schedule: float) -> Picture:
        """Return the curve of the sliders' schedule over the first steps."""
        now = rates("exponential_decay", LAST, **schedule)
        posts = line(self._posts, dots=True, silent=True)
        yours = line(list(enumerate(now)), "your rate", DONE, steps=schedule["staircase"])
        end = {"at": self._posts[-1], "text": "the posts' ten steps", "dx": 10, "dy": 16}
        along = axis("global step", 0, LAST, ticks=[0, 10, 20, 30, 40])
        up = axis("learning rate", 0, 0.5)
        part = chart(along, up, [posts, yours], notes=[end], height=280)
        numbers, how = in_words(now, schedule)
        return Picture([part, note(how, reserve=22)], f"{numbers}\n{how}")


def in_words(now: list[float], schedule: dict) -> tuple[str, str]:
    """Say what the curve shows: its key numbers, and whether it falls or grows."""
    factor, every = schedule["decay_rate"], schedule["decay_steps"]
    moves = "falls" if factor < 1 else "grows" if factor > 1 else "stays as it is"
    how = "in jumps" if schedule["staircase"] else "smoothly"
    if factor == 1:
        how = "because decay_rate is 1"
    steps = f"{every} steps" if every > 1 else "step"
    numbers = ", ".join(f"{now[step]:.4g} at step {step}" for step in (0, 10, 20, 30))
    multiplied = f"It {moves} {how}: every {steps} it is multiplied by {factor:.4g}."
    return f"Learning rate: {numbers}.", multiplied
