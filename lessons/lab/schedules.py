"""The schedule explorer: any decay schedule of `tf.train`, its arguments, and the rates that they give."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as widgets

import minitf as tf
from lab.chart import BLUE, GREY, Chart, Line
from lab.explorer import WIDE, Explorer, slider

STEPS = 60  # how far the picture goes
REFERENCE = {"learning_rate": 0.4, "decay_steps": 20, "decay_rate": 0.5}  # of exponential_decay

# Each schedule: its arguments, in their order, and its formula; `{passed}` is the fraction of the way.
STAIRS = "learning_rate decay_steps decay_rate staircase"
LIMITED = "passed = min(step / decay_steps, 1)"
SCHEDULES = {
    "exponential_decay": (STAIRS, "learning_rate * decay_rate ** {passed}"),
    "natural_exp_decay": (STAIRS, "learning_rate * exp(-decay_rate * {passed})"),
    "inverse_time_decay": (STAIRS, "learning_rate / (1 + decay_rate * {passed})"),
    "polynomial_decay": (
        "learning_rate decay_steps end_learning_rate power cycle",
        f"end + (learning_rate - end) * (1 - passed) ** power, {LIMITED}",
    ),
    "piecewise_constant": (
        "boundaries[0] boundaries[1] values[0] values[1] values[2]",
        "values[0] while step <= boundaries[0], values[1] while step <= boundaries[1], then values[2]",
    ),
    "cosine_decay": (
        "learning_rate decay_steps alpha",
        f"learning_rate * (alpha + (1 - alpha) * (1 + cos(pi * passed)) / 2), {LIMITED}",
    ),
    "cosine_decay_restarts": (
        "learning_rate first_decay_steps t_mul m_mul alpha",
        "cosine_decay again and again, each time t_mul times as long and m_mul times as high",
    ),
    "linear_cosine_decay": (
        "learning_rate decay_steps num_periods alpha beta",
        "learning_rate * (beta + (alpha + 1 - passed) * (1 + cos(2 * pi * num_periods * passed)) / 2), "
        f"{LIMITED}",
    ),
}


def rates(schedule: str, steps: int = STEPS, **arguments: object) -> list[float]:
    """Return the learning rate at the steps 0 to `steps`, as this schedule of `tf.train` gives it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        clock = "x" if schedule == "piecewise_constant" else "global_step"
        rate = getattr(tf.train, schedule)(**{clock: step}, **arguments)
        # The clock is fed, not counted: every step at which we look costs one run.
        return [float(sess.run(rate, {step: now})) for now in range(steps + 1)]


class ScheduleExplorer(Explorer):
    """A list of the schedules, and for the chosen one a control for each of its arguments."""

    note = "Run this cell, and you get controls that change the curve."

    def __init__(self, schedule: str = "exponential_decay") -> None:
        """Start with this schedule."""
        self.schedule = widgets.Dropdown(
            options=list(SCHEDULES), value=schedule, description="schedule", layout=WIDE
        )
        self.arguments = {
            "learning_rate": slider("learning_rate", REFERENCE["learning_rate"], 0.1, 0.8, 0.05),
            "decay_steps": slider("decay_steps", REFERENCE["decay_steps"], 5, 60),
            "first_decay_steps": slider("first_decay_steps", 10, 5, 60),
            "decay_rate": slider("decay_rate", REFERENCE["decay_rate"], 0.1, 2.0, 0.1),
            "staircase": _box("staircase"),
            "end_learning_rate": slider("end_learning_rate", 0.05, 0.0, 0.4, 0.01),
            "power": slider("power", 1.0, 0.5, 4.0, 0.5),
            "cycle": _box("cycle"),
            "boundaries[0]": slider("boundaries[0]", 20, 1, 29),
            "boundaries[1]": slider("boundaries[1]", 40, 30, 59),
            "values[0]": slider("values[0]", 0.4, 0.0, 0.8, 0.01),
            "values[1]": slider("values[1]", 0.1, 0.0, 0.8, 0.01),
            "values[2]": slider("values[2]", 0.01, 0.0, 0.8, 0.01),
            "t_mul": slider("t_mul", 2.0, 1.0, 3.0, 0.25),
            "m_mul": slider("m_mul", 0.75, 0.25, 1.5, 0.25),
            "num_periods": slider("num_periods", 1.5, 0.5, 4.0, 0.5),
            "alpha": slider("alpha", 0.05, 0.0, 0.9, 0.05),
            "beta": slider("beta", 0.02, 0.0, 0.2, 0.01),
        }
        for argument, control in self.arguments.items():
            control.layout = widgets.Layout(width=WIDE.width)  # of its own: it comes and goes
            setattr(self, argument.replace("[", "_").rstrip("]"), control)
        points = list(enumerate(rates("exponential_decay", **REFERENCE)))
        self._reference = Line("exponential_decay", points, GREY, "dashed", dots=False)
        super().__init__([self.schedule, *self.arguments.values()])

    def picture(self) -> Chart:
        """Return the curve of the chosen schedule over the first steps, and show its controls."""
        name = self.schedule.value
        given = SCHEDULES[name][0].split()
        for argument, control in self.arguments.items():
            control.layout.display = "" if argument in given else "none"
        arguments = {argument: _rounded(self.arguments[argument].value) for argument in given}
        if name == "piecewise_constant":
            first, second, *values = arguments.values()
            arguments = {"boundaries": [first, second], "values": values}
        now = rates(name, **arguments)
        in_stairs = name == "piecewise_constant" or arguments.get("staircase", False)
        points = stairs(now) if in_stairs else list(enumerate(now))
        lines = [self._reference, Line("your schedule", points, BLUE, dots=False)]
        return Chart(lines, "global step", "learning rate", in_words(name, arguments, now))


def _box(name: str) -> widgets.Checkbox:
    return widgets.Checkbox(value=False, description=name, indent=False)


def _rounded(value: float) -> float:
    """Undo what a slider adds up: 0.30000000000000004."""
    return round(value, 4) if isinstance(value, float) else value


def stairs(now: Sequence[float]) -> list[tuple[float, float]]:
    """Return the points of a curve that stays, then jumps: a corner before each jump."""
    return [
        corner
        for step, rate in enumerate(now)
        for corner in ((step, now[max(step - 1, 0)]), (step, rate))
    ]


def in_words(name: str, arguments: dict, now: Sequence[float]) -> str:
    """Say what the curve shows: the call, the formula, key numbers, and how the rate moves."""
    first = "step" if "boundaries" in arguments else f"{arguments['learning_rate']}, step"
    rest = [f"{name}={value}" for name, value in arguments.items() if name != "learning_rate"]
    given = ", ".join([first, *rest])
    passed = "floor(step / decay_steps)" if arguments.get("staircase") else "(step / decay_steps)"
    formula = SCHEDULES[name][1].format(passed=passed)
    if arguments.get("cycle"):
        formula += "; past decay_steps, it is twice as long, then three times, and so on"
    return (
        f"{name}({given})\n"
        f"The formula: {formula}.\n"
        f"Learning rate: {now[0]:.4g} at step 0, {now[20]:.4g} at step 20, "
        f"{now[40]:.4g} at step 40, {now[60]:.4g} at step 60.\n"
        f"{moves(now, name == 'piecewise_constant' or arguments.get('staircase', False))}"
    )


def moves(now: Sequence[float], in_stairs: bool = False) -> str:
    """Say whether the rates fall or grow, where they jump up, and from where on they stay."""
    changes = [  # relative: a rate that is small already may fall on
        (after - before) / (max(abs(after), abs(before)) or 1.0)
        for before, after in zip(now, now[1:], strict=False)
    ]
    down = [step for step, change in enumerate(changes, start=1) if change < -1e-5]
    up = [step for step, change in enumerate(changes, start=1) if change > 1e-5]
    if not down and not up:
        return f"It stays at {now[0]:.4g}."
    last = max([*down, *up])
    stays = f" From step {last} on it stays at {now[-1]:.4g}." if last < len(changes) - 1 else ""
    jumps = " in jumps" if in_stairs else ""
    if not up:
        return f"It falls{jumps}.{stays}"
    if not down:
        return f"It grows{jumps}.{stays}"
    if len(up) < len(down) / 4:
        places = ", ".join(map(str, up))
        return f"It falls, and jumps up at step {places}.{stays}"
    return f"It falls and grows in turn.{stays}"
