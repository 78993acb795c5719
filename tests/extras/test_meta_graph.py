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

import minitf
import minitf as tf
from minitf.extras import meta_graph
from tests.support import examples

X = np.float32([[0.1, 0.2], [0.3, 0.4], [0.5, 0.7]])


def model(library):
    """A little training, with everything that people add: a decay, averages, summaries."""
    x = library.placeholder(library.float32, [None, 2], name="x")
    hidden = library.nn.relu(library.matmul(x, library.get_variable("w1", initializer=np.float32([[1, -1], [2, 1]]))))
    b = library.get_variable("b", initializer=np.float32([0.5]))
    y = library.matmul(hidden, library.get_variable("w2", initializer=np.float32([[1], [0.5]]))) + b
    loss = library.reduce_mean(library.square(library.tanh(y) - 1.0), name="loss")
    step = library.train.get_or_create_global_step()
    rate = library.train.exponential_decay(0.1, step, 2, 0.5, staircase=True, name="rate")
    train = library.train.AdamOptimizer(rate).minimize(loss, global_step=step)
    library.group(train, name="train_and_more")
    library.train.ExponentialMovingAverage(0.5, step).apply([b])
    library.add_to_collection("losses", loss)
    library.summary.scalar("loss_curve", loss)
    library.summary.merge_all()
    return train


def train(library, sess, count):
    """Train for some steps; return the step and the variables."""
    for _ in range(count):
        sess.run("train_and_more", {"x:0": X})
    variables = sorted(library.global_variables(), key=lambda v: v.name)
    return {v.name: sess.run(v) for v in variables}


def start(library, folder, count=3):
    """Build the model, train and save it; return the checkpoint's name."""
    with library.Graph().as_default(), library.Session() as sess:
        model(library)
        sess.run(library.global_variables_initializer())
        train(library, sess, count)
        step = library.train.get_global_step()
        return library.train.Saver().save(sess, str(folder / "model"), global_step=step)


def go_on(library, path, count=3):
    """Import the graph, restore it and train on; return what `train` does."""
    with library.Graph().as_default(), library.Session() as sess:
        library.train.import_meta_graph(f"{path}.meta").restore(sess, path)
        return train(library, sess, count)


def straight(library, count):
    """What training gives without a stop."""
    with library.Graph().as_default(), library.Session() as sess:
        model(library)
        sess.run(library.global_variables_initializer())
        return train(library, sess, count)


def assert_close(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-5, err_msg=name)


def test_training_goes_on_without_the_code(tmp_path):
    path = start(tf, tmp_path)
    resumed = go_on(tf, path)
    assert resumed["global_step:0"] == 6
    for name, value in straight(tf, 6).items():
        assert np.array_equal(resumed[name], value), name


def test_an_imported_graph_can_be_saved_and_imported_again(tmp_path):
    path = start(tf, tmp_path)
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(f"{path}.meta")
        saver.restore(sess, path)
        train(tf, sess, 1)
        path = saver.save(sess, str(tmp_path / "again"), global_step=4)
        assert [op.name for op in tf.get_default_graph().get_operations() if op.type == "SaveV2"] == ["save/SaveV2"]
    assert_close(go_on(tf, path, 2), straight(tf, 6))


def test_devices_can_be_left_out_and_a_saver_keeps_its_hours():
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
    saver = tf.train.Saver([v], keep_checkpoint_every_n_hours=2.5)
    assert "/device:CPU:0" in {node.device for node in tf.train.export_meta_graph().graph_def.node}
    stored = tf.train.export_meta_graph(clear_devices=True, saver=saver)
    assert {node.device for node in stored.graph_def.node} == {""}
    assert stored.saver_def.keep_checkpoint_every_n_hours == 2.5
    with tf.Graph().as_default():
        again = tf.train.export_meta_graph(saver=tf.train.import_meta_graph(stored))
    assert again.saver_def.keep_checkpoint_every_n_hours == 2.5


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_tensorflow_goes_on_where_minitf_stopped(tensorflow, tmp_path):
    assert_close(go_on(tensorflow, start(tf, tmp_path)), straight(tf, 6))


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_minitf_goes_on_where_tensorflow_stopped(tensorflow, tmp_path):
    assert_close(go_on(tf, start(tensorflow, tmp_path)), straight(tf, 6))


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", ["minitf", "tensorflow"])
def test_each_reads_the_others_directory_of_a_monitored_session(tensorflow, tmp_path, first):
    writer, reader = (tf, tensorflow) if first == "minitf" else (tensorflow, tf)
    with writer.Graph().as_default():
        model(writer)
        with writer.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            for _ in range(3):
                sess.run("train_and_more", {"x:0": X})
    assert_close(go_on(reader, reader.train.latest_checkpoint(str(tmp_path))), straight(tf, 6))


def collections_of(library):
    """What the collections of the default graph hold, by name, except what TensorFlow keeps about conds."""
    graph = library.get_default_graph()
    keys = [key for key in graph.get_all_collection_keys() if key != "cond_context"]
    return {key: [getattr(item, "name", item) for item in graph.get_collection(key)] for key in keys}


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", ["minitf", "tensorflow"])
def test_the_other_has_the_same_collections(tensorflow, first):
    writer, reader = (tf, tensorflow) if first == "minitf" else (tensorflow, tf)
    with writer.Graph().as_default():
        model(writer)
        before, stored = collections_of(writer), writer.train.Saver().export_meta_graph()
    with reader.Graph().as_default():
        saver = reader.train.import_meta_graph(reader.MetaGraphDef.FromString(stored.SerializeToString()))
        assert collections_of(reader) == before
        assert type(saver).__name__ == "Saver"
        assert [v.name for v in reader.trainable_variables()] == ["w1:0", "b:0", "w2:0"]


def test_variables_are_the_same_objects_in_every_collection():
    model(tf)
    stored = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(stored)
        b = next(v for v in tf.global_variables() if v.name == "b:0")
        assert b in tf.trainable_variables()
        assert tf.get_collection(tf.GraphKeys.MOVING_AVERAGE_VARIABLES) == [b]
        assert tf.train.get_global_step() in tf.global_variables()
        assert b.trainable
        assert not tf.train.get_global_step().trainable
        assert b.initial_value.op.type == "Const"
        assert str(b) == "<tf.Variable 'b:0' shape=(1,) dtype=float32_ref>"


def test_new_training_of_an_imported_graph():
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.Variable([1.0, 2.0], name="w")
    tf.reduce_sum(tf.square(x * w), name="loss")
    stored = tf.train.Saver().export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(stored)
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.5).minimize(graph.get_tensor_by_name("loss:0"), step)
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, {"x:0": [1.0, 0.5]})
        assert sess.run(["w:0", step])[0].tolist() == [0.0, 1.5]


def test_what_has_no_stored_form_is_left_out(caplog):
    tf.add_to_collection("functions", len)
    tf.add_to_collection("mixed", 1)
    tf.add_to_collection("mixed", "one")
    tf.add_to_collection(("no", "text"), 1)
    tf.add_to_collection("kept", "one")
    tf.constant(1.0)
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        stored = tf.train.export_meta_graph()
    assert list(stored.collection_def) == ["kept"]
    assert "Issue encountered when serializing functions" in caplog.text
    assert "Issue encountered when serializing mixed" in caplog.text


def test_an_untouched_graph_is_stored_once_and_a_changed_one_again(tmp_path, monkeypatch):
    v = tf.Variable(1.0, name="v")
    made, encode = [], meta_graph.export_meta_graph
    monkeypatch.setattr(meta_graph, "export_meta_graph", lambda **given: made.append(encode(**given)) or made[-1])
    with tf.Session() as sess:
        sess.run(v.initializer)
        saver = tf.train.Saver()
        paths = [saver.save(sess, str(tmp_path / "m"), step) for step in range(3)]
        assert len(made) == 1
        tf.constant(1.0, name="new")
        paths.append(saver.save(sess, str(tmp_path / "m"), 3))
        tf.add_to_collection("words", "some")
        paths.append(saver.save(sess, str(tmp_path / "m"), 4))
        assert len(made) == 3
    stored = [tf.MetaGraphDef.FromString(Path(f"{path}.meta").read_bytes()) for path in paths]
    assert stored[0] == stored[2]
    assert [any(node.name == "new" for node in s.graph_def.node) for s in stored] == [False] * 3 + [True] * 2
    assert ["words" in s.collection_def for s in stored] == [False] * 4 + [True]


def test_names_in_the_checkpoint_of_a_saver_with_names_of_its_own(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        v, w = tf.Variable(1.0, name="v"), tf.Variable([2.0, 3.0], name="w")
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver({"first": v, "second": w}, max_to_keep=7).save(sess, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(f"{path}.meta")
        saver.restore(sess, path)
        assert sess.run(["v:0", "w:0"])[1].tolist() == [2.0, 3.0]
        assert saver.saver_def.max_to_keep == 7
        again = saver.save(sess, str(tmp_path / "again"))
    assert [name for name, _ in tf.train.list_variables(again)] == ["first", "second"]


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


def test_a_resource_variable_is_named():
    v = tf.Variable(1.0, name="v")
    stored = tf.train.Saver([v]).export_meta_graph()
    proto = meta_graph.VariableDef.FromString(stored.collection_def["variables"].bytes_list.value[0])
    proto.is_resource = True
    stored.collection_def["variables"].bytes_list.value[0] = proto.SerializeToString()
    with tf.Graph().as_default() as graph, pytest.raises(tf.errors.UnimplementedError, match="'v:0' is a resource"):
        tf.train.import_meta_graph(stored)
    assert not graph.operations


def test_a_part_of_a_graph_cannot_be_exported():
    tf.constant(1.0)
    with pytest.raises(tf.errors.UnimplementedError, match="whole graph"):
        tf.train.export_meta_graph(export_scope="scope")


CONTENT = {}


def content():
    """The bytes of a '.meta' file."""
    if not CONTENT:
        with tf.Graph().as_default():
            model(tf)
            CONTENT["bytes"] = tf.train.Saver().export_meta_graph().SerializeToString()
    return CONTENT["bytes"]


@examples(100)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_leaves_nothing(tmp_path_factory, data):
    damaged = bytearray(content())
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged))) :]
    else:
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "m.meta"
    path.write_bytes(damaged)
    graph = tf.Graph()
    with graph.as_default():
        before = tf.constant(1.0, name="before")
        try:
            minitf.train.import_meta_graph(str(path))
        except (ValueError, KeyError, TypeError, OSError, DecodeError, tf.errors.OpError, MemoryError):
            assert graph.get_operations() == [before.op]
            assert not graph.get_all_collection_keys()


def test_a_path_can_be_bytes_or_a_path(tmp_path):
    path = start(tf, tmp_path)
    for each in (f"{path}.meta".encode(), tmp_path / "model-3.meta"):
        with tf.Graph().as_default():
            assert tf.train.import_meta_graph(each).saver_def.restore_op_name == "save/restore_all"


def test_a_variable_without_its_ops_is_refused():
    v = tf.Variable(1.0, name="v")
    stored = tf.train.Saver([v]).export_meta_graph()
    proto = meta_graph.VariableDef(variable_name="v:0", initializer_name="v/Assign")
    stored.collection_def["variables"].bytes_list.value[0] = proto.SerializeToString()
    with tf.Graph().as_default() as graph, pytest.raises(ValueError, match="MetaGraphDef is not well-formed"):
        tf.train.import_meta_graph(stored)
    assert not graph.operations
