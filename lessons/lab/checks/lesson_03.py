"""The check of lesson 03: a learning rate that halves every five steps."""

import math

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, miscounted, not_built, watched
from minitf.client.session import program_of


@judge
def check_halving(
    rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation, every: int = 5
) -> Verdict | str:
    """The rate starts at 0.1 and halves every five steps, smoothly."""
    if not isinstance(rate, tf.Tensor):
        return "Let exponential_decay make `rate`, which isn't a tensor yet."
    if wrong := not_built(train_op, global_step=global_step, rate=rate):
        return wrong
    steps, rates = np.array(watched(train_op, global_step, rate, runs=4 * every), float).T
    if not np.allclose(rates, 0.1 * 0.5 ** (np.arange(len(rates)) / every), rtol=1e-4):
        return _still(steps) or miscounted("global_step", steps) or _mistake(rates, every)
    if rate.op not in program_of(train_op).ops:
        return "Pass `rate` to the optimizer. It halves now, but no training step uses it."
    return Verdict(True, f"The rate is 0.1, then {rates[every]:.4g}, then {rates[2 * every]:.4g}.")


def _still(steps: np.ndarray) -> str:
    """Say that nothing counts, if so; who should is lesson 04's secret."""
    said = (
        f"Compare your `train_op` with `with_step` above. Here `global_step` stays at {steps[0]:g}."
    )
    return said if steps[-1] == steps[0] else ""


def _mistake(rates: np.ndarray, every: int) -> str:
    """Name what is wrong, the first thing first."""
    first, second, last = rates[0], rates[1], rates[-1]
    if math.isnan(first):
        return (
            f"Try decay_steps={every}. The rate is nan (not a number), as it is with decay_steps=0."
        )
    if not math.isclose(first, 0.1, rel_tol=1e-4):
        return f"Let the rate start at 0.1. It starts at {first:.4g}."
    if not all(0 < rate < math.inf for rate in rates):
        return f"Choose a decay_rate between 0 and 1. After one step the rate is {second:.4g}."
    if last == first:
        return "Pass the step to exponential_decay. It counts, but the rate doesn't follow it."
    if last > first:
        grows = f"The rate grows, and after {every} steps it's {rates[every]:.4g}."
        return (
            f"{grows}\nA decay_rate above 1 makes it larger. Which number makes it half as large?"
        )
    if second == first:
        return "Leave staircase at False, so that the rate falls smoothly. Now it jumps."
    factors = rates[1:] / rates[:-1]
    if not np.allclose(factors, factors[0], rtol=1e-3):
        return "Try exponential_decay. Your rate doesn't fall by the same factor in each step."
    halves = (len(rates) - 1) * math.log(0.5) / math.log(last / first)
    rule = "In decay_steps steps, exponential_decay multiplies the rate by decay_rate."
    return (
        f"It falls! But it takes {halves:.3g} steps to become half as large, not {every}.\n{rule}"
    )
