"""The check of lesson 06: ten steps that end near w = 1, and are counted."""

from __future__ import annotations

import math

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, not_built
from minitf.client.session import program_of

RUNS, NEAR = 10, 0.01


@judge
def check_converges(global_step: tf.Variable, train_op: tf.Operation) -> Verdict:
    """After ten runs of the train op, w is near 1 and the step is 10."""
    if (wrong := not_built(train_op, global_step=global_step)) is not None:
        return wrong
    weight = _weight(train_op.graph)
    if weight is None:
        return Verdict(False, "There is no Variable named w. Start with the loss of model().")
    try:
        if (wrong := _other_data(train_op)) is not None:
            return wrong
        weights, steps = _ten_runs(train_op, weight, global_step)
    except Exception as error:  # whatever the learner built
        reason = str(error).partition("\n")[0]
        return Verdict(False, f"A run of `train_op` stops with an error: {reason}")
    mistake = _of_the_weight(weights) or _of_the_step(steps)
    if mistake:
        return Verdict(False, mistake)
    return Verdict(True, f"After ten steps w is {weights[-1]:.4g}, and all ten are counted.")


def _weight(graph: tf.Graph) -> tf.Variable | None:
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    return next((variable for variable in variables if variable.op.name == "w"), None)


def _other_data(train_op: tf.Operation) -> Verdict | None:
    """Say so if a run does not read x and y, or if it needs more than these."""
    needed = {placeholder.op.name for placeholder, _ in program_of(train_op).parameters}
    if missing := sorted({"x", "y"} - needed):
        return Verdict(
            False,
            f"A run of `train_op` does not read {' and '.join(missing)}: "
            "it does not learn from the data.\nKeep the placeholders of model().",
        )
    if more := sorted(needed - {"x", "y"}):
        return Verdict(
            False,
            f"A run of `train_op` needs {' and '.join(more)}, too. The check feeds only x and y.",
        )
    return None


def _ten_runs(
    train_op: tf.Operation, weight: tf.Variable, global_step: tf.Variable
) -> tuple[list[float], list[int]]:
    """Return the weight and the step, before the first run and after each."""
    data = np.linspace(1, 2, 10).reshape(10, 1)
    with train_op.graph.as_default(), tf.Session() as sess:
        initialize(sess, train_op, weight, global_step)
        seen = [sess.run([weight, global_step])]
        for _ in range(RUNS):
            sess.run(train_op, {"x:0": data, "y:0": data})
            seen.append(sess.run([weight, global_step]))
    return [float(w) for w, _ in seen], [int(step) for _, step in seen]


def _of_the_weight(weights: list[float]) -> str:
    """Name what is wrong with the way of w, if anything is."""
    away = [abs(w - 1) for w in weights]
    if weights[0] != 0:
        return f"w starts at {weights[0]:.4g}. Let it start at 0, as in model()."
    if all(w == 0 for w in weights):
        return "w stays at 0: nothing moves it. Is w trainable? Is the rate above 0?"
    if away[-1] < NEAR:
        return ""
    if not math.isfinite(away[-1]):
        return "It diverges: after ten steps w is no number any more. The rate is far too large."
    now = f"After ten steps w is {weights[-1]:.4g}"
    jumps = (weights[-1] - 1) * (weights[-2] - 1) < 0
    last = away[-1] / away[-2] if away[-2] else math.inf  # how the last step changed the distance
    if away[-1] > 1.02 and last > 1 and not jumps:
        return (
            f"It diverges to one side. {now}. Each step goes up the slope, not down.\n"
            "Is the sign of the loss right, and the rate above 0?"
        )
    if away[-1] > 1.02 and last > 1:
        return (
            f"It diverges. {now}: the last step multiplied |w - 1| by {last:.4g}.\n"
            "The rate is above the stability limit. Make the rate smaller, or the curvature."
        )
    if away[-1] > 1.02:
        return (
            f"It turns back too late. {now}: the first steps led too far away.\n"
            "Start with a smaller rate."
        )
    if away[-1] > 0.98 and jumps:
        return (
            f"{now}, as far from 1 as before. The rate is at the stability limit: make it smaller."
        )
    if jumps:
        advice = "w jumps over 1 at each step: make the rate smaller."
    elif away[1] > 1:
        advice = "The first steps led too far away, the last ones are too short: begin with a smaller rate."
    else:
        advice = "w comes from one side, in short steps: make the rate larger, and mind the limit."
    return (
        f"It converges, but too slowly. {now}, and |w - 1| is {away[-1]:.4g}, not below {NEAR:g}.\n"
        f"{advice}"
    )


def _of_the_step(steps: list[int]) -> str:
    """Name what is wrong with the step, if anything is."""
    if steps[-1] == steps[0]:
        return (
            f"w is near 1. But the step stays at {steps[0]}.\n"
            "Nobody counts: minimize needs global_step=global_step."
        )
    if steps[0] != 0:
        return f"w is near 1. But the step starts at {steps[0]}. Let it start at 0."
    if steps[-1] != RUNS:
        return f"w is near 1. But after ten runs the step is {steps[-1]}. Count each run once."
    return ""
