"""Ways to make a counter: each is run for real, and then the graph is asked what it holds."""

from __future__ import annotations

from dataclasses import dataclass

import minitf as tf
from lab.logged import logged

# Under what the learner chooses, the code that is shown and run.
WAYS = {
    "tf.Variable(0)": "counter = tf.Variable(0)",
    "tf.Variable(0, trainable=False)": "counter = tf.Variable(0, trainable=False)",
    'tf.Variable(0, trainable=False, name="global_step")': (
        'counter = tf.Variable(0, trainable=False, name="global_step")'
    ),
    'the same, inside tf.name_scope("train")': (
        'with tf.name_scope("train"):\n'
        '    counter = tf.Variable(0, trainable=False, name="global_step")'
    ),
    "without a name, but added to the collection": (
        "counter = tf.Variable(0, trainable=False)\n"
        "tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, counter)"
    ),
    "tf.train.create_global_step()": "counter = tf.train.create_global_step()",
    "two in the collection": (
        "counter = tf.train.create_global_step()\n"
        "other = tf.Variable(0, trainable=False)\n"
        "tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, other)"
    ),
}
COLLECTIONS = ("GLOBAL_VARIABLES", "TRAINABLE_VARIABLES", "GLOBAL_STEP")


@dataclass(frozen=True)
class Look:
    """What a graph's collections hold after some runs, and what get_global_step finds."""

    held: dict[str, list[str]]  # of each collection, the Variables' names
    values: dict[str, float]
    found: tf.Variable | tf.Tensor | None
    named: bool  # whether something has the name global_step:0
    log: list[str]


def look(code: str, runs: int) -> Look:
    """Make a counter as `code` says, train `runs` times with it, and look into the graph."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        w = tf.Variable(5.0, name="w")
        made: dict = {"tf": tf}
        exec(code, made)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(w**2, global_step=made["counter"])
        sess.run(tf.global_variables_initializer())
        for _ in range(runs):
            sess.run(train_op)
        held = {
            key: [v.name for v in graph.get_collection(getattr(tf.GraphKeys, key))]
            for key in COLLECTIONS
        }
        variables = tf.global_variables()
        values = dict(zip((v.name for v in variables), sess.run(variables), strict=True))
        with logged() as log:
            found = tf.train.get_global_step()
        named = "global_step" in (op.name for op in graph.get_operations())
    return Look(held, values, found, named, log)
