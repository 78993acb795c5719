"""A model of two weights, on which the check of lesson 04 trains with the learner's op."""

from __future__ import annotations

from dataclasses import dataclass

import minitf as tf

RUNS, RATE = 3, 0.125


@dataclass(frozen=True)
class Model:
    """What the function gets: two weights, their gradients, a rate that reads the step."""

    pairs: list[tuple[tf.Tensor, tf.Variable]]
    rate: tf.Tensor
    step: tf.Variable

    @property
    def weights(self) -> list[tf.Variable]:
        """The two weights."""
        return [variable for _, variable in self.pairs]


def two_weights() -> Model:
    """Build it in the default graph."""
    w = tf.Variable(0.5, name="w")
    b = tf.Variable(2.0, name="b")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(RATE, step, 1, 0.5, name="rate")
    loss = (w * tf.constant([1.0, 2.0]) + b - tf.constant([4.0, 1.0])) ** 2
    pairs = tf.train.GradientDescentOptimizer(rate).compute_gradients(loss, var_list=[w, b])
    return Model(pairs, rate, step)


def trained(train_op: tf.Operation, model: Model) -> list[list[float]]:
    """Return both weights and the step before the first run and after each."""
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        watch = [*model.weights, model.step]
        seen = [sess.run(watch)]
        for _ in range(RUNS):
            sess.run(train_op)
            seen.append(sess.run(watch))
    return seen


def by_the_optimizer() -> list[list[float]]:
    """Return what GradientDescentOptimizer itself makes of the same model."""
    with tf.Graph().as_default():
        model = two_weights()
        optimizer = tf.train.GradientDescentOptimizer(model.rate)
        return trained(optimizer.apply_gradients(model.pairs, global_step=model.step), model)
