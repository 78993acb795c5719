"""What is timed: saving and restoring 50 MB of variables, compared with `np.save` and `np.load`."""

import itertools
import os
import shutil
import tempfile
from contextlib import contextmanager

import numpy as np

import minitf as tf
from benchmarks.compare import interleaved

SHAPES = [(1250, 1000)] * 9 + [(1250, 10)] * 100


@contextmanager
def _started():
    """Yield a session with 50 MB of variables, a saver, the same arrays, and a folder."""
    tf.reset_default_graph()
    draw = np.random.default_rng(1)
    arrays = [draw.random(shape, np.float32) for shape in SHAPES]
    for array in arrays:
        tf.Variable(array)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        yield session, tf.train.Saver(max_to_keep=2), arrays, folder


def save():
    """`Saver.save`, each time under a new name, keeping the last two."""
    with _started() as (session, saver, arrays, folder):
        step, step_by_hand = itertools.count(), itertools.count(2)

        def save_by_hand():
            this = next(step_by_hand)
            os.mkdir(f"{folder}/{this}")
            for number, array in enumerate(arrays):
                np.save(f"{folder}/{this}/{number}.npy", array)
            shutil.rmtree(f"{folder}/{this - 2}", ignore_errors=True)

        return interleaved(lambda: saver.save(session, f"{folder}/model", next(step)), save_by_hand, calls=1)


def restore():
    """`Saver.restore`."""
    with _started() as (session, saver, arrays, folder):
        path = saver.save(session, f"{folder}/model")
        for number, array in enumerate(arrays):
            np.save(f"{folder}/{number}.npy", array)

        def load_by_hand():
            return [np.load(f"{folder}/{number}.npy") for number in range(len(arrays))]

        return interleaved(lambda: saver.restore(session, path), load_by_hand, calls=1)


def save_graph():
    """`Saver.save` of one variable in a graph of 1,000 ops, beside the same without the '.meta' file."""
    tf.reset_default_graph()
    x = tf.Variable(1.0)
    for _ in range(1000):
        x = tf.identity(x)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver, step = tf.train.Saver(max_to_keep=2), itertools.count()

        def save_both(write_meta_graph):
            saver.save(session, f"{folder}/model", next(step), write_meta_graph=write_meta_graph)

        return interleaved(lambda: save_both(True), lambda: save_both(False), calls=1)


CASES = [("save 50 MB", "1.0", save), ("save with the graph", "3.1", save_graph), ("restore 50 MB", "1.1", restore)]
