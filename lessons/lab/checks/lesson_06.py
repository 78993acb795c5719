"""The check of lesson 06: ten steps on the posts' loss that end near w = 1, and are counted."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, examples_for, judge, miscounted, not_built, watched
from lab.experiments.errors import first_line
from lab.experiments.ordering import updates_of
from minitf.client.session import program_of

RUNS, NEAR = 10, 0.02
ROUNDING = 1e-5  # a distance that changes by less stands still
SUM, SLOPE = 23.5185, -47.0370  # of the posts' ten losses at w = 0
REPAIR = "Keep the loss, and repair the rate."
TOO_LARGE = "the rate is above the stability limit. Try computing the limit, and stay below it."
UPHILL = "w goes up the slope. Is the rate above 0?"
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
        return "There's no Variable named w. Try starting with the loss of model()."
    fed = sorted(placeholder.op.name for placeholder in examples_for(train_op))
    if fed != ["x", "y"]:
        return f"A run of `train_op` reads {', '.join(fed) or 'no placeholder'}. Keep to x and y of model()."
    updates = updates_of(weight, program_of(train_op).ops)
    if len(updates) != 1:
        return f"In a run, {len(updates)} ops move w. Let one do it, built by minimize(loss)."
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
        return f"At w = 0 this loss is {total:.4g}, but the posts' losses add up to {SUM:.4g}.\n{REPAIR}"
    if not math.isclose(slope, SLOPE, rel_tol=1e-3):
        trained = f"At w = 0 you train on a slope of {slope:.4g}"
        return f"{trained}, but the slope of `loss` is {SLOPE:.4g}.\n{REPAIR}"
    if wrong := _of_the_weight(weights):
        return wrong
    if wrong := miscounted("global_step", steps):
        return f"w is near 1, but {wrong}"
    if first != 0:
        return f"w is near 1, but `global_step` starts at {first:g}. Let it start at 0."
    return Verdict(True, "\n".join(_reached(weights)))


def _reached(weights: np.ndarray) -> Iterator[str]:
    """Say where the ten steps ended, and whether more of them would have stayed there."""
    away = abs(weights - 1)
    yield f"After ten steps w is {weights[-1]:.4g}, and all ten are counted."
    yield _distances(away)
    if away[1] > away[0]:
        yield "It ran away first, though, until the decay brought the rate below the limit."
    if away[-1] - away[-2] > ROUNDING:
        yield "So you stopped just in time: w is inside the range, but its last steps lead away from 1,"
        yield "and with more of them it would be outside again. Compare the last rates with the limit."


def _of_the_weight(weights: np.ndarray) -> str:
    """Name what is wrong with the way of w, if anything is, and show its ten distances."""
    away = abs(weights - 1)
    if not any(weights):
        return "w stays at 0, because the rate is 0. Try one that is above 0 and below the limit."
    if away[-1] < NEAR:
        return ""
    if not math.isfinite(away[-1]):
        return "It diverges so far that after ten steps w is not a number any more. Try a far smaller rate."
    what, advice = _diagnosed(weights, away)
    return f"{what}\n{_distances(away)}\n{advice}"


def _diagnosed(weights: np.ndarray, away: np.ndarray) -> tuple[str, str]:
    """Say what happened in the ten steps, and what to try."""
    now = f"After ten steps w is {weights[-1]:.4g}"
    jumps = (weights[-1] - 1) * (weights[-2] - 1) < 0
    last = away[-1] / away[-2]  # how the last step changed the distance
    best = int(np.argmin(away))
    if last > 1 and away[best] < 0.9:
        what = (
            f"It came closer, then turned away. {now}, "
            f"but after step {best} it was {away[best]:.2g} from 1."
        )
        return what, f"By the end, {TOO_LARGE if jumps else UPHILL}"
    if away[-1] > 1.02 and last <= 1:
        what = (
            f"It does start to converge, but too late. {now}, because the first steps went too far."
        )
        return what, "Start with a smaller rate."
    if away[-1] > 1.02:
        what = f"It diverges. {now}, and the last step multiplied |w - 1| by {last:.4g}."
        when = "Here" if away[1] > away[0] else "By the end,"
        return what, f"{when} {TOO_LARGE if jumps else UPHILL}"
    if away[-1] > 0.98 and jumps:
        what = f"{now}, as far off as before."
        return what, "The rate is at the stability limit. Try a smaller one."
    if jumps:
        advice = "w jumps over 1 at each step. Try a smaller rate."
    elif away[1] > 1:
        advice = "The first steps led too far away, and the last ones are too short. Start smaller."
    else:
        advice = "w comes from one side, in short steps. Try a larger rate, and mind the limit."
    return f"It converges, but too slowly. {now}, so |w - 1| isn't below {NEAR:g}.", advice


def _distances(away: np.ndarray) -> str:
    """Return |w - 1| at the start and after each step, and where it shrinks and where it grows."""
    ways: list[tuple[str, int]] = []
    for step, (before, after) in enumerate(itertools.pairwise(away), start=1):
        way = "grows" if after > before else "shrinks"
        if abs(after - before) < ROUNDING:
            way = "stands still"
        if ways and ways[-1][0] == way:
            ways.pop()
        ways.append((way, step))
    turns = [f"{way} up to step {step}" for way, step in ways]
    told = ", then ".join(turns) if len(turns) > 1 else f"{ways[0][0]} all the way"
    return f"|w - 1| goes {', '.join(map(_short, away))}. It {told}."


def _short(distance: float) -> str:
    if distance < ROUNDING:
        return "0"
    return f"{distance:.2g}" if distance < 100 else f"{distance:.4g}"
