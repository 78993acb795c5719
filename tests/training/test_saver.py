"""Saver: what it restores is the session's own, one save waits for another, and what is left if it is killed."""

import os
import random
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest

import minitf as tf
from minitf.training import checkpoint_format
from tests.training import save_forever


def saved(folder, values):
    """Save variables of these values; gives back the checkpoint."""
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = [tf.Variable(value, name=key) for key, value in values.items()]
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver(variables).save(sess, str(folder / "m"))


def test_a_variable_restored_is_the_sessions_own(tmp_path):
    path = saved(tmp_path, {"w": np.arange(3.0)})
    w = tf.Variable(np.zeros(3), name="w")
    add = tf.assign_add(w, np.ones(3))
    with tf.Session() as sess:
        tf.train.Saver().restore(sess, path)
        read = sess.run(w)
        sess.run(add)
        assert read.tolist() == [0, 1, 2]
        assert sess.run(w).tolist() == [1, 2, 3]


def test_a_restore_that_fails_changes_nothing_and_names_the_line(tmp_path):
    path = saved(tmp_path, {"a": 1.0, "b": [1.0, 2.0]})
    a, b = tf.Variable(5.0, name="a"), tf.Variable([5.0], name="b")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="test_saver.py"):
            tf.train.Saver().restore(sess, path)
        assert sess.run([a, b]) == [5, [5]]


@pytest.mark.skipif(sys.platform == "win32", reason="a folder can't be locked there")
def test_one_save_waits_for_another(tmp_path, monkeypatch):
    events, write = [], checkpoint_format._write_files

    def slowly(prefix, tensors):
        events.append("begins")
        time.sleep(0.05)
        write(prefix, tensors)
        events.append("ends")

    monkeypatch.setattr(checkpoint_format, "_write_files", slowly)
    save = partial(checkpoint_format.write_checkpoint, str(tmp_path / "model"), {"v": np.ones(3)})
    both = [threading.Thread(target=save) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert events == ["begins", "ends", "begins", "ends"]


# Killed.


def killed(folder, kind, uses, rng):
    """Let a process save again and again, and kill it; gives back the last step that it began to save."""
    command = [sys.executable, "-m", "tests.training.save_forever", str(folder), kind, *([str(uses)] if uses else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        if not uses:
            for _ in range(3):
                process.stdout.readline()
            time.sleep(rng.random() * 0.05)
            process.kill()
        steps = process.communicate(timeout=60)[0].split()
    return int(steps[-1]) if steps else 3


def kill_and_look(folder, count, seed):
    """Kill at `count` moments: half of them between two uses of files, half of them at any time."""
    rng = random.Random(seed)
    for number in range(count):
        kind = rng.choice(["numbered", "same"])
        uses = number % 2 and rng.randint(1, 30)
        place = folder / str(number)
        place.mkdir()
        last = killed(place, kind, uses, rng)
        with tf.Graph().as_default(), tf.Session() as sess:
            step, weights = save_forever.build()
            tf.train.Saver().restore(sess, tf.train.latest_checkpoint(place))
            found, values = sess.run([step, weights])
        assert found in (last, last - 1), (seed, number, kind, uses)
        assert (values == found).all(), (seed, number, kind, uses)


@pytest.mark.parametrize("count", [4, pytest.param(200, marks=pytest.mark.long)])
def test_killed_while_it_saves(tmp_path, count):
    kill_and_look(tmp_path, count, int(os.environ["MINITF_SEED"]))
