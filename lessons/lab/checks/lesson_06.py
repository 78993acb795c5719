"""The check of lesson 06: ten steps on the posts' loss that end near w = 1, and are counted."""

import math

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, examples_for, judge, miscounted, not_built, watched
from lab.experiments.errors import first_line
from lab.experiments.ordering import updates_of
from minitf.client.session import program_of

RUNS, NEAR = 10, 0.02
SUM, SLOPE = 23.5185, -47.0370  # of the posts' ten losses at w = 0
REPAIR = "Keep the loss: repair the rate."
OTHER_RULE = """This optimizer moves w by another rule, and the stability limit is about plain gradient
descent. Keep GradientDescentOptimizer, and choose its rate."""


@judge
def check_converges(
    loss: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation
) -> Verdict | str:
    """After ten runs of the train op, w is near 1 and the step is 10; the loss is as it was."""
    if not isinstance(loss, tf.Tensor):
        return f"`loss` should be what model() returns. {REPAIR}"
    if wrong := not_built(train_op, global_step=global_step, loss=loss):
        return wrong
    weight = next((v for v in tf.global_variables() if v.op.name == "w"), None)
    if weight is None:
        return "There is no Variable named w. Start with the loss of model()."
    fed = sorted(placeholder.op.name for placeholder in examples_for(train_op))
    if fed != ["x", "y"]:
        return f"A run of `train_op` reads {', '.join(fed) or 'no placeholder'}. Keep to x and y of model()."
    updates = updates_of(weight, program_of(train_op).ops)
    if len(updates) != 1:
        return f"{len(updates)} ops of a run move w. Let one do it, built by minimize(loss)."
    if updates[0].type != "ApplyGradientDescent":
        return OTHER_RULE
    try:
        watch = [weight, global_step, loss, updates[0].inputs[-1]]
        seen = watched(train_op, *watch, runs=RUNS, fed=True)
        seen = np.array([[w, step, np.sum(losses), slope] for w, step, losses, slope in seen])
    except Exception as error:  # whatever the learner built
        return f"A run of `train_op` stops with an error: {first_line(error)}"
    (start, first, total, slope), weights, steps = seen[0], seen[:, 0], seen[:, 1]
    if start != 0:
        return f"w starts at {start:.4g}. Let it start at 0, as in model()."
    if not math.isclose(total, SUM, rel_tol=1e-3):
        return (
            f"At w = 0 this loss is {total:.4g}, and the sum of the posts' is {SUM:.4g}.\n{REPAIR}"
        )
    if not math.isclose(slope, SLOPE, rel_tol=1e-3):
        return f"At w = 0 you train on a slope of {slope:.4g}, and that of `loss` is {SLOPE:.4g}.\n{REPAIR}"
    if wrong := _of_the_weight(weights):
        return wrong
    if wrong := miscounted("global_step", steps):
        return f"w is near 1. But {wrong}"
    if first != 0:
        return f"w is near 1. But `global_step` starts at {first:g}. Let it start at 0."
    return Verdict(True, f"After ten steps w is {weights[-1]:.4g}, and all ten are counted.")


def _of_the_weight(weights: np.ndarray) -> str:
    """Name what is wrong with the way of w, if anything is."""
    away = abs(weights - 1)
    if not any(weights):
        return "w stays at 0: the rate is 0. Compute one that is above 0 and below the limit."
    if away[-1] < NEAR:
        return ""
    if not math.isfinite(away[-1]):
        return "It diverges: after ten steps w is not a number any more. The rate is far too large."
    now = f"After ten steps w is {weights[-1]:.4g}"
    jumps = (weights[-1] - 1) * (weights[-2] - 1) < 0
    last = away[-1] / away[-2]  # how the last step changed the distance
    if away[-1] > 1.02:
        if last <= 1:
            return f"It turns back too late. {now}: the first steps led too far. Start with a smaller rate."
        above = "The rate is above the stability limit: compute that, and stay below it."
        why = above if jumps else "Each step goes up the slope: is the rate above 0?"
        return f"It diverges. {now}: the last step multiplied |w - 1| by {last:.4g}.\n{why}"
    if away[-1] > 0.98 and jumps:
        return f"{now}, as far off as before. The rate is at the stability limit: make it smaller."
    if jumps:
        advice = "w jumps over 1 at each step: make the rate smaller."
    elif away[1] > 1:
        advice = "The first steps led too far away, the last ones are too short: start with a smaller rate."
    else:
        advice = "w comes from one side, in short steps: make the rate larger, and mind the limit."
    return f"It converges, but too slowly. {now}: |w - 1| is {away[-1]:.4g}, not below {NEAR:g}.\n{advice}"
