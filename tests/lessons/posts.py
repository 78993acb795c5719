"""The experiment of the posts, for tests that need a training run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import minitf as tf

DATA = np.linspace(1, 2, 10).reshape(10, 1)


class Posts(NamedTuple):
    """What the posts build, and what they feed."""

    train_op: tf.Operation
    feeds: dict
    rate: tf.Tensor
    variables: list[tf.Variable]


def experiment(counted: bool = True) -> Posts:
    """Build the experiment in the default graph."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(0.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2, name="rate")
    optimizer = tf.train.GradientDescentOptimizer(rate)
    train_op = optimizer.minimize((w * x - y) ** 2, global_step=step if counted else None)
    return Posts(train_op, {x: DATA, y: DATA}, rate, [w, step])
