"""Errors that belong to no other theme: mixed graphs, bad arguments, what an error carries."""

from tests.conformance.outcomes import raises


def mixing_graphs(tf, np):
    """An op takes tensors of one graph."""
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
        variable = tf.Variable(1.0, name="variable")
    a = tf.constant(1.0, name="a")
    w = tf.Variable(1.0, name="w")
    return {
        "operator": raises(lambda: a + foreign),
        "reversed": raises(lambda: foreign * a),
        "function": raises(lambda: tf.add(a, foreign)),
        "variable": raises(lambda: a * variable),
        "assign": raises(lambda: tf.assign(w, foreign)),
        "matmul": raises(lambda: tf.matmul(tf.reshape(a, [1, 1]), tf.reshape(foreign, [1, 1]))),
    }


def a_foreign_tensor_alone(tf, np):
    """An op of foreign tensors only is made in their graph."""
    graph = tf.Graph()
    with graph.as_default():
        foreign = tf.constant(1.0, name="foreign")
    return [tf.square(foreign).graph is graph, (foreign + 1.0).graph is graph]


def error_classes(tf, np):
    """The errors of runs are `tf.errors.OpError`s, which are plain Exceptions."""
    names = ["InvalidArgumentError", "FailedPreconditionError", "NotFoundError", "OutOfRangeError"]
    return {
        name: [
            issubclass(getattr(tf.errors, name), tf.errors.OpError),
            [base.__name__ for base in getattr(tf.errors, name).__mro__][-3:],
        ]
        for name in names
    }


def an_error_of_ones_own(tf, np):
    """An error has a message, an op, a node_def and a code."""
    error = tf.errors.InvalidArgumentError(None, None, "my words")
    return [error.message, error.op, error.node_def, error.error_code, str(error)]


def codes(tf, np):
    """The numbers of the errors."""
    errors = tf.errors
    return [errors.INVALID_ARGUMENT, errors.FAILED_PRECONDITION, errors.NOT_FOUND, errors.OUT_OF_RANGE, errors.ABORTED]


def an_uninitialized_variable(tf, np):
    """The error is a FailedPreconditionError, with its code."""
    w = tf.Variable(1.0, name="w")
    with tf.Session() as sess:
        error = raises(lambda: sess.run(w)).error
        try:
            sess.run(w)
        except tf.errors.FailedPreconditionError:
            caught = True
    return [type(error).__name__, error.error_code, caught]


def dtypes_and_shapes_that_are_none(tf, np):
    """Placeholders need a dtype, shapes need ints."""
    return {
        "dtype": raises(lambda: tf.placeholder("nonsense")),
        "shape": raises(lambda: tf.placeholder(tf.float32, ["a"])),
        "negative": raises(lambda: tf.placeholder(tf.float32, [-2])),
        "zeros": raises(lambda: tf.zeros([-1])),
    }


def none_in_an_expression(tf, np):
    """None is no tensor."""
    a = tf.constant(1.0, name="a")
    return {
        "a + None": raises(lambda: a + None),
        "add": raises(lambda: tf.add(None, a)),
        "square": raises(lambda: tf.square(None)),
        "reduce_sum": raises(lambda: tf.reduce_sum(None)),
    }


def text_in_an_expression(tf, np):
    """Text does not join a float tensor."""
    a = tf.constant(1.0, name="a")
    return [raises(lambda: a + "b"), raises(lambda: "b" * a), raises(lambda: tf.multiply(a, "b"))]


def objects_in_an_expression(tf, np):
    """Objects that are no numbers are named with their type."""
    a = tf.constant(1.0, name="a")
    return [raises(lambda: a + {}), raises(lambda: a * [[1.0], [2.0, 3.0]]).type]


def a_tensor_for_a_value(tf, np):
    """A constant is made of values, not of tensors; a feed as well."""
    a = tf.constant(1.0, name="a")
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Session() as sess:
        return raises(lambda: sess.run(x, {x: a}))


def calling_things(tf, np):
    """Tensors and variables are no functions."""
    a = tf.constant(1.0, name="a")
    return [raises(lambda: a()).type, raises(lambda: tf.Variable(1.0)()).type]


def wrong_axes_and_transposes_when_run(tf, np):
    """An axis that only the run can check is refused there."""
    x = tf.placeholder(tf.float32, name="x")
    total = tf.reduce_sum(x, 1, name="total")
    with tf.Session() as sess:
        return [raises(lambda: sess.run(total, {x: [1.0, 2.0]})), sess.run(total, {x: [[1.0, 2.0]]})]


def two_missing_feeds(tf, np):
    """With two placeholders missing, one of them is named."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    with tf.Session() as sess:
        error = raises(lambda: sess.run(x + y)).error
    return [type(error).__name__, "You must feed a value for placeholder tensor" in str(error)]
