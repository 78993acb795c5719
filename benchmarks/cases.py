"""What is timed: training steps, and long chains of small ops."""

import itertools
import tracemalloc

import numpy as np

import minitf as tf
from benchmarks import by_hand
from benchmarks.compare import interleaved


def experiment_a():
    """One `run` of the train op of lesson 03's experiment, at a rate at which it converges."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 1])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.Variable(0.0)
    step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.001, step, decay_steps=10_000, decay_rate=0.5)
    loss = (w * x - y) ** 2
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    data = np.linspace(1, 2, 10, dtype=np.float32).reshape(10, 1)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    feed = {x: data, y: data}
    state = [np.float32(0), 0]

    def step_by_hand():
        state[0], state[1] = by_hand.experiment_a(*state, data, 0.001, 10_000, 0.5)

    pair = interleaved(lambda: session.run(train_op, feed), step_by_hand, calls=2_000)
    _same(session.run([w, step]), state)
    return pair


def softmax_regression():
    """One step of SGD on w [784, 10] and b [10] with a batch of 100 pictures of digits."""
    pictures, labels = _digits(100)
    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 10])
    w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros([10]))
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(_cross_entropy(y, tf.matmul(x, w) + b))
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    feed = {x: pictures, y: labels}
    state = [np.zeros((784, 10), np.float32), np.zeros(10, np.float32)]
    pair = interleaved(
        lambda: session.run(train_op, feed),
        lambda: by_hand.softmax_regression(*state, pictures, labels, 0.01),
        calls=100,
    )
    _same(session.run([w, b]), state)
    return pair


class _Mlp:
    """relu(x w1 + b1) w2 + b2 with 128 hidden units, as a graph and as arrays of the same numbers."""

    def __init__(self):
        self.pictures, self.labels = _digits(100)
        random = np.random.default_rng(0)
        shapes = [(784, 128), (128,), (128, 10), (10,)]
        self.arrays = [random.normal(0, 0.05, s).astype(np.float32) for s in shapes]
        tf.reset_default_graph()
        x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 10])
        self.variables = [tf.Variable(a) for a in self.arrays]
        w1, b1, w2, b2 = self.variables
        self.loss = _cross_entropy(y, tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2)
        self.feed = {x: self.pictures, y: self.labels}
        self.session = tf.Session()

    def gradients_by_hand(self):
        return by_hand.mlp_gradients(self.arrays, self.pictures, self.labels)

    def pair(self, optimizer, step_by_hand):
        train_op = optimizer.minimize(self.loss)
        self.session.run(tf.global_variables_initializer())
        for _ in range(3):
            self.session.run(train_op, self.feed)
            step_by_hand()
        _same(self.session.run(self.variables), self.arrays)
        return interleaved(lambda: self.session.run(train_op, self.feed), step_by_hand, calls=50)


def mlp_sgd():
    """One step of SGD on the MLP, batch 100."""
    mlp = _Mlp()
    return mlp.pair(
        tf.train.GradientDescentOptimizer(0.01), lambda: by_hand.sgd(mlp.arrays, mlp.gradients_by_hand(), 0.01)
    )


def mlp_adam():
    """One step of Adam on the MLP, batch 100."""
    mlp = _Mlp()
    m, v = ([np.zeros_like(a) for a in mlp.arrays] for _ in range(2))
    times = itertools.count(1)
    return mlp.pair(
        tf.train.AdamOptimizer(1e-4), lambda: by_hand.adam(mlp.arrays, mlp.gradients_by_hand(), m, v, next(times))
    )


def convnet():
    """One step of SGD on two convolutions of 5 by 5, each with relu and max pooling, and a dense layer; batch 64."""
    pictures, labels = _digits(64)
    pictures = pictures.reshape(-1, 28, 28, 1)
    random = np.random.default_rng(0)
    shapes = [(5, 5, 1, 16), (16,), (5, 5, 16, 32), (32,), (7 * 7 * 32, 10), (10,)]
    arrays = [random.normal(0, 0.05, s).astype(np.float32) for s in shapes]
    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.float32, [None, 10])
    w1, b1, w2, b2, w3, b3 = variables = [tf.Variable(a) for a in arrays]

    def layer(x, w, b):
        y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), b))
        return tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")

    flat = tf.reshape(layer(layer(x, w1, b1), w2, b2), [-1, 7 * 7 * 32])
    loss = _cross_entropy(y, tf.matmul(flat, w3) + b3)
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    session, feed = tf.Session(), {x: pictures, y: labels}
    session.run(tf.global_variables_initializer())

    def step_by_hand():
        by_hand.sgd(arrays, by_hand.convnet_gradients(arrays, pictures, labels), 0.01)

    for _ in range(3):
        session.run(train_op, feed)
        step_by_hand()
    _same(session.run(variables), arrays)
    return interleaved(lambda: session.run(train_op, feed), step_by_hand, calls=2)


def mlp_memory():
    """Peak memory of the MLP's forward and backward pass, divided by that of the pass by hand."""
    mlp = _Mlp()
    gradients = tf.gradients(mlp.loss, mlp.variables)
    mlp.session.run(tf.global_variables_initializer())
    return _peak(lambda: mlp.session.run(gradients, mlp.feed)) / _peak(mlp.gradients_by_hand)


def _peak(function):
    """The peak of the bytes that a second call allocates."""
    function()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - before


def _cross_entropy(labels, logits):
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))


def _digits(count):
    """Random data in the shape of MNIST's: pictures [count, 784] and one-hot labels [count, 10]."""
    random = np.random.default_rng(1)
    pictures = random.random((count, 784), np.float32)
    return pictures, np.eye(10, dtype=np.float32)[random.integers(0, 10, count)]


def _chain(x, length):
    for _ in range(length):
        x = tf.sin(x)
    return x


def _forward(values, length):
    outputs = [values]
    for _ in range(length):
        outputs.append(np.sin(outputs[-1]))
    return outputs


def _backward(outputs):
    gradient = np.ones_like(outputs[0])
    for value in reversed(outputs[:-1]):
        gradient = gradient * np.cos(value)
    return gradient


DATA = np.linspace(0.1, 1, 10, dtype=np.float32)


def run_chain():
    """Running a chain of 1,000 sines on ten numbers."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [10])
    y = _chain(x, 1_000)
    session = tf.Session()
    _same([session.run(y, {x: DATA})], [_forward(DATA, 1_000)[-1]])
    feed = {x: DATA}
    return interleaved(lambda: session.run(y, feed), lambda: _forward(DATA, 1_000), calls=20)


def build_chain():
    """Building that chain, compared with running it once by hand."""

    def build():
        tf.reset_default_graph()
        _chain(tf.placeholder(tf.float32, [10]), 1_000)

    return interleaved(build, lambda: _forward(DATA, 1_000), calls=3)


def _gradients(length, rounds):
    """Building the gradients of a chain, compared with computing them once by hand."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [10])
    y = _chain(x, length)
    gradient = tf.gradients(y, x)[0]
    by_hand_gradient = _backward(_forward(DATA, length))
    _same([tf.Session().run(gradient, {x: DATA})], [by_hand_gradient])
    return interleaved(lambda: tf.gradients(y, x), lambda: _backward(_forward(DATA, length)), calls=1, rounds=rounds)


def _same(ours, by_hand_values):
    for a, b in zip(ours, by_hand_values, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


CASES = [
    ("experiment A, one run of the train op", "40", experiment_a),
    ("softmax regression 784x10, batch 100", "3.6", softmax_regression),
    ("MLP 784-128-10, SGD", "1.32", mlp_sgd),
    ("MLP 784-128-10, Adam", "1.06", mlp_adam),
    ("two convolutions with pooling, SGD", "0.2", convnet),
    ("run a chain of 1,000 sines", "0.31", run_chain),
    ("build that chain (by hand: run it)", "370", build_chain),
    ("gradients of 1,000 ops (by hand: the pass)", "470", lambda: _gradients(1_000, 11)),
    ("gradients of 10,000 ops", "610", lambda: _gradients(10_000, 3)),
]
