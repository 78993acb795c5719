"""The check of lesson 03: a learning rate that halves every five steps."""

from __future__ import annotations

import math

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, not_built, watched
from minitf.client.session import program_of


@judge
def check_halving(
    rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation, every: int = 5
) -> Verdict:
    """The rate starts at 0.1 and halves every five steps, smoothly."""
    if not isinstance(rate, tf.Tensor):
        return Verdict(False, "`rate` is not a tensor. Let exponential_decay make it.")
    if (wrong := not_built(train_op, global_step=global_step, rate=rate)) is not None:
        return wrong
    seen = watched(train_op, global_step, rate, runs=4 * every)
    steps = [int(step) for step, _ in seen]
    rates = [float(now) for _, now in seen]
    wanted = [0.1 * 0.5 ** (run / every) for run in range(len(rates))]
    if not np.allclose(rates, wanted, rtol=1e-4):
        return Verdict(False, _mistake(steps, rates, every))
    if rate.op not in program_of(train_op).ops:
        return Verdict(
            False,
            "The optimizer does not get `rate`. So `rate` halves, and no step of training uses it.",
        )
    return Verdict(True, f"The rate is 0.1, then {rates[every]:.4g}, then {rates[2 * every]:.4g}.")


def _mistake(steps: list[int], rates: list[float], every: int) -> str:
    """Name what is wrong, the first thing first."""
    if steps[-1] == steps[0]:
        return (
            f"The step stays at {steps[0]}, so the rate stays at {rates[0]:.4g}.\n"
            "Nobody counts: minimize needs global_step=global_step."
        )
    if steps[1] - steps[0] != 1:
        return f"One run moves the step by {steps[1] - steps[0]}. Count each run once."
    if math.isnan(rates[0]):
        return (
            "The rate is nan, which is not a number: is decay_steps 0?\n"
            f"Here it has to be {every}, for the rate halves every {every} steps."
        )
    if not math.isclose(rates[0], 0.1, rel_tol=1e-4):
        return f"The rate starts at {rates[0]:.4g}. Let it start at 0.1."
    if not all(0 < rate < math.inf for rate in rates):
        return f"After one step the rate is {rates[1]:.4g}. Choose a decay_rate between 0 and 1."
    if rates[-1] == rates[0]:
        return "The step counts, but the rate does not follow it. Give it to exponential_decay."
    if rates[-1] > rates[0]:
        return (
            f"The rate grows: after {every} steps it is {rates[every]:.4g}.\n"
            "A decay_rate above 1 makes it larger. Which number makes it half?"
        )
    if rates[1] == rates[0]:
        return "The rate falls in jumps. It has to fall smoothly: leave staircase at False."
    factors = np.divide(rates[1:], rates[:-1])
    if not np.allclose(factors, factors[0], rtol=1e-3):
        return (
            "The rate does not fall by the same factor in each step. exponential_decay does that."
        )
    factor = (rates[-1] / rates[0]) ** (1 / (len(rates) - 1))  # of one step
    halves = math.log(0.5) / math.log(factor)
    return (
        f"The rate falls, but it takes {halves:.3g} steps to become half, not {every}.\n"
        "exponential_decay makes it decay_rate times as large in decay_steps steps."
    )
