"""The check of lesson 02: a Variable that counted in one session only."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, listed
from lab.experiments.errors import first_line


@judge
def check_two_sessions(
    a: tf.Session, b: tf.Session, shoes: tf.Variable, add_pair: tf.Tensor | tf.Operation
) -> Verdict | str:
    """`add_pair` adds 2 to `shoes`, of which session `a` holds 6 and session `b` holds 0."""
    if a is b:
        return "Make two sessions. So far, `a` and `b` are two names for one."
    if wrong := _miscounted(shoes, add_pair):
        return wrong
    try:
        held = [sess.run(shoes) for sess in (a, b)]
    except tf.errors.FailedPreconditionError as error:
        return (
            "Build an initializer after `shoes`, and run it in each session.\n"
            f"(One that was built before leaves `shoes` out.) {first_line(error)}."
        )
    if held != [6, 0]:
        return (
            f"In the end, `a` should hold 6 and `b` 0. So far, they hold {listed(held, ' and ')}.\n"
            "Try 3 runs of `add_pair` in `a` only, after the initializer, which puts the 0 back."
        )
    remark = "\nOne remark: add trainable=False, or an optimizer could train your shoes, too."
    said = "`a` holds 6 and `b` holds 0. One Variable, two values!"
    return Verdict(True, said + remark * shoes.trainable)


def _miscounted(shoes: tf.Variable, add_pair: tf.Tensor | tf.Operation) -> str:
    """Say why three runs of `add_pair` don't take `shoes` to 2, 4, 6; "" if they do."""
    given, held = [], []
    with tf.Session() as sess:
        initialize(sess, add_pair, shoes)
        first = sess.run(shoes)
        for _ in range(3):
            given.append(sess.run(add_pair))
            held.append(sess.run(shoes))
    if np.array_equal(first, held[-1]):
        return f"Try tf.assign_add on `shoes`. It stays at {first}, because `add_pair` doesn't change it."
    if first != 0:
        return f"Let `shoes` start at 0. It starts at {first}, so the first run makes it {held[0]}."
    if held != [2, 4, 6]:
        return f"Add 2 in each run, with tf.assign_add. So far, `shoes` holds {listed(held)}."
    if isinstance(add_pair, tf.Tensor) and given != held:
        return f"Let `add_pair` be what tf.assign_add returns. Three runs of it return {listed(given)}."
    return ""
