"""The check of lesson 14: a program whose count lives in a state that it takes and returns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, type_and_first_line

START, FACTOR, EVERY, STEPS = 0.1, 0.5, 4, 10
LATER = 8  # a count at which the check begins, too
Train = Callable[[float, dict, int], tuple[float, dict]]


@judge
def check_ported(schedule: Callable[[int], float], train: Train) -> Verdict:
    """The schedule halves in stairs, and `train` moves w and the count as TensorFlow 1 does."""
    for name, function in (("schedule", schedule), ("train", train)):
        if not callable(function):
            return Verdict(False, f"`{name}` has to be a function. Run the exercise cell again.")
    mistake = _of_the_schedule(schedule) or _of_a_run(train) or _of_the_state(train)
    if mistake:
        return Verdict(False, mistake)
    w, _ = in_tensorflow_1(0.0, 0, STEPS)
    return Verdict(
        True,
        f"After {STEPS} steps w is {w:.4f}, as in TensorFlow 1: in one run, and in two with a stop between.",
    )


def in_tensorflow_1(w: float, count: int, steps: int) -> tuple[float, list[float]]:
    """Run the program of the exercise from any `w` and count; return w, and the rate of each step."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.linspace(1, 2, 10), tf.float32)
        weight, step = tf.Variable(w), tf.Variable(count, trainable=False)
        rate = tf.train.exponential_decay(START, step, EVERY, FACTOR, staircase=True)
        loss = tf.reduce_mean((weight * x - x) ** 2)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
        sess.run(tf.global_variables_initializer())
        rates = [float(sess.run([train_op, rate])[1]) for _ in range(steps)]
        return float(sess.run(weight)), rates


def _near(number: float, other: float) -> bool:
    return math.isclose(number, other, rel_tol=1e-4, abs_tol=1e-6)


def _of_the_schedule(schedule: Callable[[int], float]) -> str:
    """Name what is wrong with the rates, if anything is."""
    _, meant = in_tensorflow_1(0.0, 0, 3 * EVERY)
    try:
        rates = [float(schedule(count)) for count in range(len(meant) + 1)]
    except Exception as error:
        return f"`schedule` stops with an error: {type_and_first_line(error)}"
    wrong = [n for n, rate in enumerate(meant) if not _near(rates[n], rate)]
    if not wrong:
        return ""
    n = wrong[0]
    now = f"`schedule({n})` gives {rates[n]:.4g}. TensorFlow 1 has {meant[n]:.4g} there."
    if len(set(rates)) == 1:
        return f"{now}\nThis rate never changes: use the count."
    if all(_near(rates[n], START * FACTOR ** (n / EVERY)) for n in range(len(meant))):
        return f"{now}\nstaircase=True: the rate stays for {EVERY} steps, then jumps."
    if all(_near(rates[n], meant[n + 1]) for n in range(len(meant) - 1)):
        return f"{now}\nIt jumps one step too early: the first step has the count 0."
    if all(_near(rates[n + 1], meant[n]) for n in range(len(meant))):
        return f"{now}\nIt jumps one step too late: the first step has the count 0."
    if all(_near(rates[n], START * FACTOR**n) for n in range(4)):
        return f"{now}\nIt halves at every step. decay_steps is {EVERY}."
    return f"{now}\nEvery {EVERY} steps the rate is multiplied by {FACTOR}."


def _after(train: Train, w: float, count: int, steps: int) -> tuple[float, int] | str:
    """Call `train`; return w and the count, or what is wrong with what it returns."""
    state = {"count": count}
    try:
        result = train(w, state, steps)
    except Exception as error:
        return f"`train` stops with an error: {type_and_first_line(error)}"
    if state != {"count": count}:
        return (
            f"`train` changes the state that it was given: the count in it was {count}, and is "
            f"{state.get('count')}.\nSomebody may have saved it. Leave it, and return a new one."
        )
    if not isinstance(result, tuple | list) or len(result) != 2:
        return "`train` has to return two things: the new w, and the new state."
    new_w, new_state = result
    if isinstance(new_w, Mapping):
        return "`train` returns the state first. Return w, then the state."
    if not isinstance(new_state, Mapping) or "count" not in new_state:
        return "The second thing that `train` returns is no state. Return what `update` gave last."
    try:
        return float(new_w), int(new_state["count"])
    except (TypeError, ValueError):
        return "`train` has to return a number as w, and a count that is a number."


def _of_a_run(train: Train) -> str:
    """Name what is wrong with ten steps from the start, if anything is."""
    seen = _after(train, 0.0, 0, STEPS)
    if isinstance(seen, str):
        return seen
    w, count = seen
    meant, _ = in_tensorflow_1(0.0, 0, STEPS)
    now = f"After {STEPS} steps w is {w:.4g}, and the count is {count}."
    if w == 0:
        return f"{now}\nNobody moves w: add what `update` returns first."
    if w < 0:
        return f"{now}\nw goes the wrong way. What `update` returns has its minus sign already: add it."
    if count == 0:
        return f"{now}\nEach update begins at 0 again. Keep the new state that `update` returns."
    if count != STEPS:
        return f"{now}\nOne update counts once: {STEPS} steps make {STEPS}."
    if not _near(w, meant):
        return f"{now} TensorFlow 1 has {meant:.4g}.\nEach step has its own rate, and its own gradient(w)."
    return ""


def _of_the_state(train: Train) -> str:
    """Name what is wrong when a run goes on where another one stopped, if anything is."""
    meant, _ = in_tensorflow_1(0.0, 0, STEPS)
    first = _after(train, 0.0, 0, STEPS // 2)
    second = first if isinstance(first, str) else _after(train, *first, STEPS - STEPS // 2)
    if isinstance(second, str):
        return second
    w, count = second
    if count != STEPS or not _near(w, meant):
        return (
            f"{STEPS} steps in one run are right. But with a stop after {STEPS // 2}, the count ends at "
            f"{count}, and w at {w:.4f}, not {meant:.4f}.\n"
            "Begin with the state that `train` is given, not with a new one."
        )
    later, _ = in_tensorflow_1(0.0, LATER, 1)
    seen = _after(train, 0.0, LATER, 1)
    if isinstance(seen, str):
        return seen
    if not _near(seen[0], later) or seen[1] != LATER + 1:
        return (
            f"One step from the count {LATER} leads to w = {seen[0]:.4f} and the count {seen[1]}, "
            f"not to {later:.4f} and {LATER + 1}.\nUse no counter but the one in the state."
        )
    return ""
