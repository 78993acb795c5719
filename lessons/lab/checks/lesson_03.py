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
        return "`rate` is not a tensor. Let exponential_decay make it."
    if wrong := not_built(train_op, global_step=global_step, rate=rate):
        return wrong
    steps, rates = np.array(watched(train_op, global_step, rate, runs=4 * every), float).T
    if not np.allclose(rates, 0.1 * 0.5 ** (np.arange(len(rates)) / every), rtol=1e-4):
        return miscounted("global_step", steps) or _mistake(rates, every)
    if rate.op not in program_of(train_op).ops:
        return "The optimizer does not get `rate`. So `rate` halves, but no training step uses it."
    return Verdict(True, f"The rate is 0.1, then {rates[every]:.4g}, then {rates[2 * every]:.4g}.")


def _mistake(rates: np.ndarray, every: int) -> str:
    """Name what is wrong, the first thing first."""
    first, second, last = rates[0], rates[1], rates[-1]
    if math.isnan(first):
        return f"The rate is nan (not a number): is decay_steps 0? Here it should be {every}."
    if not math.isclose(first, 0.1, rel_tol=1e-4):
        return f"The rate starts at {first:.4g}. Let it start at 0.1."
    if not all(0 < rate < math.inf for rate in rates):
        return f"After one step the rate is {second:.4g}. Choose a decay_rate between 0 and 1."
    if last == first:
        return "The step counts, but the rate does not follow it. Give it to exponential_decay."
    if last > first:
        larger = "A decay_rate above 1 makes it larger. Which number makes it half?"
        return f"The rate grows: after {every} steps it is {rates[every]:.4g}.\n{larger}"
    if second == first:
        return "The rate falls in jumps. It should fall smoothly: leave staircase at False."
    factors = rates[1:] / rates[:-1]
    if not np.allclose(factors, factors[0], rtol=1e-3):
        return "The rate does not fall by the same factor in each step, as exponential_decay does."
    halves = (len(rates) - 1) * math.log(0.5) / math.log(last / first)
    rule = "exponential_decay makes it decay_rate times as large in decay_steps steps."
    return f"The rate falls, but it takes {halves:.3g} steps to become half, not {every}.\n{rule}"
