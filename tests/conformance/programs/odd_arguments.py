"""Odd numbers, odd forms of axes and shapes, and what is refused: values, static shapes and messages."""

from tests.conformance.facts import facts
from tests.conformance.outcomes import Raised, raises


def _fed(tf, np, *values):
    """A placeholder of unknown shape for each value, and what to feed."""
    made = [tf.placeholder(tf.as_dtype(np.asarray(value).dtype)) for value in values]
    return made, dict(zip(made, values, strict=True))


def not_a_number(tf, np):
    """Places of extremes, distinct numbers and targets among the largest, with NaN and infinities."""
    nan, inf = np.nan, np.inf
    rows = np.array([[1, nan, 2], [nan, 1, 3], [3, 2, nan], [nan] * 3, [-inf, inf, 1], [1, 2, 3]], np.float32)
    (x, flat), feed = _fed(tf, np, rows, np.array([1, nan, 1, nan], np.float32))
    return facts(
        tf,
        feed,
        lambda: tf.argmax(x, 1),
        lambda: tf.argmin(x, 1),
        lambda: tf.argmax(x, 0),
        lambda: tf.argmin(x, 0),
        lambda: tf.nn.in_top_k(x, [0] * 6, 2),
        lambda: tf.nn.in_top_k(x, [2] * 6, 2),
        lambda: tf.nn.in_top_k(x, [7, -1, 0, 1, 2, 3], 3),
        lambda: list(tf.unique(flat)),
        lambda: tf.reduce_max(x, 1),
        lambda: tf.maximum(x, 1.5),
        lambda: tf.clip_by_value(x, 0.0, 1.5),
    )


def means_of_integers(tf, np):
    """The means of large, negative, few and no integers."""
    results = []
    for dtype in (np.int64, np.int32, np.int8, np.uint8):
        most = np.iinfo(dtype).max
        (x, y, none), feed = _fed(
            tf,
            np,
            np.array([most, most, most - 3], dtype),
            np.array([[most, most - 5, 3], [7, 2, 1]], dtype),
            np.zeros(0, dtype),
        )
        results.append(
            facts(
                tf,
                feed,
                lambda x=x: tf.reduce_mean(x),
                lambda y=y: tf.reduce_mean(y, 1),
                lambda y=y: tf.reduce_mean(y, 0),
                lambda x=none: tf.reduce_mean(x),
            )
        )
    (x,), feed = _fed(tf, np, np.array([-7, 2, 2**53 + 1, 2**53 + 1]))
    return results, facts(tf, feed, lambda: tf.reduce_mean(x[:2]), lambda: tf.reduce_mean(x[2:]))


def padding(tf, np):
    """Padding of strings, numbers and scalars; with a tensor; and paddings that are refused."""
    (x, pairs, number, scalar, empty), feed = _fed(
        tf, np, np.float32([1, 2]), np.int32([[1, 1]]), np.float32(7), np.float32(5), np.zeros((0, 2), np.int32)
    )
    return facts(
        tf,
        feed,
        lambda: tf.pad([b"a"], [[1, 2]]),
        lambda: tf.pad([b"a"], [[1, 1]], constant_values="z"),
        lambda: tf.pad(x, pairs, constant_values=number),
        lambda: tf.pad([True], [[0, 1]]),
        lambda: tf.pad(scalar, empty),
        lambda: tf.pad(x, [1, 1]),
        lambda: tf.pad([1], [[1, 1]], constant_values=2.5),
        lambda: tf.pad(x, [[2, 1]], "REFLECT"),
        lambda: tf.pad(x, [[3, 1]], "SYMMETRIC"),
        lambda: tf.pad(x, pairs[0]),
        lambda: tf.pad(x, -pairs),
        lambda: tf.pad(x, pairs, constant_values=[1.0, 2.0]),
    )


_FORMS = ["1", "1.0", "[1]", "array(1)", "array([1])", "int8", "float32", "Dimension", "True", "None"]
# What stack does with these isn't a decision: Python's words, and an axis of -3.
_BY_ACCIDENT = ["[1]", "Dimension", "None"]


def attributes(tf, np):
    """An axis, a number or a truth value in all the forms that a program may give it."""
    a = tf.constant(np.arange(6.0).reshape(2, 3))
    values = [1, 1.0, [1], np.array(1), np.array([1]), np.int8(1), np.float32(1), tf.Dimension(1), True, None]
    ways = {
        "stack": lambda v: tf.stack([a, a], v),
        "one_hot": lambda v: tf.one_hot([0], 2, axis=v),
        "gather": lambda v: tf.gather(a, [[0], [1]], axis=1, batch_dims=v),
        "matmul": lambda v: tf.matmul(a, a, transpose_a=v),
        "cumsum": lambda v: tf.cumsum(a, 1, exclusive=v),
        "squeeze": lambda v: tf.squeeze(tf.constant([[1.0], [2.0]]), v),
        "reduce_sum": lambda v: tf.reduce_sum(a, v),
        "reverse": lambda v: tf.reverse(a, v),
    }
    return {
        name: {
            form: facts(tf, {}, lambda way=way, v=v: way(v))
            for form, v in zip(_FORMS, values, strict=True)
            if name != "stack" or form not in _BY_ACCIDENT
        }
        for name, way in ways.items()
    }


def ranks(tf, np):
    """What has a wrong rank is refused, before the run or in it."""
    (x, scalar, pair), feed = _fed(tf, np, np.float32([[1, 2]]), np.float32(1), np.int32([0, 1]))
    return facts(
        tf,
        feed,
        lambda: tf.where(-1),
        lambda: tf.where(scalar),
        lambda: tf.where([b"a"]),
        lambda: tf.expand_dims([1, 2], [0, 1]),
        lambda: tf.expand_dims([1.0], []),
        lambda: tf.expand_dims(x, pair),
        lambda: tf.expand_dims(x, pair[:1]),
        lambda: tf.gather([[1.0]], []),
        lambda: tf.reduce_sum([1.0], axis=[[0]]),
        lambda: tf.reduce_sum(x, [0, -2]),
        lambda: tf.unique([[1]]),
        lambda: list(tf.unique(x)),
        lambda: tf.nn.bias_add(x, [1.0]),
        lambda: tf.nn.bias_add(x[0], x[0]),
        lambda: tf.reshape(x, -pair - 1),
        lambda: tf.reshape(tf.zeros([0, 3]), pair - 1),
        lambda: tf.one_hot([1], -pair[1]),
        lambda: list(tf.nn.top_k(x, -pair[1])),
        lambda: tf.where(pair > 0, x[0], scalar),
        lambda: tf.strided_slice([1.0, 2.0, 3.0], pair, [2, 3]),
        lambda: tf.gather_nd(x, pair[0]),
        lambda: tf.transpose(x, pair[:1]),
    )


def without_a_kernel(tf, np):
    """Dtypes that an op takes but can't compute, and casts of strings."""
    expressions = [
        lambda: tf.reciprocal(0),
        lambda: tf.realdiv(1, 2),
        lambda: tf.rint(np.float16(1)),
        lambda: tf.cast(1.0, tf.string),
        lambda: tf.cast("1", tf.float64),
        lambda: tf.pow(np.uint8(1), np.uint8(1)),
        lambda: tf.squared_difference(np.int8(1), np.int8(1)),
        lambda: tf.conj([1.0]),
        lambda: tf.conj([True]),
    ]
    return [_alone(tf, expression) for expression in expressions]


def _alone(tf, expression):
    """What a graph of its own does: TensorFlow runs nothing of a graph with an op that has no kernel."""
    with tf.Graph().as_default(), tf.Session() as sess:
        try:
            return sess.run(expression())
        except Exception as error:
            return Raised(error)


def strings_of_rank_0(tf, np):
    """Byte strings stay objects wherever they go."""
    (s,), feed = _fed(tf, np, np.array("ab", object))
    s.set_shape([])
    return facts(
        tf,
        feed,
        lambda: tf.stack([s, "c"]),
        lambda: tf.unstack(tf.stack([s, "c"])),
        lambda: tf.where([True, False], [s, s], ["x", "yz"]),
        lambda: tf.broadcast_to(s, [2]),
        lambda: tf.expand_dims(s, 0),
        lambda: tf.reshape(s, [1, 1]),
        lambda: tf.one_hot([0], 2, on_value=s, off_value="long"),
    )


def no_gradient(tf, np):
    """Ops for which TensorFlow registers no gradient say so, even where none begins."""
    x = tf.constant([[1.0, 2.0]])
    ys = [tf.is_nan(x), tf.unique(x[0])[0], tf.nn.in_top_k(x, [0], 1), tf.where(x > 0), tf.greater(x, 0.0)]
    return [_first_sentence(raises(lambda y=y: tf.gradients(y, x))) for y in ys]


def _first_sentence(outcome):
    return outcome if isinstance(outcome, str) else [outcome.type, str(outcome.error).split(" In general")[0]]


def texts_as_numbers(tf, np):
    """NumPy reads numbers in an array of texts, and nothing else; numbers aren't texts."""
    return facts(
        tf,
        {},
        lambda: tf.constant(np.array(["1.5"]), tf.float32),
        lambda: tf.constant(np.array(["a"]), tf.float16),
        lambda: tf.Variable(np.array(["a"]), dtype=tf.float32),
        lambda: tf.constant(np.array(["a"], object), tf.int32),
        lambda: tf.constant(np.array([1.5]), tf.string),
    )
