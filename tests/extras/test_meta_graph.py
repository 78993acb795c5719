"""A '.meta' file brings a graph back with its collections, its saver and its step, in minitf and in TensorFlow."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.extras import meta_graph
from tests.support import examples

X = np.float32([[0.1, 0.2], [0.3, 0.4], [0.5, 0.7]])


def model(library):
    """A little training, with everything that people add: a decay, averages, summaries."""
    x = library.placeholder(library.float32, [None, 2], name="x")
    w1 = library.get_variable("w1", initializer=np.float32([[1, -1], [2, 1]]))
    w2 = library.get_variable("w2", initializer=np.float32([[1], [0.5]]))
    b = library.get_variable("b", initializer=np.float32([0.5]))
    y = library.matmul(library.nn.relu(library.matmul(x, w1)), w2) + b
    loss = library.reduce_mean(library.square(library.tanh(y) - 1.0), name="loss")
    step = library.train.get_or_create_global_step()
    rate = library.train.exponential_decay(0.1, step, 2, 0.5, staircase=True, name="rate")
    train = library.train.AdamOptimizer(rate).minimize(loss, global_step=step)
    library.group(train, name="train_and_more")
    library.train.ExponentialMovingAverage(0.5, step).apply([b])
    library.add_to_collection("losses", loss)
    library.summary.scalar("loss_curve", loss)
    library.summary.merge_all()


def train(library, sess, count):
    """Train for some steps; return the variables."""
    for _ in range(count):
        sess.run("train_and_more", {"x:0": X})
    return {v.name: sess.run(v) for v in library.global_variables()}


def start(library, folder, count):
    """Build the model, train and save it; return the checkpoint's name and the variables."""
    with library.Graph().as_default(), library.Session() as sess:
        model(library)
        sess.run(library.global_variables_initializer())
        trained = train(library, sess, count)
        return library.train.Saver().save(sess, str(folder / "model"), global_step=count), trained


def go_on(library, path, folder, count):
    """Import the graph, restore it, train on and save it; return what `start` does."""
    with library.Graph().as_default(), library.Session() as sess:
        saver = library.train.import_meta_graph(f"{path}.meta")
        saver.restore(sess, path)
        trained = train(library, sess, count)
        savers = [op.name for op in sess.graph.get_operations() if op.type == "SaveV2"]
        assert savers == ["save/SaveV2"]
        return saver.save(sess, str(folder / "again")), trained


def assert_close(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-5, err_msg=name)


def test_training_goes_on_without_the_code(tmp_path):
    path, _ = start(tf, tmp_path, 3)
    path, _ = go_on(tf, path, tmp_path, 1)
    _, resumed = go_on(tf, path, tmp_path, 2)
    _, straight = start(tf, tmp_path, 6)
    assert resumed["global_step:0"] == 6
    assert_close(resumed, straight)


BOTH_WAYS = pytest.mark.parametrize("first", ["minitf", "tensorflow"])


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@BOTH_WAYS
def test_one_goes_on_where_the_other_stopped(tensorflow, tmp_path, first):
    writer, reader = (tf, tensorflow) if first == "minitf" else (tensorflow, tf)
    path, _ = start(writer, tmp_path, 3)
    _, resumed = go_on(reader, path, tmp_path, 3)
    assert_close(resumed, start(tf, tmp_path, 6)[1])


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@BOTH_WAYS
def test_each_reads_the_others_directory_of_a_monitored_session(tensorflow, tmp_path, first):
    writer, reader = (tf, tensorflow) if first == "minitf" else (tensorflow, tf)
    with writer.Graph().as_default():
        model(writer)
        with writer.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            for _ in range(3):
                sess.run("train_and_more", {"x:0": X})
    _, resumed = go_on(reader, reader.train.latest_checkpoint(str(tmp_path)), tmp_path, 3)
    assert_close(resumed, start(tf, tmp_path, 6)[1])


def collections_of(library):
    """What the collections of the default graph hold, by name, except what TensorFlow keeps about conds."""
    graph = library.get_default_graph()
    keys = [key for key in graph.get_all_collection_keys() if key != "cond_context"]
    return {key: [getattr(item, "name", item) for item in graph.get_collection(key)] for key in keys}


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@BOTH_WAYS
def test_the_other_has_the_same_collections(tensorflow, first):
    writer, reader = (tf, tensorflow) if first == "minitf" else (tensorflow, tf)
    with writer.Graph().as_default():
        model(writer)
        before, stored = collections_of(writer), writer.train.Saver().export_meta_graph()
    with reader.Graph().as_default():
        saver = reader.train.import_meta_graph(reader.MetaGraphDef.FromString(stored.SerializeToString()))
        assert collections_of(reader) == before
        assert type(saver).__name__ == "Saver"


def test_what_has_no_stored_form_is_warned_about(caplog):
    tf.add_to_collection("functions", len)
    tf.add_to_collection("mixed", 1)
    tf.add_to_collection("mixed", "one")
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        tf.train.export_meta_graph()
    assert "Issue encountered when serializing functions" in caplog.text
    assert "Issue encountered when serializing mixed" in caplog.text


@pytest.fixture
def made(monkeypatch):
    """The MetaGraphDefs that are made."""
    found, encode = [], meta_graph.export_meta_graph
    monkeypatch.setattr(meta_graph, "export_meta_graph", lambda **given: found.append(encode(**given)) or found[-1])
    return found


def test_an_untouched_graph_is_stored_once_and_a_changed_one_again(tmp_path, made):
    v = tf.Variable(1.0, name="v")
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(v.initializer)

        def save(step):
            path = saver.save(sess, str(tmp_path / "m"), step)
            return tf.MetaGraphDef.FromString(Path(f"{path}.meta").read_bytes())

        first, second = save(0), save(1)
        tf.constant(1.0, name="new")
        third = save(2)
        tf.add_to_collection("words", "some")
        fourth = save(3)
    assert len(made) == 3
    assert first == second
    assert "new" in {node.name for node in third.graph_def.node}
    assert "words" in fourth.collection_def


def test_without_tensorboard_a_checkpoint_is_saved_without_the_graph(tmp_path):
    (tmp_path / "tensorboard.py").write_text("raise ModuleNotFoundError('No module named tensorboard')")
    program = f"""if True:
        import sys; sys.path.insert(0, {str(tmp_path)!r})
        import minitf as tf
        v = tf.Variable(1.0)
        with tf.Session() as sess:
            sess.run(v.initializer)
            print(tf.train.Saver().save(sess, {str(tmp_path / "m")!r}))
        """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / "m")
    assert "pip install tensorboard" in done.stderr
    assert sorted(name for name in os.listdir(tmp_path) if name[0] == "m") == ["m.data-00000-of-00001", "m.index"]


def _import_with(**changes):
    """Import a graph of a variable whose VariableDef says something else; nothing may be left of it."""
    with tf.Graph().as_default():
        v = tf.Variable(1.0, name="v")
        stored = tf.train.Saver([v]).export_meta_graph()
    fields = {"variable_name": "v:0", "initializer_name": "v/Assign", "snapshot_name": "v/read:0", **changes}
    proto = meta_graph.VariableDef(**fields)
    stored.collection_def["variables"].bytes_list.value[0] = proto.SerializeToString()
    try:
        tf.train.import_meta_graph(stored)
    finally:
        assert not tf.get_default_graph().operations


def test_a_resource_variable_is_named():
    with pytest.raises(tf.errors.UnimplementedError, match="'v:0' is a resource"):
        _import_with(is_resource=True)


def test_a_variable_without_its_ops_is_refused():
    with pytest.raises(ValueError, match="MetaGraphDef is not well-formed"):
        _import_with(snapshot_name="")


def test_a_part_of_a_graph_cannot_be_exported():
    tf.constant(1.0)
    with pytest.raises(tf.errors.UnimplementedError, match="whole graph"):
        tf.train.export_meta_graph(export_scope="scope")


@pytest.fixture(scope="module")
def content():
    """The bytes of a '.meta' file."""
    with tf.Graph().as_default():
        model(tf)
        return tf.train.Saver().export_meta_graph().SerializeToString()


@examples(100)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_leaves_nothing(tmp_path_factory, content, data):
    damaged = bytearray(content)
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged))) :]
    else:
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "m.meta"
    path.write_bytes(damaged)
    with tf.Graph().as_default() as graph:
        before = tf.constant(1.0, name="before")
        try:
            tf.train.import_meta_graph(path)
        except (ValueError, KeyError, TypeError, OSError, DecodeError, tf.errors.OpError, MemoryError):
            assert graph.get_operations() == [before.op]
            assert not graph.get_all_collection_keys()


def test_a_path_can_be_bytes(tmp_path):
    path, _ = start(tf, tmp_path, 0)
    assert tf.train.import_meta_graph(f"{path}.meta".encode()).saver_def.restore_op_name == "save/restore_all"
