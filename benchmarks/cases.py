"""What is timed: a training step, and long chains of small ops."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import minitf as tf
from benchmarks import by_hand
from benchmarks.compare import Pair, interleaved


def experiment_a() -> Pair:
    """One `run` of the train op of the experiment, at a rate with which it converges."""
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

    def step_by_hand() -> None:
        state[0], state[1] = by_hand.experiment_a(*state, data, 0.001, 10_000, 0.5)

    pair = interleaved(lambda: session.run(train_op, feed), step_by_hand, calls=2_000)
    _same(session.run([w, step]), state)
    return pair


def _chain(x: tf.Tensor, length: int) -> tf.Tensor:
    for _ in range(length):
        x = tf.sin(x)
    return x


def _forward(values: np.ndarray, length: int) -> list[np.ndarray]:
    outputs = [values]
    for _ in range(length):
        outputs.append(np.sin(outputs[-1]))
    return outputs


def _backward(outputs: list[np.ndarray]) -> np.ndarray:
    gradient = np.ones_like(outputs[0])
    for value in reversed(outputs[:-1]):
        gradient = gradient * np.cos(value)
    return gradient


DATA = np.linspace(0.1, 1, 10, dtype=np.float32)


def run_chain() -> Pair:
    """Run a chain of 1,000 sines on ten numbers."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [10])
    y = _chain(x, 1_000)
    session = tf.Session()
    _same([session.run(y, {x: DATA})], [_forward(DATA, 1_000)[-1]])
    feed = {x: DATA}
    return interleaved(lambda: session.run(y, feed), lambda: _forward(DATA, 1_000), calls=20)


def build_chain() -> Pair:
    """Build that chain; by hand: run it once."""

    def build() -> None:
        tf.reset_default_graph()
        _chain(tf.placeholder(tf.float32, [10]), 1_000)

    return interleaved(build, lambda: _forward(DATA, 1_000), calls=3)


def _gradients(length: int, rounds: int) -> Pair:
    """Build the gradient of a chain; by hand: run the pass once."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [10])
    y = _chain(x, length)
    gradient = tf.gradients(y, x)[0]
    by_hand_gradient = _backward(_forward(DATA, length))
    _same([tf.Session().run(gradient, {x: DATA})], [by_hand_gradient])
    return interleaved(lambda: tf.gradients(y, x), lambda: _backward(_forward(DATA, length)), calls=1, rounds=rounds)


def _same(ours: list, by_hand_values: list) -> None:
    for a, b in zip(ours, by_hand_values, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-7)


CASES: list[tuple[str, str, Callable[[], Pair]]] = [
    ("experiment A, one run of the train op", "40", experiment_a),
    ("run a chain of 1,000 sines", "0.31", run_chain),
    ("build that chain (by hand: run it)", "370", build_chain),
    ("gradients of 1,000 ops (by hand: the pass)", "470", lambda: _gradients(1_000, 11)),
    ("gradients of 10,000 ops", "610", lambda: _gradients(10_000, 3)),
]
