"""A learning rate is a function of the step: here is each decay schedule of `tf.train`, as numbers."""

import random
from collections.abc import Sequence

import minitf as tf

# Each schedule: its arguments, in order, and its formula; `{passed}` is step / decay_steps.
STAIRS = "learning_rate decay_steps decay_rate staircase"
LIMITED = "passed = min(step / decay_steps, 1)"
SCHEDULES = {
    "exponential_decay": (STAIRS, "learning_rate * decay_rate ** {passed}"),
    "natural_exp_decay": (STAIRS, "learning_rate * exp(-decay_rate * {passed})"),
    "inverse_time_decay": (STAIRS, "learning_rate / (1 + decay_rate * {passed})"),
    "polynomial_decay": (
        "learning_rate decay_steps end_learning_rate power cycle",
        f"end + (learning_rate - end) * (1 - passed) ** power, {LIMITED}",
    ),
    "piecewise_constant": (
        "boundaries[0] boundaries[1] values[0] values[1] values[2]",
        "values[0] while step <= boundaries[0], values[1] while step <= boundaries[1], then values[2]",
    ),
    "cosine_decay": (
        "learning_rate decay_steps alpha",
        f"learning_rate * (alpha + (1 - alpha) * (1 + cos(pi * passed)) / 2), {LIMITED}",
    ),
    "cosine_decay_restarts": (
        "learning_rate first_decay_steps t_mul m_mul alpha",
        "cosine_decay again and again, each time t_mul times as long and m_mul times as high",
    ),
    "linear_cosine_decay": (
        "learning_rate decay_steps num_periods alpha beta",
        "learning_rate * (beta + (alpha + 1 - passed) * (1 + cos(2 * pi * num_periods * passed)) / 2), "
        f"{LIMITED}",
    ),
}


def rates(schedule: str, steps: int, **arguments: object) -> list[float]:
    """Return the learning rates that this `tf.train` schedule gives for the steps 0 to `steps`."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        clock = "x" if schedule == "piecewise_constant" else "global_step"
        rate = getattr(tf.train, schedule)(**{clock: step}, **arguments)
        # We feed the clock instead of counting, so each step we look at costs one run.
        return [float(sess.run(rate, {step: now})) for now in range(steps + 1)]


def weights(rates: Sequence[float]) -> list[float]:
    """Return the weight before each step of gradient descent at these rates, from 0 on.

    Each batch of noisy examples asks for a different weight, between 0.5 and 1.5; 1 is right.
    """
    noise = random.Random(39)  # the same batches for every schedule
    weight, held = 0.0, []
    for rate in rates:
        held.append(weight)
        gradient = 2 * (weight - noise.uniform(0.5, 1.5))  # of (weight - asked) ** 2
        weight -= rate * gradient
    return held
