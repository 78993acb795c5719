"""Graphs that are stored and read again, by minitf and by TensorFlow.

They are the sections of tests/conformance/facts/graphs_to_store.md. The files beside this one have the graphs as
TensorFlow builds and stores them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.conformance import transcripts

FOLDER = Path(__file__).parent
X = np.float32([[0.3, -0.7, 0.9], [-0.2, 0.6, 0.4]])
FEEDS = {
    "x": X,
    "positive": np.abs(X) + 1,
    "unknown": X,
    "whole": np.int32([[3, -4, 5], [6, 7, -8]]),
    "truth": np.array([[True, False, True], [False, True, True]]),
    "labels": np.int32([2, 0]),
}
SHAPES = {"unknown": None, "labels": [None]}


def placeholder(tf: Any, name: str) -> Any:
    """A placeholder that will be fed what `FEEDS` has under its name."""
    return tf.placeholder(FEEDS[name].dtype, SHAPES.get(name, [None, 3]), name=name)


def fetch(tf: Any, ys: list[Any], *xs: Any) -> list[Any]:
    """The ys and, of each, the gradients; the graph keeps them as the collection "fetched"."""
    found = []
    for y in ys:
        gradients = tf.gradients(y, list(xs)) if xs else []
        found += [tf.convert_to_tensor(tensor) for tensor in [y, *gradients] if tensor is not None]
    for tensor in found:
        tf.add_to_collection("fetched", tensor)
    return found


def run(tf: Any, ys: list[Any], *xs: Any) -> list[Any]:
    """What the ys and their gradients give in a new session."""
    return values(tf, fetch(tf, ys, *xs))


def values(tf: Any, fetched: list[Any]) -> list[Any]:
    """Initialize the variables of the default graph and run these tensors."""
    operations = tf.get_default_graph().get_operations()
    feeds = {op.outputs[0]: FEEDS[op.name] for op in operations if op.type == "Placeholder"}
    with tf.Session() as sess:
        sess.run([v.initializer for v in tf.global_variables()])
        return sess.run(fetched, feeds)


GRAPHS = transcripts.load("graphs_to_store").sections
WITHOUT_VALUES = {"random_numbers", "a_function_of_python"}  # these differ, or run in one process only
OTHER_OPS = {"rows_in_loops", "gradients_of_loops"}  # what TensorFlow builds for these, minitf doesn't read
OF_TENSORFLOW = [name for name in GRAPHS if name not in OTHER_OPS]


def build(tf: Any, name: str) -> Any:
    """Build a graph in the default graph; returns its MetaGraphDef."""
    section = GRAPHS[name]
    names = {"tf": tf, "np": np}
    exec(section.theme.setup, names)
    names["run"] = fetch
    for cell in section.cells:
        exec(cell.code, names)
    tf.global_variables_initializer()
    if not tf.global_variables():
        tf.get_variable("nothing", [], trainable=False)
    return tf.train.Saver().export_meta_graph()
