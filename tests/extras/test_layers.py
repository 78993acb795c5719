"""What minitf leaves out of layers, convolutions and optimize_loss is refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import minitf as tf


def _batch_normalization(**arguments) -> Callable:
    return lambda: tf.layers.batch_normalization(tf.ones([2, 3]), **arguments)


def _batch_norm(**arguments) -> Callable:
    return lambda: tf.contrib.layers.batch_norm(tf.ones([2, 3]), **arguments)


def _optimize_loss(**arguments) -> Callable:
    def optimize():
        loss = tf.square(tf.get_variable("w", initializer=1.0))
        tf.contrib.layers.optimize_loss(loss, None, 0.1, "SGD", **arguments)

    return optimize


def _pictures() -> tf.Tensor:
    return tf.ones([1, 4, 4, 1])


REFUSED = {
    "activity_regularizer": lambda: tf.layers.dense(tf.ones([2, 3]), 2, activity_regularizer=tf.nn.l2_loss),
    "renorm": _batch_normalization(renorm=True),
    "virtual_batch_size": _batch_normalization(virtual_batch_size=2),
    "adjustment": _batch_norm(adjustment=lambda shape: (1, 0)),
    "batch_weights": _batch_norm(batch_weights=[1.0, 1.0]),
    "zero_debias_moving_mean": _batch_norm(zero_debias_moving_mean=True),
    "channels_first": lambda: tf.layers.flatten(_pictures(), data_format="channels_first"),
    "gradient_noise_scale": _optimize_loss(gradient_noise_scale=0.1),
    "gradient_multipliers": _optimize_loss(gradient_multipliers={"w": 2.0}),
    "gradient_norm": _optimize_loss(summaries=["gradient_norm"]),
    "gradients": _optimize_loss(summaries=["loss", "gradients"]),
    "padding EXPLICIT": lambda: tf.nn.conv2d(_pictures(), tf.ones([2, 2, 1, 1]), 1, "EXPLICIT"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_missing_is_named(name):
    with pytest.raises(tf.errors.UnimplementedError, match=rf"^minitf .* {name}(\n|\.|$)"):
        REFUSED[name]()


def test_padding_by_a_list_is_refused():
    with pytest.raises(TypeError, match=r"Expected string for argument 'padding' not \[\[0, 0\]"):
        tf.nn.max_pool(_pictures(), 2, 1, [[0, 0], [1, 0], [0, 1], [0, 0]])
