"""The referee: an installed TensorFlow in its graph mode, with the old names that are still to be had.

TensorFlow 2 has moved `tf.layers` and `tf.contrib` to the packages tf_keras and tf_slim.
"""

import importlib.util
import logging
import os
import sys
from types import SimpleNamespace


def import_tensorflow():
    """TensorFlow in its graph mode, quiet, without arithmetic made for one kind of processor."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    if importlib.util.find_spec("tf_keras"):  # which tf.layers needs
        os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.FATAL)
    logging.getLogger("tensorflow").propagate = False
    _attach_contrib(tf)
    _attach_older_names(tf)
    return tf


def _attach_older_names(tf):
    """Give TensorFlow the names from before 1.0 whose functions it still has."""
    from tensorflow.python.ops import gen_math_ops, logging_ops

    for name in ("scalar_summary", "histogram_summary", "image_summary", "merge_summary", "merge_all_summaries"):
        setattr(tf, name, getattr(logging_ops, name))
    for name in ("mul", "sub", "neg", "select"):
        setattr(tf, name, getattr(gen_math_ops, name))


def _attach_contrib(tf):
    """Give TensorFlow its old `tf.contrib`, where tf_slim is installed: what both call the same is the same code."""
    if hasattr(tf, "contrib") or not importlib.util.find_spec("tf_slim"):
        return
    from tensorflow.python.framework import ops
    from tf_keras.src import legacy_tf_layers
    from tf_keras.src.legacy_tf_layers import normalization

    # Where tf_slim, which is older, looks for them.
    ops.Tensor, ops.IndexedSlices = tf.Tensor, tf.IndexedSlices
    sys.modules["tf_keras.legacy_tf_layers"] = legacy_tf_layers
    sys.modules["tf_keras.legacy_tf_layers.normalization"] = normalization
    import tf_slim

    tf.contrib = SimpleNamespace(layers=sys.modules["tf_slim.layers"], framework=tf_slim, slim=tf_slim)
