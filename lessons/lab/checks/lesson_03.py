"""The check of lesson 03: a learning rate that halves every five steps."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, miscounted, watched
from minitf.client.session import program_of


@judge
def check_halving(
    rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation
) -> Verdict | str:
    """The rate starts at 0.1 and halves every five steps, smoothly."""
    steps, rates = np.array(watched(train_op, global_step, rate, runs=10), float).T
    if steps[-1] == steps[0]:  # who should count is lesson 04's secret
        return f"Compare your `train_op` with `with_step` above. Here `global_step` stays at {steps[0]:g}."
    if wrong := miscounted("global_step", steps) or _mistake(rates):
        return wrong
    if rate.op not in program_of(train_op).ops:
        return "Pass `rate` to the optimizer. It halves now, but no training step uses it."
    return Verdict(True, f"The rate is 0.1, then {rates[5]:.4g}, then {rates[10]:.4g}.")


def _mistake(rates: np.ndarray) -> str:
    """Name what is wrong with the rate before the first run and after each, if anything is."""
    if np.allclose(rates, 0.1 * 0.5 ** (np.arange(11) / 5), rtol=1e-4):
        return ""
    if not np.isclose(rates[0], 0.1, rtol=1e-4):
        return f"Let the rate start at 0.1. It starts at {rates[0]:.4g}."
    if rates[-1] == rates[0]:
        return "Pass the step to exponential_decay. It counts, but the rate doesn't follow it."
    if rates[1] == rates[0]:
        return "Leave staircase at False, so that the rate falls smoothly. Now it jumps."
    return (
        f"After 5 steps the rate is {rates[5]:.4g} instead of 0.05, and after 10 it's {rates[10]:.4g}.\n"
        "In decay_steps steps, exponential_decay multiplies the rate by decay_rate."
    )
