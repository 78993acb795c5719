"""The check of lesson 09: a training loop that stops before the batch that would ruin the weights."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, advice, first_that_holds, judge, no_function
from lab.experiments.errors import first_line

# One image of one pixel, and its label. At 200 the model is sure that the first answer is right.
BATCHES = {"good": (1.0, [1.0, 0.0]), "large": (50.0, [0.0, 1.0])}
RUINOUS = {"nan": (200.0, [1.0, 0.0]), "inf": (200.0, [0.0, 1.0])}
RUNS = ("good large good", "good good good nan good good", "nan good", "good inf good")
HUGE = 1e12  # how many times as large the loss is in the last run, whose training is the same
STOPPED = {
    "minitf has no": "Try looking at the loss in Python: run it with the feed.",
    "placeholder": "The loss needs the batch, too: pass `feed` to that run.",
    "": "It should return without an error.",
}
TOO_LATE = """By the time it stopped, the model had already been trained on that batch.
Try looking at the loss first, in a separate run."""
INF = "It stops at nan, but an infinite loss got through and ruined the weights."
COMPARED = """An infinite loss would have stopped it, but nan got through, because every comparison
with nan is False. Try testing whether the loss is a number."""
LIMIT = """The size of a loss doesn't ruin the weights, and what's large for one model is normal for another.
Try testing whether the loss is a number."""
RIGHT = """It learns from every good batch, even from one with a large loss.
Before a batch whose loss is nan or inf it stops: every weight is a number, and the step is right."""


@judge
def check_guard(train_guarded: Callable[..., Any]) -> Iterator[Verdict | str]:
    """train_guarded(sess, train_op, loss, batches) learns from each batch before the first ruinous one."""
    yield no_function(train_guarded=train_guarded)
    for names in map(str.split, RUNS):
        found = _trained(train_guarded, names)
        yield found if isinstance(found, str) else _of_the_guard(train_guarded, names, *found)
    names = RUNS[0].split()
    found = _trained(train_guarded, names, HUGE)
    yield _of_a_limit(len(names), found)
    yield Verdict(True, RIGHT)


def _unguarded(sess: tf.Session, train_op: tf.Operation, loss: tf.Tensor, batches: Any) -> None:
    for feed in batches:
        sess.run(train_op, feed)


def _trained(
    train: Callable[..., Any], names: Sequence[str], scale: float = 1.0
) -> tuple[int, np.ndarray] | str:
    """Train a small model on these batches; return the step and the weights, or why it stopped.

    The loss is `scale` times as large and the rate as much smaller, so the training is the same.
    """
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 2])
        w = tf.Variable([[1.0, 0.0]])
        logs = tf.log(tf.nn.softmax(tf.matmul(x, w)))
        loss = scale * tf.reduce_mean(-tf.reduce_sum(y * logs, reduction_indices=[1]))
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.001 / scale).minimize(loss, global_step=step)
        sess.run(tf.global_variables_initializer())
        chosen = [(BATCHES | RUINOUS)[name] for name in names]
        try:
            train(sess, train_op, loss, ({x: [[pixel]], y: [label]} for pixel, label in chosen))
        except Exception as error:  # whatever the learner wrote
            said = first_line(error)
            return f"`train_guarded` stops with an error: {said}\n{advice(said, STOPPED)}"
        return sess.run([step, w])


def _of_a_limit(batches: int, found: tuple[int, np.ndarray] | str) -> str:
    """Say what is wrong if a loss that is large, but a number, stops the training."""
    if isinstance(found, str) or found[0] == batches:
        return found if isinstance(found, str) else ""
    return f"Of {batches} batches with losses of up to {50 * HUGE:.0e}, it learned from {found[0]}.\n{LIMIT}"


def _of_the_guard(train: Callable[..., Any], names: list[str], step: int, w: np.ndarray) -> str:
    """Name what is wrong after these batches, if anything is."""
    last = next((at for at, name in enumerate(names) if name in RUINOUS), len(names))
    bad, ruined = "".join(names[last : last + 1]), not np.isfinite(w).all()
    wanted = _trained(_unguarded, names[:last])
    why = first_that_holds(
        (step == wanted[0] and np.array_equal(w, wanted[1]), ""),
        (ruined and bad == "inf", INF),
        (ruined and step == last + 1, TOO_LATE),
        (ruined and _stops_at_inf(train), COMPARED),
        (ruined, "Nothing stopped it. Try looking at the loss of a batch before you train on it."),
        (step == last, "The step is right, but the weights aren't: `train_op` does both."),
        (
            names[step : step + 1] == ["large"],
            f"A loss of 50 is large, but it's a number.\n{LIMIT}",
        ),
        (step < last, f"It should have learned from {last} of them."),
        (bad, "Stop for good before that batch, and count only what was learned."),
        (True, "Train once on each."),
    )
    number = f"number {last + 1} has a loss of {bad}" if bad else "none has a loss of nan or inf"
    after = "every weight is nan" if ruined else "every weight is a number"
    said = f"Of {len(names)} batches, {number}. Afterwards the step is {step}, and {after}."
    return why and f"{said}\n{why}"


def _stops_at_inf(train: Callable[..., Any]) -> bool:
    """Whether an infinite loss stops it before the weights are ruined."""
    found = _trained(train, RUNS[-1].split())
    return not isinstance(found, str) and bool(np.isfinite(found[1]).all())
