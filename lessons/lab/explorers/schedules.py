"""The schedule explorer: any `tf.train` decay schedule, the rates it gives, and what they train."""

import random

from lab.controls.controls import menu, slider, tick
from lab.controls.explorer import Explorer

SCHEDULES = (
    "exponential_decay",
    "natural_exp_decay",
    "inverse_time_decay",
    "polynomial_decay",
    "piecewise_constant",
    "cosine_decay",
    "cosine_decay_restarts",
    "linear_cosine_decay",
)


class ScheduleExplorer(Explorer):
    """A menu of the schedules, and a control for each argument of the chosen one."""

    rule = "schedules"
    rows = 7  # the list, five arguments, and Reset
    controls = (
        menu("schedule", "schedule", SCHEDULES),
        slider("learning_rate", "learning_rate", 0.4, 0.01, 0.8, 0.01),
        slider("decay_steps", "decay_steps", 20, 1, 60),
        slider("first_decay_steps", "first_decay_steps", 10, 1, 60),
        slider("decay_rate", "decay_rate", 0.5, 0.1, 2.0, 0.05),
        tick("staircase", "staircase"),
        slider("end_learning_rate", "end_learning_rate", 0.05, 0.0, 0.4, 0.01),
        slider("power", "power", 1.0, 0.5, 4.0, 0.1),
        tick("cycle", "cycle"),
        slider("boundaries_0", "boundaries[0]", 20, 1, 29),
        slider("boundaries_1", "boundaries[1]", 40, 30, 59),
        slider("values_0", "values[0]", 0.4, 0.0, 0.8, 0.01),
        slider("values_1", "values[1]", 0.1, 0.0, 0.8, 0.01),
        slider("values_2", "values[2]", 0.01, 0.0, 0.8, 0.01),
        slider("t_mul", "t_mul", 2.0, 1.0, 3.0, 0.05),
        slider("m_mul", "m_mul", 0.75, 0.25, 1.5, 0.05),
        slider("num_periods", "num_periods", 1.5, 0.5, 4.0, 0.1),
        slider("alpha", "alpha", 0.05, 0.0, 0.9, 0.01),
        slider("beta", "beta", 0.02, 0.0, 0.2, 0.01),
    )

    def __init__(self) -> None:
        """Start with `exponential_decay`, and draw the noise, which is the same for all schedules."""
        batches = random.Random(39)  # each asks for another weight
        words = "A menu of the decay schedules, sliders for their arguments, the rates, and what they train."
        super().__init__(words, noise=[batches.uniform(0.5, 1.5) for _ in range(62)])
