"""Wrong answers to the exercise of lesson 09."""

from __future__ import annotations


def _guard(body: str, before: str = "", after: str = "") -> str:
    """Return lesson 09's exercise with another body of its loop, and lines before and after the loop."""
    lines = [*before.splitlines(), "for feed in batches:", *(f"    {line}" for line in body.splitlines())]
    return "\n".join(["def train_guarded(sess, train_op, loss, batches):", *(f"    {line}" for line in lines), after])


LATE = """_, value = sess.run([train_op, loss], feed)
if not np.isfinite(value):
    break"""
LOOKS_AFTERWARDS = """sess.run(train_op, feed)
if not np.isfinite(sess.run(loss, feed)):
    break"""
LOOKS_AT_WEIGHTS = """sess.run(train_op, feed)
if not all(np.isfinite(w).all() for w in sess.run(tf.trainable_variables())):
    break"""
NOT_ITSELF = """value = sess.run(loss, feed)
if value != value:
    break
sess.run(train_op, feed)"""
NAN = """if np.isnan(sess.run(loss, feed)):
    break
sess.run(train_op, feed)"""
SKIPPED = """if np.isfinite(sess.run(loss, feed)):
    sess.run(train_op, feed)"""
LARGE = """if not sess.run(loss, feed) < 10:
    break
sess.run(train_op, feed)"""
AGAIN = """if not np.isfinite(sess.run(loss, feed)):
    break
sess.run(train_op, feed)
sess.run(train_op, feed)"""
TWICE = """if not np.isfinite(sess.run([loss, train_op], feed)[0]):
    break
sess.run(train_op, feed)"""
UNFED = """if not np.isfinite(sess.run(loss)):
    break
sess.run(train_op, feed)"""
WEIGHTS_BACK = """old = sess.run(tf.trainable_variables())
sess.run(train_op, feed)
if not all(np.isfinite(w).all() for w in sess.run(tf.trainable_variables())):
    for w, value in zip(tf.trainable_variables(), old):
        w.load(value, sess)
    break"""
COUNTED = """if not np.isfinite(sess.run(loss, feed)):
    break
sess.run(tf.assign_add(tf.train.get_global_step(), 1))"""
ERROR = """value = sess.run(loss, feed)
if np.isnan(value):
    raise ValueError("nan")
sess.run(train_op, feed)"""

MUTANTS = {
    "09_learning_digits": [
        ("too late", _guard(LATE), "the step is 4, and every weight is nan.\nBy the time it stopped"),
        ("looks afterwards", _guard(LOOKS_AFTERWARDS), "By the time it stopped, the model had already been trained on"),
        ("looks at the weights", _guard(LOOKS_AT_WEIGHTS), "By the time it stopped, the model had already been"),
        ("never", _guard("sess.run(train_op, feed)"), "the step is 6, and every weight is nan.\nNothing stopped it."),
        (
            "nan only",
            _guard(NAN),
            "number 2 has a loss of inf. Afterwards the step is 2, and every weight is nan.\n"
            "It stops at nan, but an infinite loss got through",
        ),
        ("not itself", _guard(NOT_ITSELF), "It stops at nan, but an infinite loss got through"),
        ("left out, and on", _guard(SKIPPED), "the step is 5, and every weight is a number.\nStop for good"),
        ("no large loss", _guard(LARGE), "none has a loss of nan or inf. Afterwards the step is 1, and every weight"),
        ("trains twice", _guard(TWICE), "the step is 6, and every weight is a number.\nTrain once on each."),
        ("every batch twice", _guard(AGAIN), "the step is 6, and every weight is a number.\nTrain once on each."),
        ("no feed", _guard(UNFED), "The loss needs the batch as well: pass `feed` to that run."),
        ("the weights back, not the step", _guard(WEIGHTS_BACK), "the step is 4, and every weight is a number.\nStop"),
        ("counts and doesn't learn", _guard(COUNTED), "The step is right, but the weights aren't"),
        ("stops with an error", _guard(ERROR), "`train_guarded` stops with an error: nan\nIt should return"),
        ("learns nothing", _guard("break"), "the step is 0, and every weight is a number.\nIt should have"),
        ("not a function", "train_guarded = None", "`train_guarded` should be a function."),
    ]
}
