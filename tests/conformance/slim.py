"""`tf.layers` and `tf.contrib` for the recording: TensorFlow 2 has moved them to the packages tf_keras and tf_slim."""

import importlib.util
import os
import sys
from types import SimpleNamespace


def prepare():
    """Before TensorFlow is imported: let `tf.layers` use tf_keras, where that is installed."""
    if importlib.util.find_spec("tf_keras"):
        os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")


def attach_older_names(tf):
    """Give TensorFlow the names from before 1.0 whose functions it still has."""
    from tensorflow.python.ops import gen_math_ops, logging_ops

    for name in ("scalar_summary", "histogram_summary", "image_summary", "merge_summary", "merge_all_summaries"):
        setattr(tf, name, getattr(logging_ops, name))
    for name in ("mul", "sub", "neg", "select"):
        setattr(tf, name, getattr(gen_math_ops, name))


def attach(tf):
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
