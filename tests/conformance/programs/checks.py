"""Ops that check values in a run, and Python functions in a graph."""

from functools import partial

from tests.conformance.outcomes import raises

KINDS = ["equal", "none_equal", "less", "less_equal", "greater", "greater_equal"]
SIGNS = ["positive", "negative", "non_positive", "non_negative"]


def comparisons(tf, np):
    """Each assertion on two tensors, for smaller, equal and larger elements."""
    x = tf.placeholder(tf.int32, [None])
    checks = [getattr(tf, f"assert_{kind}")(x, [3], message="mine") for kind in KINDS]
    with tf.Session() as sess:
        found = [[raises(partial(sess.run, check, {x: [v, v]})) for v in (2, 3, 4)] for check in checks]
    return [[error if isinstance(error, str) else error.type for error in errors] for errors in found]


def signs(tf, np):
    """Each assertion on the signs of a tensor."""
    x = tf.placeholder(tf.float32, [None])
    checks = [getattr(tf, f"assert_{kind}")(x) for kind in SIGNS]
    with tf.Session() as sess:
        found = [[raises(partial(sess.run, check, {x: [v]})) for v in (-1, 0, 1)] for check in checks]
    return [[error if isinstance(error, str) else error.type for error in errors] for errors in found]


def known_before_a_run(tf, np):
    """Constants are checked when the op is made."""
    fine = tf.assert_equal([1, 2], [1, 2])
    found = [raises(lambda: tf.assert_less(5, 3, message="big")), raises(lambda: tf.assert_non_negative(-1.0))]
    with tf.Session() as sess:
        return [sess.run(fine), [error.type for error in found]]


def guarded(tf, np):
    """A value that waits for its check."""
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.assert_positive(x)]):
        y = tf.identity(x)
    with tf.Session() as sess:
        return [sess.run(y, {x: 2.0}), raises(lambda: sess.run(y, {x: 0.0})).type]


def python_functions(tf, np):
    """py_func: one result, many, none; what it is called with; names and shapes."""
    seen, x = [], tf.placeholder(tf.float32)
    one = tf.py_func(np.sinh, [x], tf.float32)
    two = tf.py_func(lambda a, b: (a + b, [float(b)]), [x, 1.5], [tf.float32, tf.float64], name="two")
    text = tf.py_func(lambda s: s + b"!", [tf.constant("a")], tf.string)
    none = tf.py_func(lambda a: seen.append((type(a).__name__, a.dtype.name)), [x], [])
    count = tf.py_func(lambda: len(seen), [], tf.int64)
    with tf.Session() as sess:
        found = [sess.run([one, *two, text], {x: 1.0}), sess.run(none, {x: 1.0}), sess.run(none, {x: [1.0]})]
        found += [sess.run(count), seen]
    return [found, one.name, [t.name for t in two], str(one.shape), none.type, tf.gradients(one, x)]


def python_functions_that_fail(tf, np):
    """Results of another dtype or another number, and errors of the function's own."""

    def own():
        raise ValueError("mine")

    wrong = [(lambda: 1.0, tf.float32), (lambda: 1, tf.int32), (lambda: (1.0, 2.0), [tf.float64]), (own, tf.int32)]
    with tf.Session() as sess:
        return [raises(partial(sess.run, tf.py_func(function, [], dtype))).type for function, dtype in wrong]
