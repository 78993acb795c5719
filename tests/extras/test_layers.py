"""What minitf leaves out of layers, convolutions and optimize_loss is refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import minitf as tf

X, PICTURES = [2, 3], [1, 4, 4, 1]


def _loss() -> tf.Tensor:
    return tf.square(tf.get_variable("w", initializer=1.0))


def _optimize(**arguments) -> Callable:
    return lambda: tf.contrib.layers.optimize_loss(_loss(), None, 0.1, "SGD", **arguments)


REFUSED = {
    "activity_regularizer": lambda: tf.layers.dense(tf.ones(X), 2, activity_regularizer=tf.nn.l2_loss),
    "renorm": lambda: tf.layers.batch_normalization(tf.ones(X), renorm=True),
    "virtual_batch_size": lambda: tf.layers.batch_normalization(tf.ones(X), virtual_batch_size=2),
    "adjustment": lambda: tf.contrib.layers.batch_norm(tf.ones(X), adjustment=lambda shape: (1, 0)),
    "batch_weights": lambda: tf.contrib.layers.batch_norm(tf.ones(X), batch_weights=tf.ones([2])),
    "zero_debias_moving_mean": lambda: tf.contrib.layers.batch_norm(tf.ones(X), zero_debias_moving_mean=True),
    "channels_first": lambda: tf.layers.flatten(tf.ones(PICTURES), data_format="channels_first"),
    "gradient_noise_scale": _optimize(gradient_noise_scale=0.1),
    "gradient_multipliers": _optimize(gradient_multipliers={"w": 2.0}),
    "gradient_norm": _optimize(summaries=["gradient_norm"]),
    "gradients": _optimize(summaries=["loss", "gradients"]),
    "padding EXPLICIT": lambda: tf.nn.conv2d(tf.ones(PICTURES), tf.ones([2, 2, 1, 1]), 1, "EXPLICIT"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_missing_is_named(name):
    with pytest.raises(tf.errors.UnimplementedError, match=rf"^minitf .* {name}(\n|\.|$)"):
        REFUSED[name]()


def test_padding_by_a_list_is_refused():
    with pytest.raises(TypeError, match=r"Expected string for argument 'padding' not \[\[0, 0\]"):
        tf.nn.max_pool(tf.ones(PICTURES), 2, 1, [[0, 0], [1, 0], [0, 1], [0, 0]])


def test_the_arguments_of_a_scope_hold_until_its_with_ends():
    @tf.contrib.framework.add_arg_scope
    def found(a=1):
        return a

    with pytest.raises(KeyError), tf.contrib.framework.arg_scope([found], a=2):
        assert found() == 2
        raise KeyError
    assert found() == 1


def test_a_layer_in_a_scope_that_is_entered_again_finds_its_variables():
    layers = tf.contrib.layers
    for reuse in (None, True):
        with tf.variable_scope("net", reuse=reuse):
            y = layers.max_pool2d(layers.conv2d(tf.ones(PICTURES), 2, 3, normalizer_fn=layers.batch_norm), 2)
    assert y.name == "net_1/MaxPool2D/MaxPool:0"
    names = [v.op.name for v in tf.trainable_variables()]
    assert names == ["net/Conv/weights", "net/Conv/BatchNorm/beta"]
