"""The schedule explorer: any `tf.train` decay schedule, the rates it gives, and what they train."""

from collections.abc import Iterable, Sequence

from lab.controls.controls import menu, slider, tick
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, Picture, axis, chart, line, note
from lab.drawing.rates import jumps
from lab.experiments.rates import SCHEDULES, rates, weights

LAST = 61  # the rate of step 60 holds until then
CONSTANT = [0.4] * (LAST + 1)  # the rates to compare with
ARGUMENTS = (
    ("learning_rate", 0.4, 0.02, 0.8, 0.02),
    ("decay_steps", 20, 5, 60),
    ("first_decay_steps", 10, 5, 60),
    ("decay_rate", 0.5, 0.1, 2.0, 0.1),
    ("staircase",),
    ("end_learning_rate", 0.05, 0.0, 0.4, 0.01),
    ("power", 1.0, 0.5, 4.0, 0.5),
    ("cycle",),
    ("boundaries[0]", 20, 1, 29),
    ("boundaries[1]", 40, 30, 59),
    ("values[0]", 0.4, 0.0, 0.8, 0.01),
    ("values[1]", 0.1, 0.0, 0.8, 0.01),
    ("values[2]", 0.01, 0.0, 0.8, 0.01),
    ("t_mul", 2.0, 1.0, 3.0, 0.25),
    ("m_mul", 0.75, 0.25, 1.5, 0.25),
    ("num_periods", 1.5, 0.5, 4.0, 0.5),
    ("alpha", 0.05, 0.0, 0.9, 0.05),
    ("beta", 0.02, 0.0, 0.2, 0.01),
)
# What is stored of each argument: these values, each with the others as at the start.
STOPS = {
    "learning_rate": (0.1, 0.2, 0.4, 0.6, 0.8),
    "decay_steps": (5, 10, 20, 40, 60),
    "first_decay_steps": (5, 10, 20, 40),
    "decay_rate": (0.1, 0.5, 1.0, 2.0),
    "end_learning_rate": (0.0, 0.05, 0.1, 0.2),
    "power": (0.5, 1.0, 2.0, 4.0),
    "boundaries[0]": (5, 10, 20, 29),
    "boundaries[1]": (30, 40, 50),
    "values[0]": (0.1, 0.4, 0.8),
    "values[1]": (0.05, 0.1, 0.2),
    "values[2]": (0.0, 0.01, 0.1),
    "t_mul": (1.0, 2.0, 3.0),
    "m_mul": (0.5, 0.75, 1.0, 1.5),
    "num_periods": (0.5, 1.5, 2.5, 4.0),
    "alpha": (0.0, 0.05, 0.2, 0.5),
    "beta": (0.0, 0.02, 0.1, 0.2),
}
# Of each schedule with both: these pairs of learning_rate and decay_steps.
PAIRS = (
    (0.1, 5),
    (0.1, 10),
    (0.1, 40),
    (0.1, 60),
    (0.8, 5),
    (0.8, 60),
)


class ScheduleExplorer(Explorer):
    """A menu of the schedules, and a control for each argument of the chosen one."""

    rows = 7  # the list, five arguments, and Reset

    controls = (
        menu("schedule", "schedule", list(SCHEDULES)),
        *(slider(a[0], *a) if len(a) > 1 else tick(a[0], a[0]) for a in ARGUMENTS),
    )

    def settings(self) -> Iterable[dict]:
        """Return each argument of each schedule moved on its own, and some pairs of rate and steps."""
        for name, (given, _) in SCHEDULES.items():
            start = {**self.state, "schedule": name}
            for argument in given.split():
                for value in STOPS.get(argument, (False, True)):
                    yield {**start, argument: value}
            if "decay_steps" in given.split():
                for rate, steps in PAIRS:
                    yield {**start, "learning_rate": rate, "decay_steps": steps}

    def picture(self, schedule: str, **chosen: float) -> Picture:
        """Return the schedule's rates and the weight that they train, and show only its controls."""
        given = SCHEDULES[schedule][0].split()
        arguments = {name: type(self.state[name])(chosen[name]) for name in given}  # 1 is 1.0
        if schedule == "piecewise_constant":
            first, second, *constants = arguments.values()
            arguments = {"boundaries": [first, second], "values": constants}
        now = rates(schedule, LAST, **arguments)
        if LAST in jumps(now):
            now.pop()  # a curve doesn't end in a jump
        trained, constant = weights(now), weights(CONSTANT)
        above = over_steps("learning rate", 0.8, CONSTANT, now, jumps(now))
        below = over_steps("w, trained in noisy batches", 2, constant, trained)
        call, formula, numbers = in_words(schedule, arguments, now)
        ends = f"At step 60, w is {trained[60]:.4g}; at a constant rate, {constant[60]:.4g}."
        hidden = {name: {"hidden": name not in given} for name in chosen}
        shown = note(f"`{call}`", formula, reserve=106)
        return Picture([above, below, shown], "\n".join([call, numbers, ends]), hidden)


def over_steps(
    what: str, top: float, constant: Sequence, yours: Sequence, steps: Sequence = ()
) -> dict:
    """Describe what a constant rate and the reader's schedule give, step by step."""
    out = (step for step, value in enumerate(yours) if not -top <= value <= 2 * top)
    near = list(enumerate(yours))[: next(out, LAST) + 1]  # w may run away
    before = line(list(enumerate(constant)), "constant rate")
    curves = [before, line(near, "your schedule", DONE, steps=steps)]
    along = axis("global step", 0, LAST, ticks=[0, 20, 40, 60])
    return chart(along, axis(what, 0, top), curves, title=what, inset=(40, 120), height=180)


def in_words(name: str, arguments: dict, now: Sequence[float]) -> list[str]:
    """Say what the curve shows: the call, the formula, and key numbers."""
    first = "step" if "boundaries" in arguments else f"{arguments['learning_rate']}, step"
    rest = [f"{name}={value}" for name, value in arguments.items() if name != "learning_rate"]
    given = ", ".join([first, *rest])
    passed = "floor(step / decay_steps)" if arguments.get("staircase") else "(step / decay_steps)"
    formula = SCHEDULES[name][1].format(passed=passed)
    if arguments.get("cycle"):
        formula += "; past decay_steps, it is twice as long, then three times, and so on"
    numbers = ", ".join(f"{now[step]:.4g} at step {step}" for step in (0, 20, 40, 60))
    return [f"{name}({given})", f"The formula: {formula}.", f"Learning rate: {numbers}."]
