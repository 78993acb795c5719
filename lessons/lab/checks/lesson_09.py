"""The check of lesson 09: a training loop that stops before the batch that would ruin the weights."""

from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_that_holds, judge

LOSSES = {"good": 1.0, "large": 1e12, "nan": np.nan, "inf": np.inf}  # of the batches
RUNS = ("good large good", "good inf good good", "good good good nan good good", "nan good")
TOO_LATE = """By the time it stopped, the model had already been trained on that batch.
Try looking at the loss first, in a separate run."""
NOTHING = """Nothing stopped it. Try looking at the loss first, and testing whether it's a number.
Neither nan nor inf is one, and every comparison with nan is False."""
LIMIT = """It should have learned from {}. The size of a loss doesn't ruin the weights,
so try testing only whether it's a number."""
RIGHT = """It learns from every good batch, even from one with a large loss.
Before a batch whose loss is nan or inf it stops: the weight is a number, and the step is right."""


@judge
def check_guard(train_guarded: Callable) -> Iterator[Verdict | str]:
    """train_guarded(sess, train_op, loss, batches) learns from each batch before the first ruinous one."""
    for names in map(str.split, RUNS):
        yield _of_the_guard(names, *_trained(train_guarded, names))
    yield Verdict(True, RIGHT)


def _trained(train: Callable, names: list[str]) -> tuple[int, float]:
    """Train a weight on batches with these losses; return the step and the weight."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, w = tf.placeholder(tf.float64, []), tf.Variable(1.0, dtype=tf.float64)
        step, loss = tf.train.get_or_create_global_step(), x * w
        train_op = tf.train.GradientDescentOptimizer(1e-13).minimize(loss, global_step=step)
        sess.run(tf.global_variables_initializer())
        train(sess, train_op, loss, ({x: LOSSES[name]} for name in names))
        return sess.run([step, w])


def _unguarded(
    sess: tf.Session, train_op: tf.Operation, loss: tf.Tensor, batches: Iterator
) -> None:
    for feed in batches:
        sess.run(train_op, feed)


def _of_the_guard(names: list[str], step: int, w: float) -> str:
    """Name what is wrong after these batches, if anything is."""
    good = next((at for at, name in enumerate(names) if name in ("nan", "inf")), len(names))
    bad, ruined = "".join(names[good : good + 1]), not np.isfinite(w)
    why = first_that_holds(
        ((step, w) == tuple(_trained(_unguarded, names[:good])), ""),
        (ruined and step == good + 1, TOO_LATE),
        (ruined, NOTHING),
        (step == good, "The step is right, but the weight isn't: `train_op` does both."),
        (step < good, LIMIT.format(good)),
        (bad, "Stop for good before that batch, and count only what was learned."),
        (True, "Train once on each."),
    )
    number = f"number {good + 1} has a loss of {bad}" if bad else "none has a loss of nan or inf"
    said = f"Of {len(names)} batches, {number}. Afterwards the step is {step}, and the weight is {w:g}."
    return why and f"{said}\n{why}"
