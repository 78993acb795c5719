"""What is timed: training steps, and long chains of small ops."""

import itertools
import tracemalloc

import numpy as np

import minitf as tf
from benchmarks import by_hand
from benchmarks.compare import interleaved

# Training steps.


def training(train_op, feed, variables, state, step_by_hand, calls):
    """Time a train op beside the same step by hand. After three steps, both have the same weights."""
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def step():
        session.run(train_op, feed)

    for _ in range(3):
        step()
        step_by_hand()
    _same(session.run(variables), state)
    return interleaved(step, step_by_hand, calls)


def sgd(rate=0.01):
    """Gradient descent."""
    return tf.train.GradientDescentOptimizer(rate)


def experiment_a():
    """One `run` of the train op of lesson 03's experiment, at a rate at which it converges."""
    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    w, step = tf.Variable(0.0), tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.001, step, decay_steps=10_000, decay_rate=0.5)
    train_op = sgd(rate).minimize((w * x - y) ** 2, global_step=step)
    data = np.linspace(1, 2, 10, dtype=np.float32).reshape(10, 1)
    state = [np.float32(0), 0]

    def step_by_hand():
        state[:] = by_hand.experiment_a(*state, data, 0.001, 10_000, 0.5)

    return training(train_op, {x: data, y: data}, [w, step], state, step_by_hand, 2_000)


class Model:
    """A classifier of digits, as a graph and as arrays of the same numbers."""

    def __init__(self, batch, pictures, logits, arrays):
        tf.reset_default_graph()
        self.pictures, self.labels = _digits(batch, pictures)
        x, y = tf.placeholder(tf.float32, [None, *pictures]), tf.placeholder(tf.float32, [None, 10])
        self.feed = {x: self.pictures, y: self.labels}
        self.arrays, self.variables = arrays, [tf.Variable(array) for array in arrays]
        entropy = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits(x, *self.variables))
        self.loss = tf.reduce_mean(entropy)

    def beside(self, optimizer, step_by_hand, calls):
        """Time a step of an optimizer."""
        train_op = optimizer.minimize(self.loss)
        return training(train_op, self.feed, self.variables, self.arrays, step_by_hand, calls)


def _random(*shapes):
    random = np.random.default_rng(0)
    return [random.normal(0, 0.05, shape).astype(np.float32) for shape in shapes]


def softmax_regression():
    """One step of SGD on w [784, 10] and b [10] with a batch of 100 pictures of digits."""
    arrays = [np.zeros((784, 10), np.float32), np.zeros(10, np.float32)]
    model = Model(100, [784], lambda x, w, b: tf.matmul(x, w) + b, arrays)

    def step_by_hand():
        by_hand.softmax_regression(*arrays, model.pictures, model.labels, 0.01)

    return model.beside(sgd(), step_by_hand, 100)


class Mlp(Model):
    """relu(x w1 + b1) w2 + b2 with 128 hidden units, batch 100."""

    def __init__(self):
        arrays = _random((784, 128), (128,), (128, 10), (10,))
        super().__init__(100, [784], self.logits, arrays)

    def logits(self, x, w1, b1, w2, b2):
        """The logits of pictures."""
        return tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2

    def gradients_by_hand(self):
        """The gradients of its arrays."""
        return by_hand.mlp_gradients(self.arrays, self.pictures, self.labels)


def mlp_sgd():
    """One step of SGD on the MLP."""
    mlp = Mlp()
    return mlp.beside(sgd(), lambda: by_hand.sgd(mlp.arrays, mlp.gradients_by_hand(), 0.01), 50)


def mlp_adam():
    """One step of Adam on the MLP."""
    mlp, times = Mlp(), itertools.count(1)
    m, v = ([np.zeros_like(a) for a in mlp.arrays] for _ in range(2))

    def step_by_hand():
        by_hand.adam(mlp.arrays, mlp.gradients_by_hand(), m, v, next(times))

    return mlp.beside(tf.train.AdamOptimizer(1e-4), step_by_hand, 50)


def _convolution(x, w, b):
    y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), b))
    return tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")


def _convnet(x, w1, b1, w2, b2, w3, b3):
    flat = tf.reshape(_convolution(_convolution(x, w1, b1), w2, b2), [-1, 7 * 7 * 32])
    return tf.matmul(flat, w3) + b3


def convnet():
    """One step of SGD on two convolutions of 5 by 5, each with relu and max pooling, and a dense layer; batch 64."""
    arrays = _random((5, 5, 1, 16), (16,), (5, 5, 16, 32), (32,), (7 * 7 * 32, 10), (10,))
    model = Model(64, [28, 28, 1], _convnet, arrays)

    def step_by_hand():
        by_hand.sgd(arrays, by_hand.convnet_gradients(arrays, model.pictures, model.labels), 0.01)

    return model.beside(sgd(), step_by_hand, 2)


def mlp_memory():
    """Peak memory of the MLP's forward and backward pass, divided by that of the pass by hand."""
    mlp, session = Mlp(), tf.Session()
    gradients = tf.gradients(mlp.loss, mlp.variables)
    session.run(tf.global_variables_initializer())
    return _peak(lambda: session.run(gradients, mlp.feed)) / _peak(mlp.gradients_by_hand)


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


def _digits(count, shape):
    """Random data in the shape of MNIST's: pictures and one-hot labels [count, 10]."""
    random = np.random.default_rng(1)
    pictures = random.random((count, 784), np.float32).reshape(count, *shape)
    return pictures, np.eye(10, dtype=np.float32)[random.integers(0, 10, count)]


# Chains.


def _chain(length):
    """Ten numbers, and a chain of sines on them, in a new graph."""
    tf.reset_default_graph()
    x = y = tf.placeholder(tf.float32, [10])
    for _ in range(length):
        y = tf.sin(y)
    return x, y


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
    x, y = _chain(1_000)
    session = tf.Session()
    _same([session.run(y, {x: DATA})], [_forward(DATA, 1_000)[-1]])
    feed = {x: DATA}
    return interleaved(lambda: session.run(y, feed), lambda: _forward(DATA, 1_000), calls=20)


def build_chain():
    """Building that chain, compared with running it once by hand."""
    return interleaved(lambda: _chain(1_000), lambda: _forward(DATA, 1_000), calls=3)


def _gradients(length, rounds):
    """Building the gradients of a chain, compared with computing them once by hand."""
    x, y = _chain(length)

    def by_hand():
        return _backward(_forward(DATA, length))

    _same(tf.Session().run(tf.gradients(y, x), {x: DATA}), [by_hand()])
    return interleaved(lambda: tf.gradients(y, x), by_hand, calls=1, rounds=rounds)


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
