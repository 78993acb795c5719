"""Graphs that are stored and read again, by minitf and by TensorFlow: together they have ops of every type.

A graph is a function of the library, which returns what to fetch; FEEDS says what a run is fed, by the names of the
placeholders. The files beside this one have the graphs as TensorFlow builds and stores them, and its values.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
X = np.float32([[0.3, -0.7, 0.9], [-0.2, 0.6, 0.4]])
FEEDS: dict[str, Any] = {
    "x": X,
    "positive": np.abs(X) + 1,
    "unknown": X,
    "whole": np.int32([[3, -4, 5], [6, 7, -8]]),
    "truth": np.array([[True, False, True], [False, True, True]]),
    "labels": np.int32([2, 0]),
    "text": "some text",
}

GRAPHS: dict[str, Callable] = {}


def graph(function: Callable) -> Callable:
    """Enter a graph under the name of its function."""
    GRAPHS[function.__name__] = function
    return function


def _x(tf: Any, name: str = "x", dtype: Any = None) -> Any:
    shape = {"unknown": None, "labels": [None], "text": []}.get(name, [None, 3])
    return tf.placeholder(dtype or tf.float32, shape, name=name)


def _with_gradients(tf: Any, ys: list[Any], *xs: Any) -> list[Any]:
    """The ys and, of each, the gradients."""
    found = []
    for y in ys:
        found += [y, *(g for g in tf.gradients(y, list(xs)) if g is not None)]
    return [tf.convert_to_tensor(t) for t in found]


@graph
def functions_of_one(tf):
    """Every elementwise function with a gradient, of a batch of unknown length."""
    x, positive = _x(tf), _x(tf, "positive")
    names = "abs acos asin atan atanh ceil cos cosh erf exp expm1 floor identity log1p negative reciprocal rint round"
    names += " sigmoid sign sin sinh asinh square stop_gradient tan tanh"
    ys = [getattr(tf, name)(x) for name in names.split()]
    of_nn = ["relu", "relu6", "elu", "softplus", "softsign", "leaky_relu", "softmax", "log_softmax"]
    ys += [getattr(tf.nn, name)(x) for name in of_nn]
    ys += [tf.log(positive), tf.sqrt(positive), tf.rsqrt(positive), tf.acosh(positive), tf.nn.l2_loss(x)]
    ys += [tf.nn.softmax(x, axis=0), tf.nn.log_softmax(x, axis=0)]
    return _with_gradients(tf, ys, x, positive)


@graph
def functions_of_two(tf):
    """Arithmetic of a batch and a vector, which is broadcast, both with gradients."""
    x, y = _x(tf, "positive"), tf.get_variable("y", initializer=np.float32([0.5, 2.0, 1.5]))
    ys = [x + y, x - y, x * y, x / y, x**y, x % y, x // y, tf.maximum(x, y), tf.minimum(x, y)]
    ys += [tf.squared_difference(x, y), tf.div_no_nan(x, y), tf.nn.bias_add(x, y)]
    return _with_gradients(tf, ys, x, y)


@graph
def unknown_shapes(tf):
    """The same where not even ranks are known."""
    x, y = _x(tf, "unknown"), tf.placeholder_with_default(np.float32(1.5), None)
    ys = [x + y, x - y, x * y, x / y, tf.reduce_sum(x, 1), tf.reduce_mean(x, [0]), tf.reduce_max(x, 1), tf.transpose(x)]
    ys += [tf.reduce_sum(x), tf.reduce_mean(x, 1, keepdims=True), tf.concat([x, x], 1), tf.reshape(x, [-1])]
    return _with_gradients(tf, ys, x, y)


@graph
def whole_numbers_and_truth(tf):
    """Comparisons, logic, bits, casts."""
    i, t, x = _x(tf, "whole", tf.int32), _x(tf, "truth", tf.bool), _x(tf)
    ys = [i > 3, i >= 3, i < 3, i <= 3, tf.equal(i, 3), tf.not_equal(i, 3), tf.logical_and(t, i > 0)]
    ys += [tf.logical_or(t, i > 0), tf.logical_not(t), tf.logical_xor(t, i > 0), i & 6, i | 6, i ^ 6, ~i, i // 2, i % 3]
    ys += [tf.cast(i, tf.float64), tf.cast(x, tf.int64), tf.cast(t, tf.float32), tf.reduce_all(t, 1), tf.reduce_any(t)]
    ys += [tf.is_nan(x), tf.is_inf(x), tf.is_finite(x), tf.where(t), tf.where(t, i, -i), tf.argmax(x, 1)]
    ys += [
        tf.argmin(x, 0, output_type=tf.int32),
        tf.one_hot(i, 7),
        tf.one_hot(i, 7, axis=0),
        tf.unique(tf.reshape(i, [-1]))[1],
    ]
    ys += [tf.conj(tf.cast(x, tf.complex64)), tf.abs(tf.complex64.as_numpy_dtype(3 + 4j) * tf.cast(x, tf.complex64))]
    ys += [
        tf.constant(v)
        for v in (np.float16(1.5), np.uint8([1, 2]), np.int16(-3), np.float64([[1.5]]), True, "a", ["b", "c"])
    ]
    return [*ys, tf.constant(np.complex64([1 + 2j])), tf.constant([[]]), tf.constant(2.0, shape=[2, 2])]


@graph
def reductions(tf):
    """Along axes, with gradients."""
    x = _x(tf, "positive")
    names = "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp"
    ys = [getattr(tf, n)(x, **k) for n in names.split()[:4] for k in ({}, {"axis": 1}, {"axis": 0, "keepdims": True})]
    ys += [tf.add_n([x, x, 2 * x]), tf.clip_by_norm(x, 1.0), tf.clip_by_global_norm([x, x], 1.0)[0][1]]
    ys += [tf.reduce_logsumexp(x, 1), tf.clip_by_value(x, 1.1, 1.5)]
    return [*_with_gradients(tf, ys, x), tf.reduce_prod(x, 1), tf.reduce_prod(x)]


@graph
def products(tf):
    """Matrix products in every order, and of batches."""
    x, w = _x(tf), tf.Variable(np.float32([[1, 2], [3, 4], [5, 6]]), name="w")
    ys = [tf.matmul(x, w), tf.matmul(w, x, transpose_a=True, transpose_b=True), tf.matmul(x, x, transpose_b=True)]
    ys += [tf.matmul(x, x, transpose_a=True), tf.matmul(tf.stack([x, x]), tf.stack([w, 2.0 * w]))]
    ys += [tf.matmul(tf.stack([w, w]), tf.stack([x, x]), transpose_a=True, transpose_b=True)]
    return _with_gradients(tf, ys, x, w)


@graph
def products_by_letters(tf):
    """Einsum, tensordot, diagonals, bands, norms of neighbours, and draws that can only come out one way."""
    x, cube = _x(tf), tf.constant(np.arange(12, dtype=np.float32).reshape(2, 3, 2), name="cube")
    ys = [
        tf.einsum("ij,jk->ik", x, cube[0]),
        tf.einsum("ij,kjl,kl->i", x, cube, cube[:, 0]),
        tf.einsum("...i->i...", x),
    ]
    ys += [tf.tensordot(x, cube, [[1], [1]]), tf.norm(x, 3, 1), tf.matrix_band_part(x, 0, -1), tf.diag(x[0])]
    ys += [
        tf.diag_part(tf.matmul(x, x, transpose_b=True)),
        tf.linalg.diag(x),
        tf.nn.relu_layer(x, cube[0], [1.0, -1.0]),
    ]
    ys += [tf.nn.lrn(tf.reshape(x, [1, 1, 2, 3]), 1, 2.0, 0.5, 0.75), *tf.meshgrid(x[0], x[1])]
    others = [tf.multinomial([[0.0, -1000.0]], 3), tf.sequence_mask([1, 3], dtype=tf.float32)]
    return [*_with_gradients(tf, ys, x), *others]


@graph
def rows_in_loops(tf):
    """map_fn and scan, whose lists TensorFlow can run; it builds other ones, which minitf doesn't read."""
    x, w = _x(tf), tf.Variable([1.0, 2.0, 3.0], name="w")
    if tf.__name__ != "minitf":
        return [tf.identity(x, name="unused")]
    both = tf.map_fn(lambda row: (row * w, tf.reduce_sum(row * row)), x, (tf.float32, tf.float32))
    sums = tf.scan(lambda total, row: total * 0.5 + tf.sin(row * w), x, reverse=True)
    return _with_gradients(tf, [*both, sums, tf.scan(lambda a, row: a * row, x, w)], x, w)


@graph
def shapes(tf):
    """Ops that change shapes, or return them."""
    x = _x(tf)
    ys = [tf.reshape(x, [-1]), tf.expand_dims(x, 1), tf.squeeze(tf.expand_dims(x, 1), [1]), tf.transpose(x)]
    ys += [
        tf.transpose(tf.stack([x, x]), [1, 0, 2]),
        tf.broadcast_to(x, [4, 2, 3]),
        tf.tile(x, [2, 2]),
        tf.reverse(x, [1]),
    ]
    ys += [tf.pad(x, [[1, 1], [0, 2]]), tf.pad(x, [[1, 0], [0, 0]], constant_values=2), tf.slice(x, [0, 1], [-1, 2])]
    ys += [x[0], x[:, 1:], x[..., tf.newaxis], x[::-1, -1], tf.strided_slice(x, [0, 0], [2, 3], [1, 2])]
    others = [tf.pad(x, [[1, 1], [2, 2]], "REFLECT"), tf.pad(x, [[1, 1], [2, 2]], "SYMMETRIC"), tf.shape(x), tf.size(x)]
    others += [tf.rank(x), tf.shape(x, out_type=tf.int64), tf.zeros_like(x), tf.ones_like(x), tf.fill([2, 2], x[0, 0])]
    others += [tf.range(tf.size(x)), tf.linspace(0.0, 1.0, 5), tf.eye(3), tf.zeros(tf.shape(x))]
    return _with_gradients(tf, ys, x) + others


@graph
def joining_and_choosing(tf):
    """Concat, split, gather and the like, with gradients."""
    x = _x(tf)
    ys = [tf.concat([x, 2.0 * x], 0), tf.concat([x, x, x], 1), tf.stack([x, x], 1), tf.unstack(x, axis=1)[1]]
    ys += [tf.split(x, 3, 1)[2], tf.split(x, [1, 2], 1)[1], tf.gather(x, [1, 0, 1]), tf.gather(x, [2, 0], axis=1)]
    ys += [tf.gather_nd(x, [[0, 1], [1, 2]]), tf.cumsum(x, 1), tf.cumsum(x, exclusive=True, reverse=True)]
    ys += [tf.nn.top_k(x, 2)[0], tf.boolean_mask(x, [True, False]), tf.nn.embedding_lookup(x, [1])]
    ys += [tf.where(x > 0, x, 3.0 * x), tf.where([True, False], x, -x), tf.reduce_sum(tf.fill([2], x[0, 1]))]
    return _with_gradients(tf, ys, x) + [tf.nn.in_top_k(x, [2, 0], 1), tf.nn.top_k(x, 2)[1]]


@graph
def cross_entropies(tf):
    """Losses of logits, with gradients."""
    x, labels = _x(tf), _x(tf, "labels", tf.int32)
    dense = tf.one_hot(labels, 3)
    ys = [tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)]
    ys += [tf.nn.softmax_cross_entropy_with_logits_v2(labels=dense, logits=x)]
    ys += [tf.nn.sigmoid_cross_entropy_with_logits(labels=dense, logits=x)]
    return _with_gradients(tf, ys, x)


@graph
def convolutions(tf):
    """Convolutions, pooling and their gradients."""
    x = tf.reshape(tf.tile(_x(tf), [6, 4]) * tf.range(12.0), [2, 6, 6, 2])
    w = tf.get_variable("w", initializer=np.linspace(-1, 1, 36, dtype=np.float32).reshape(3, 3, 2, 2))
    ys = [tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME"), tf.nn.conv2d(x, w, [1, 2, 2, 1], "VALID")]
    ys += [tf.nn.bias_add(ys[0], [0.5, 1.5]), tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")]
    ys += [tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], "VALID")]
    return _with_gradients(tf, ys, x, w)


@graph
def branches(tf):
    """Conds in conds, with gradients; one of them chooses by a variable."""
    x, w = _x(tf), tf.Variable(2.0, name="w")
    total = tf.reduce_sum(x)
    inner = lambda: tf.cond(w > 5.0, lambda: x * 2.0, lambda: x * w * w)  # noqa: E731
    y = tf.cond(total > 0, lambda: tf.exp(x) * inner(), lambda: tf.square(x))
    z = tf.cond(total > 100, lambda: tf.constant(1.0), lambda: w * total + tf.cond(w < 0, lambda: w, lambda: 3.0 * w))
    both = tf.cond(total > 0, lambda: (x + 1.0, tf.constant(7)), lambda: (x - 1.0, tf.constant(8)))
    choice = tf.case([(total > 50, lambda: tf.constant(1)), (w > 1, lambda: tf.constant(2))], lambda: tf.constant(3))
    return [*_with_gradients(tf, [y, z], x, w), *both, choice]


@graph
def an_update_in_a_branch(tf):
    """A cond that assigns."""
    x, w = _x(tf), tf.Variable(2.0, name="w")
    return [tf.cond(tf.reduce_sum(x) > 0, lambda: tf.assign_add(w, 1.0), lambda: tf.identity(w))]


@graph
def an_update_in_a_loop(tf):
    """A variable that changes in each turn."""
    w = tf.Variable(2.0, name="w")

    def body(i):
        with tf.control_dependencies([tf.assign_add(w, 1.0)]):
            return i + 1

    count = tf.while_loop(lambda i: i < 3, body, [0])
    with tf.control_dependencies([count]):
        return [count, w.read_value()]


@graph
def loops(tf):
    """Loops: in loops, with a cond, with a value from outside, with a shape that changes."""
    x, w = _x(tf), tf.Variable(2.0, name="w")
    count, total = tf.while_loop(lambda i, a: i < 4, lambda i, a: [i + 1, a * w + tf.reduce_sum(x * x)], [0, 1.0])
    nested = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: [i + 1, tf.while_loop(lambda b: b < 10.0 * w, lambda b: b + 3.0, [a])],
        [0, 0.0],
    )
    chosen = tf.while_loop(lambda a: a < 9.0, lambda a: tf.cond(a > w, lambda: a * 2.0, lambda: a + 1.0), [0.5])
    grown = tf.while_loop(
        lambda i, v: i < 3,
        lambda i, v: [i + 1, tf.concat([v, v], 0)],
        [0, tf.zeros([1])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )
    limited = tf.while_loop(lambda a: a < 100.0, lambda a: a + 1.0, [w], maximum_iterations=3)
    return [count, total, *nested, chosen, *grown, limited]


@graph
def gradients_of_loops(tf):
    """The gradients of such loops, which TensorFlow makes of other ops: of its graph, only the results."""
    x, w = _x(tf), tf.Variable(2.0, name="w")

    def body(i, y):
        def inner():
            return tf.while_loop(lambda z: tf.reduce_sum(z * z) < 10.0 * w, lambda z: z * 1.5 + tf.sin(z * w), [y])

        return i + 1, tf.cond(tf.equal(i, 1), inner, lambda: tf.tanh(y) * w) * 0.5 + x

    _, y = tf.while_loop(lambda i, y: i < 4, body, (0, x))
    return _with_gradients(tf, [y, y * y], x, w) if tf.__name__ == "minitf" else [y]


@graph
def variables(tf):
    """Ops on variables, each after the one before."""
    v, done = tf.Variable(np.zeros([3, 2], np.float32), name="v"), []
    tf.train.Saver(sharded=True)  # adds ops in TensorFlow
    new = tf.Variable(v.initialized_value() + 1.0, name="new")
    updates = [
        lambda: tf.assign(v, [[1, 2], [3, 4], [5, 6]]),
        lambda: tf.assign_add(v, tf.ones([3, 2])),
        lambda: tf.assign_sub(v, [[1, 0], [0, 1], [1, 1]]),
        lambda: tf.scatter_update(v, [0], [[9.0, 8.0]]),
        lambda: tf.scatter_add(v, [0, 1], [[1.0, 1.0], [2.0, 2.0]]),
        lambda: tf.scatter_sub(v, [2], [[1.0, 1.0]]),
        lambda: tf.scatter_nd_update(v, [[0, 1]], [5.0]),
        lambda: v[1].assign([7.0, 7.0]),
    ]
    for update in updates:
        with tf.control_dependencies(done[-1:]):
            done.append(update())
    with tf.control_dependencies(done):
        return [v.read_value(), tf.is_variable_initialized(v), new + 0.0, tf.report_uninitialized_variables()]


@graph
def checks_and_messages(tf):
    """Assert, Print, and summaries."""
    x = _x(tf)
    with tf.control_dependencies([tf.assert_less(x, 2.0), tf.group(tf.no_op(), name="nothing")]):
        y = tf.Print(x, [x], "x is: ", summarize=2)
    tf.summary.scalar("sum", tf.reduce_sum(y))
    tf.summary.histogram("numbers", y)
    tf.summary.text("words", tf.constant(["a", "b"]))
    return [y, tf.summary.merge_all()]


def _optimizers(tf: Any) -> list[Any]:
    step = tf.train.get_or_create_global_step()
    return [
        tf.train.GradientDescentOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True, name="Nesterov"),
        tf.train.AdagradOptimizer(0.1),
        tf.train.AdamOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, centered=True, name="Centered"),
        tf.train.AdadeltaOptimizer(0.1),
        tf.train.AdagradDAOptimizer(0.1, step),
        tf.train.FtrlOptimizer(0.1),
        tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01),
        tf.train.ProximalGradientDescentOptimizer(0.1, l2_regularization_strength=0.01),
    ]


def _training(tf: Any, gathered: bool) -> list[Any]:
    x, updates = _x(tf), []
    step = tf.train.get_or_create_global_step()
    for i, optimizer in enumerate(_optimizers(tf)):
        w = tf.Variable(np.float32([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]]), name=f"w{i}")
        y = tf.gather(w, [0, 2, 0]) * 1.5 if gathered else tf.matmul(x, w)
        updates.append(optimizer.minimize(tf.reduce_mean(tf.square(y)), global_step=step if i == 0 else None))
    with tf.control_dependencies(updates):
        return [v.read_value() for v in tf.trainable_variables()] + [step.read_value()]


@graph
def optimizers(tf):
    """A step of every optimizer."""
    return _training(tf, gathered=False)


@graph
def optimizers_of_rows(tf):
    """The same of gathered rows."""
    return _training(tf, gathered=True)


@graph
def schedules(tf):
    """What depends on the step, and averages."""
    step, w = tf.train.get_or_create_global_step(), tf.Variable(1.0, name="w")
    rates = [tf.train.exponential_decay(0.1, step, 10, 0.5), tf.train.exponential_decay(0.1, step, 10, 0.5, True)]
    rates += [tf.train.piecewise_constant(step, [3, 5], [0.1, 0.2, 0.3]), tf.train.polynomial_decay(0.1, step, 5)]
    rates += [tf.train.cosine_decay(0.1, step, 5), tf.train.inverse_time_decay(0.1, step, 5, 0.5)]
    average = tf.train.ExponentialMovingAverage(0.9, step)
    with tf.control_dependencies(rates):
        changed = [step.assign_add(1), w.assign_add(1.0)]
    with tf.control_dependencies(changed):
        applied = average.apply([w])
    with tf.control_dependencies([applied]):
        return [*rates, average.average(w).read_value()]


@graph
def random_numbers(tf):
    """Random numbers and the initializers that use them; the values are not compared."""
    found = [
        tf.random_uniform([2]),
        tf.random_normal([2], seed=3),
        tf.truncated_normal([2]),
        tf.nn.dropout(_x(tf), 0.5),
    ]
    found += [tf.random_uniform([2], 0, 5, tf.int32), tf.random_shuffle(_x(tf, "whole", tf.int32))]
    found += [tf.summary.image("noise", tf.random_uniform([2, 2, 2, 3]), 1)]
    found += tf.nn.uniform_candidate_sampler([[3]], 1, 2, True, 5)
    found += tf.nn.log_uniform_candidate_sampler([[3], [4]], 1, 2, False, 5, seed=7)
    makers = [tf.glorot_uniform_initializer(), tf.orthogonal_initializer(), tf.variance_scaling_initializer()]
    found += [tf.get_variable(f"v{i}", [3, 2], initializer=made) + 0.0 for i, made in enumerate(makers)]
    return found


@graph
def a_function_of_python(tf):
    """It is stored by its number; in another process it can't run."""
    return [tf.py_func(lambda x: x + 1, [_x(tf)], tf.float32)]


WITHOUT_VALUES = {"random_numbers", "a_function_of_python"}


def build(tf: Any, name: str) -> tuple[Any, list[str]]:
    """Build a graph in the default graph; return its MetaGraphDef and the names of what to fetch."""
    fetched = GRAPHS[name](tf)
    tf.global_variables_initializer()
    if not tf.global_variables():
        tf.get_variable("nothing", [], trainable=False)
    return tf.train.Saver().export_meta_graph(), [t.name for t in fetched]


def run(tf: Any, fetched: list[str]) -> list[Any]:
    """Initialize the variables of the default graph and run what will be fetched."""
    graph = tf.get_default_graph()
    feeds = {}
    for op in graph.get_operations():
        if op.type == "Placeholder" and op.name in FEEDS:
            feeds[op.outputs[0]] = FEEDS[op.name]
    with tf.Session() as sess:
        sess.run([v.initializer for v in tf.global_variables()])
        values = [np.asarray(value) for value in sess.run(fetched, feeds)]
        return [np.stack([v.real, v.imag]) if v.dtype.kind == "c" else v for v in values]
