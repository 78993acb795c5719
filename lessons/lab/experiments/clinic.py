"""Each small program of lesson 15 runs in an empty graph, some from a checkpoint, and prints what it says."""

import inspect
import tempfile
from collections.abc import Callable

import minitf as tf
from lab.experiments.watched_program import watch

SAVED_AS = 1000  # the number in the checkpoint's name


def run_case(program: Callable) -> None:
    """Call a program in an empty graph, with a checkpoint if it takes one; print what it says."""
    with tempfile.TemporaryDirectory() as folder:
        path = [checkpoint(folder, 5)[0]] if inspect.signature(program).parameters else []
        print(*watch(program, *path).lines, sep="\n")


def checkpoint(folder: str, runs: int, name: str = "model", saved_as: int = SAVED_AS) -> tuple:
    """Train `runs` steps and save everything, by default as model-1000; return path and values."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step, w = tf.train.create_global_step(), tf.Variable(5.0, name="w")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(runs):
            sess.run(train_op)
        path = tf.train.Saver().save(sess, f"{folder}/{name}", global_step=saved_as)
        return path, {"w": float(sess.run(w)), "global_step": int(sess.run(step))}
