"""The check of lesson 08: training, the rate and log_test share one step, made in two files."""

from collections.abc import Callable

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_that_holds, initialize, judge, listed
from lab.experiments.ordering import reads_of, updates_of
from minitf.client.session import program_of

AT = (0, 50, 100)  # the steps before the runs after which log_test puts its points
UNTRAINED = """This train op doesn't train `w`.
Try returning what `minimize(loss)` returns, or an op that waits for it, and use no Variable of
another cell."""
UNCOUNTED = """Try passing the step to minimize, as global_step. If you do so already, it may have been None,
because get_global_step() finds nothing until there is a step."""
RESCHEDULED = """Training, the rate and log_test share `{}`. But when it holds 0, 50, 100,
an update moves `w` by {} instead of {}.
Try keeping the schedule and the optimizer as they were: only the step needs a repair."""
DIFFER = "Training counts {}, the rate reads {}, and log_test finds {}.\n"
SHARED = """Training, the rate and log_test share `{}`.
The points of the test curve are at steps {}: the pile is a curve."""


@judge
def check_one_step(make_train_op: Callable) -> Verdict | str:
    """What the train op of make_train_op(loss) counts, its rate reads and get_global_step finds."""
    with tf.Graph().as_default():
        w = tf.Variable(5.0, name="w")
        # At 5, the gradient of this loss is 1, so an update moves w by the rate.
        train_op = make_train_op(0.1 * w**2)
        train_op = getattr(train_op, "op", train_op)  # of lesson 04's assign_add
        if not isinstance(train_op, tf.Operation):
            return (
                "Try returning the train op: `make_train_op` should return what minimize returns."
            )
        return _of_the_steps(train_op, w) or _of_the_runs(train_op, w)


def _of_the_steps(train_op: tf.Operation, w: tf.Variable) -> str:
    """Say so if training counts, the rate reads and log_test finds other Variables."""
    ops, step = program_of(train_op).ops, tf.train.get_global_step()
    sources = [tensor.op for update in updates_of(w, ops) for tensor in update.inputs]
    counters = [v for v in tf.global_variables() if v.dtype.is_integer]
    counted = [v.name for v in counters if updates_of(v, ops)]
    read = [v.name for v in counters if any(reads_of(v, op) for op in sources)]
    found = [step.name] if step is not None else []
    trainable = [v.name for v in tf.trainable_variables() if v.name in counted + read]
    if not sources:
        return UNTRAINED
    if trainable:
        return f"An optimizer may change `{trainable[0]}`, too. Try trainable=False."
    if counted == read == found != []:
        return ""
    names = (" and ".join(f"`{it}`" for it in part) or "nothing" for part in (counted, read, found))
    return DIFFER.format(*names) + first_that_holds(
        (not counted, UNCOUNTED),
        (not read, "Try passing the step to the schedule."),
        (not found, "Give the step the name global_step, or let tf.train make it."),
        (True, "Try to make all three use the same one."),
    )


def _of_the_runs(train_op: tf.Operation, w: tf.Variable) -> Verdict | str:
    """Judge how far a run moves `w`, and the step, when the step holds some numbers."""
    [step] = [v for v in tf.global_variables() if v.name == tf.train.get_global_step().name]
    moves, counts = [], []
    with tf.Session() as sess:
        for now in AT:
            initialize(sess, train_op, w)
            step.load(now, sess)
            sess.run(train_op)
            moves.append(5 - sess.run(w))
            counts.append(sess.run(step))
    right = [0.5 * 0.8 ** (now / 100) for now in AT]
    if not np.allclose(moves, right, rtol=1e-3):
        return RESCHEDULED.format(
            step.name, *(listed(map("{:.4f}".format, it)) for it in (moves, right))
        )
    if counts != [now + 1 for now in AT]:
        return (
            f"One run takes `{step.name}` from 0, 50, 100 to {listed(counts)}. Count each run once."
        )
    return Verdict(True, SHARED.format(step.name, listed(counts)))
