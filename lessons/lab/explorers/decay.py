"""The decay explorer: four arguments of `exponential_decay`, and the learning rate they give."""

from lab.controls.controls import slider, tick
from lab.controls.explorer import Explorer


class DecayExplorer(Explorer):
    """Sliders for learning_rate, decay_steps and decay_rate, and a checkbox for staircase.

    They start as in the posts. `explorer.decay_rate = 0.5` moves a slider from Python.
    """

    rule = "decay"
    controls = (
        slider("learning_rate", "learning_rate", 0.1, 0.01, 0.5, 0.01),
        slider("decay_steps", "decay_steps", 10, 1, 40),
        slider("decay_rate", "decay_rate", 2.0, 0.1, 3.0, 0.05),
        tick("staircase", "staircase"),
    )

    def __init__(self) -> None:
        """Start with the posts' arguments."""
        super().__init__(
            "Sliders for the arguments of exponential_decay, and the curve of its learning rate."
        )
