"""Saver: what it saves, what it restores, what is left if it is killed, and training that goes on."""

import os
import random
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.training import checkpoint_format
from tests.support import examples
from tests.training import save_forever


def saved(folder, values, name="m"):
    """Save variables of these values; gives back the checkpoint."""
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = [tf.Variable(value, name=key) for key, value in values.items()]
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver(variables).save(sess, str(folder / name))


def test_a_variable_restored_is_the_sessions_own(tmp_path):
    path = saved(tmp_path, {"w": np.arange(3.0), "n": np.int64(1), "t": b"a\0"})
    w = tf.Variable(np.zeros(3), name="w")
    n, t = tf.Variable(np.int64(0), name="n"), tf.Variable("", name="t")
    add = [tf.assign_add(w, np.ones(3)), tf.assign_add(n, 1)]
    with tf.Session() as sess:
        tf.train.Saver().restore(sess, path)
        read = sess.run([w, n])
        sess.run(add)
        assert [item.tolist() for item in read] == [[0, 1, 2], 1]
        assert [item.tolist() for item in sess.run([w, n])] == [[1, 2, 3], 2]
        assert sess.run(t) == b"a\0"


def test_a_restore_that_fails_changes_nothing(tmp_path):
    path = saved(tmp_path, {"a": 1.0, "b": [1.0, 2.0]})
    a, b = tf.Variable(5.0, name="a"), tf.Variable([5.0], name="b")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="test_saver.py"):
            tf.train.Saver().restore(sess, path)
        assert sess.run([a, b]) == [5, [5]]


def test_no_op_is_added(tmp_path):
    tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver, count = tf.train.Saver(), len(tf.get_default_graph().get_operations())
        for step in range(3):
            saver.restore(sess, saver.save(sess, str(tmp_path / "m"), step))
        assert len(tf.get_default_graph().get_operations()) == count


def test_the_files_of_a_checkpoint(tmp_path):
    path = saved(tmp_path, {"w": 1.0})
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m.data-00000-of-00001", "m.index", "m.meta"]
    tf.train.remove_checkpoint(path)
    assert os.listdir(tmp_path) == ["checkpoint"]


def test_a_folder_that_was_moved(tmp_path):
    tf.Variable(1.0, name="w")
    (tmp_path / "here").mkdir()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for relative in (False, True):
            saver = tf.train.Saver(save_relative_paths=relative)
            saver.save(sess, str(tmp_path / "here" / "m"))
            os.rename(tmp_path / "here", tmp_path / "there")
            found = tf.train.latest_checkpoint(str(tmp_path / "there"))
            assert found == (str(tmp_path / "there" / "m") if relative else None)
            os.rename(tmp_path / "there", tmp_path / "here")


def test_old_checkpoints_go(tmp_path):
    tf.Variable(1.0)
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        paths = [saver.save(sess, str(tmp_path / "m"), step) for step in range(5)]
    assert saver.last_checkpoints == paths[-2:]
    assert [tf.train.checkpoint_exists(path) for path in paths] == [False] * 3 + [True] * 2
    assert tf.train.get_checkpoint_state(str(tmp_path)).all_model_checkpoint_paths == paths[-2:]


def test_one_old_checkpoint_of_each_hour_stays(tmp_path, monkeypatch):
    tf.Variable(1.0)
    hours = 0.0
    monkeypatch.setattr(time, "time", lambda: hours * 3600)
    saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for hours in (0.5, 1.2, 1.5, 1.8, 2.5, 2.6, 2.7):
            saver.save(sess, str(tmp_path / "m"), int(hours * 10))
    assert sorted(path.stem for path in tmp_path.glob("*.index")) == ["m-12", "m-25", "m-27"]


def test_a_variable_without_a_value_is_named_with_its_place(tmp_path):
    tf.Variable(1.0, name="w")
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError, match="(?s)value w.*test_saver.py"):
        tf.train.Saver().save(sess, str(tmp_path / "m"))
    assert os.listdir(tmp_path) == []


def test_a_session_of_another_graph(tmp_path):
    path = saved(tmp_path, {"w": 1.0})
    w = tf.Variable(1.0, name="w")
    saver = tf.train.Saver()
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.Variable(2.0, name="w").initializer)
        for use in (saver.save, saver.restore):
            with pytest.raises(TypeError, match="is not an element of this graph"):
                use(sess, path)
    with tf.Session() as sess:
        saver.restore(sess, path)
        assert sess.run(w) == 1


def test_thousands_of_variables(tmp_path):
    variables = [tf.Variable(float(number), name=f"v{number}") for number in range(3_000)]
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver.restore(sess, saver.save(sess, str(tmp_path / "m")))
        assert sess.run(variables[-1]) == 2999


# Training that goes on.

OPTIMIZERS = {
    "sgd": lambda rate: tf.train.GradientDescentOptimizer(rate),
    "momentum": lambda rate: tf.train.MomentumOptimizer(rate, 0.9),
    "adam": lambda rate: tf.train.AdamOptimizer(rate),
    "adagrad": lambda rate: tf.train.AdagradOptimizer(rate),
    "rmsprop": lambda rate: tf.train.RMSPropOptimizer(rate, momentum=0.5, centered=True),
}


def train(optimizer, stops, folder):
    """All variables after training to the last stop, in a new graph and session after each."""
    for stop in stops:
        with tf.Graph().as_default(), tf.Session() as sess:
            step = tf.train.get_or_create_global_step()
            x = tf.one_hot(tf.cast(step % 3, tf.int32), 3)
            w = tf.get_variable("w", initializer=np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2))
            rate = tf.train.exponential_decay(0.1, step, 3, 0.5)
            loss = tf.reduce_sum(tf.square(tf.matmul(tf.expand_dims(x, 0), w) - 2.0))
            train_op = OPTIMIZERS[optimizer](rate).minimize(loss, global_step=step)
            average = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
            with tf.control_dependencies([train_op]):
                train_op = average.apply([w])
            saver, latest = tf.train.Saver(), tf.train.latest_checkpoint(folder)
            if latest:
                saver.restore(sess, latest)
            else:
                sess.run(tf.global_variables_initializer())
            while sess.run(step) < stop:
                sess.run(train_op)
            saver.save(sess, os.path.join(folder, "model"), global_step=step)
            values = sess.run({v.name: v for v in tf.global_variables()})
    return {name: (value.dtype, value.tobytes()) for name, value in values.items()}


@given(st.sampled_from(sorted(OPTIMIZERS)), st.lists(st.integers(0, 12), max_size=3))
@examples(15)
def test_training_stopped_and_resumed_is_training_that_never_stopped(tmp_path_factory, optimizer, stops):
    at_once, in_parts = [str(tmp_path_factory.mktemp(name)) for name in ("once", "parts")]
    assert train(optimizer, [12], at_once) == train(optimizer, [*sorted(stops), 12], in_parts)


# Two at once.

SAVES = """
import sys
import numpy as np
import minitf as tf

number = int(sys.argv[1])
parts = [tf.Variable(np.full(1000, number)) for _ in range(3)]
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("ready", flush=True)
    input()
    for _ in range(60):
        saver.save(sess, "model", write_meta_graph=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a folder can't be locked there")
def test_two_processes_save_to_one_path(tmp_path):
    root = Path(__file__).resolve().parents[2]
    given = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(root)}, "text": True}
    given |= dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    both = [subprocess.Popen([sys.executable, "-c", SAVES, number], **given) for number in ("1", "2")]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in both:
        assert process.communicate(timeout=100) == ("", "")
        assert process.returncode == 0
    reader = tf.train.NewCheckpointReader(str(tmp_path / "model"))
    names = reader.get_variable_to_shape_map()
    assert len({number for name in names for number in reader.get_tensor(name)}) == 1
    files = ["checkpoint", "model.data-00000-of-00001", "model.index"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files


@pytest.mark.skipif(sys.platform == "win32", reason="a folder can't be locked there")
def test_one_save_waits_for_another(tmp_path, monkeypatch):
    events, write = [], checkpoint_format._write_files

    def slowly(prefix, tensors):
        events.append("begins")
        time.sleep(0.2)
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
        (folder / str(number)).mkdir()
        last = killed(folder / str(number), kind, uses, rng)
        with tf.Graph().as_default(), tf.Session() as sess:
            step, weights = save_forever.build()
            tf.train.Saver().restore(sess, tf.train.latest_checkpoint(str(folder / str(number))))
            found, values = sess.run([step, weights])
        assert found in (last, last - 1), (seed, number, kind, uses)
        assert (values == found).all(), (seed, number, kind, uses)


def test_killed_while_it_saves(tmp_path):
    kill_and_look(tmp_path, 20, int(os.environ["MINITF_SEED"]))


@pytest.mark.long
def test_killed_two_hundred_times(tmp_path):
    kill_and_look(tmp_path, 200, 1)
