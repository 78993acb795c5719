"""A check runs what a learner built, and says kindly what it found."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import minitf as tf
from minitf.client.show import program_of


@dataclass(frozen=True)
class Verdict:
    """What a check says: true if the answer is right."""

    right: bool
    message: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{'Right!' if self.right else 'Not yet.'} {self.message}"


def check_start(start: int, counter: tf.Variable, train_op: tf.Operation) -> Verdict:
    """Lesson 00: after three runs, the counter holds 13."""
    if type(start) is not int:
        return Verdict(
            False,
            f"`start` is {start!r}. A counter holds a whole number: no quotes, no point.\n"
            "Change it, and run the exercise cell again, without an error.",
        )
    if (wrong := _not_built(train_op, counter=counter)) is not None:
        return wrong
    first, *_, last = (int(step) for [step] in watched(train_op, counter, runs=3))
    if first != start:
        return Verdict(
            False,
            f"`start` is {start}, but the counter starts at {first}.\n"
            "Give `start` to the Variable, and run the exercise cell again.",
        )
    if counter in counter.graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES):
        return Verdict(False, "Training may change this counter. Keep trainable=False.")
    if last == first:
        return Verdict(
            False,
            f"The counter stays at {first}.\nNobody counts: minimize needs global_step=counter.",
        )
    if last == 13:
        return Verdict(True, "10, then 11, 12, 13: a counter can start anywhere.")
    if first == 0:
        return Verdict(False, "The counter still starts at 0, and ends at 3. Change the number.")
    if first == 13:
        return Verdict(False, f"13 is where it starts. Three runs add three: it ends at {last}.")
    return Verdict(False, f"The counter starts at {first}, and three runs later it holds {last}.")


def check_halving(
    rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation, every: int = 5
) -> Verdict:
    """Lesson 03: the rate starts at 0.1 and halves every five steps, smoothly."""
    if not isinstance(rate, tf.Tensor):
        return Verdict(False, "`rate` is not a tensor. Let exponential_decay make it.")
    if (wrong := _not_built(train_op, global_step=global_step, rate=rate)) is not None:
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


def _not_built(train_op: tf.Operation, **tensors: tf.Tensor | tf.Variable) -> Verdict | None:
    """Say what stops a run before it starts: a thing of another kind, or of another graph."""
    if not isinstance(train_op, tf.Operation):
        return Verdict(False, "`train_op` has to be what minimize returns.")
    for name, tensor in tensors.items():
        if not isinstance(tensor, tf.Tensor | tf.Variable):
            return Verdict(False, f"`{name}` is not in the graph. Make it a Variable.")
    graphs = {id(part.graph) for part in (train_op, *tensors.values())}
    if graphs != {id(tf.get_default_graph())}:  # an exercise cell that stopped half-way
        return Verdict(
            False,
            "These are from different graphs: run the exercise cell again, without an error.",
        )
    return None


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
    factor = (rates[-1] / rates[0]) ** (1 / (len(rates) - 1))  # of one step
    halves = math.log(0.5) / math.log(factor)
    return (
        f"The rate falls, but it takes {halves:.3g} steps to become half, not {every}.\n"
        "After decay_steps steps, it is decay_rate times as large."
    )


def watched(train_op: tf.Operation, *watch: tf.Tensor, runs: int) -> list[list[float]]:
    """Train in a session of its own; return what `watch` holds before the first run and after each."""
    examples = np.linspace(1, 2, 10).reshape(10, 1)
    with train_op.graph.as_default(), tf.Session() as sess:
        feeds = {placeholder: examples for placeholder, _ in program_of(train_op).parameters}
        sess.run(tf.global_variables_initializer())
        seen = [sess.run(list(watch))]
        for _ in range(runs):
            sess.run(train_op, feeds)
            seen.append(sess.run(list(watch)))
    return seen
