"""What the transcripts about layers share: variables with chosen values, and the collections they are in."""

import numpy as np

KEYS = ["variables", "trainable_variables", "model_variables", "update_ops", "regularization_losses"]


def numbers(*shape):
    """An array of numbers between -0.4 and 0.6, all different."""
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % count / count - 0.4).astype(np.float32).reshape(shape)


def fill(tf, sess):
    """Give each variable numbers that depend on its name's place among the sorted names."""
    sess.run(tf.global_variables_initializer())
    for i, v in enumerate(sorted(tf.trainable_variables(), key=lambda v: v.name)):
        v.load(numbers(*v.shape.as_list()) + 0.1 * i, sess)


def run(tf, fetches, feeds=None):
    """The fetches' values once the variables are filled."""
    with tf.Session() as sess:
        fill(tf, sess)
        return sess.run(fetches, feeds)


def collections(tf):
    """The sorted names in each collection of variables and updates."""
    graph = tf.get_default_graph()
    return {key: sorted(item.name for item in graph.get_collection(key)) for key in KEYS}
