"""The check of lesson 06: ten steps on the posts' loss that end near w = 1, and are counted."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, listed, watched
from lab.experiments.ordering import updates_of
from minitf.client.session import program_of

RUNS, NEAR = 10, 0.02
START = (0, 23.5185, -47.0370)  # w, the sum of the posts' ten losses, and the slope of this sum
OTHER_LOSS = """At the start, w is {:.4g}, the losses add up to {:.4g}, and you train on a slope of {:.4g}.
In the posts they're 0, 23.52 and -47.04. Keep the loss, and repair the rate."""
OTHER_RULE = """The stability limit is about plain gradient descent. Keep one GradientDescentOptimizer that
moves w, and choose its rate."""


@judge
def check_converges(
    loss: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation
) -> Verdict | str:
    """After ten runs of the train op, w is near 1 and the step is 10; the loss is as it was."""
    program, weight = program_of(train_op), loss.graph.get_tensor_by_name("w:0")
    fed = sorted(tensor.op.name for tensor, _ in program.parameters)
    if fed != ["x", "y"]:
        return f"A run of `train_op` reads {listed(fed) or 'no placeholder'}. Keep to x and y of model()."
    updates = updates_of(weight, program.ops)
    if [op.type for op in updates] != ["ApplyGradientDescent"]:
        return OTHER_RULE
    seen = watched(train_op, weight, global_step, loss, updates[0].inputs[-1], runs=RUNS)
    seen = np.array([[np.sum(values) for values in now] for now in seen])
    if not np.allclose(start := seen[0, [0, 2, 3]], START, rtol=1e-3):
        return OTHER_LOSS.format(*start)
    weights, steps = seen[:, 0], seen[:, 1]
    away = abs(weights - 1)
    ways = f"|w - 1| goes {listed(f'{distance:.3g}' for distance in away)}."
    if not away[-1] < NEAR:
        return f"After ten steps w is {weights[-1]:.4g}. {_advice(weights, away)}\n{ways}"
    if list(steps) != list(range(RUNS + 1)):
        return (
            f"w is near 1, but `global_step` goes {listed(steps[:4])}. Count each run once, from 0."
        )
    return Verdict(
        True, f"After ten steps w is {weights[-1]:.4g}, and all ten are counted.\n{ways}"
    )


def _advice(weights: np.ndarray, away: np.ndarray) -> str:
    """Say what to try, by how far w was from 1 and where the last step led."""
    jumps = (weights[-1] - 1) * (weights[-2] - 1) < 0
    if not away[-1] < away[-2]:
        if jumps or not np.isfinite(away[-1]):
            return "By then, the rate is too large. Try computing the stability limit, and stay below it."
        return "By then, w comes no closer to 1. Is the rate above 0?"
    if max(away) > 1:
        return "The first steps led too far away. Start with a smaller rate."
    if jumps:
        return "It jumps over 1 at each step. Try a smaller rate."
    return "It comes from one side, in short steps. Try a larger rate, and mind the limit."
