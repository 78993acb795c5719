"""Each small program of lesson 15 runs in an empty graph, one from a checkpoint, and prints what it says."""

import inspect
from collections.abc import Callable

import minitf as tf
from lab.experiments.watched_program import Seen, watch
from lab.files.temporary_folder import temporary_folder


def run_case(program: Callable) -> None:
    """Call a program in an empty graph, with a checkpoint if it takes one; print what it says."""
    seen = watch_case(program)
    print(*seen.printed, *seen.complaints, sep="\n")


def watch_case(program: Callable, steps: int = 5) -> Seen:
    """Watch a program, which may take a checkpoint that was saved after so many steps, as model-1000."""
    takes_one = inspect.signature(program).parameters
    return watch(program, *([checkpoint(steps)] if takes_one else []))


def checkpoint(steps: int) -> str:
    """Train and save everything; return the path."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step, w = tf.train.create_global_step(), tf.Variable(5.0, name="w")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(train_op)
        return tf.train.Saver().save(sess, f"{temporary_folder()}/model", global_step=1000)
