"""Small files that promise too much, files that aren't files, and disks that are full."""

from __future__ import annotations

import errno
import gzip
import os
import struct

import numpy as np
import pytest

import minitf as tf
from minitf.examples.tutorials.mnist import input_data
from minitf.framework.protos import message
from minitf.training import checkpoint_format as form
from tests.training.checkpoints import HEADER, SLICE_OF_TWO


def index(folder, **entries):
    """Write the index of a checkpoint, with some zeros as its data."""
    items = {b"": HEADER} | {name.encode(): entry for name, entry in entries.items()}
    (folder / "m.index").write_bytes(form.table(sorted(items.items())))
    (folder / "m.data-00000-of-00001").write_bytes(bytes(64))
    return str(folder / "m")


ENTRIES = {
    "slices of nearly nothing": form.Entry(1, (300_000_000,), 0, 0, 0, 0, ()).packed() + SLICE_OF_TWO,
    "a dimension of bytes": b"\x08\1\x12\x09\x12\5\x0a\3abc\x12\0",
    "a number without an end": b"\x08" + b"\xff" * 100_000,
    "a shape that no memory holds": form.Entry(1, (0, 2**62, 2**62), 0, 0, 0, 0, ()).packed(),
    "strings without an end": form.Entry(7, (2**40,), 0, 0, 10, 0, ()).packed(),
    "a field of an unknown kind": b"\x0b",
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_index_that_promises_too_much(tmp_path, entry):
    with pytest.raises((tf.errors.DataLossError, tf.errors.OutOfRangeError), match="m"):
        form.CheckpointReader(index(tmp_path, w=entry)).get_tensor("w")


@pytest.mark.parametrize("graph", [b"\x0b", b"\x0a\5\x12\3\x12\1\xff"])
def test_a_damaged_object_graph(tmp_path, graph):
    form.write_checkpoint(str(tmp_path / "m"), {form.OBJECT_GRAPH: graph, "w": np.float32(2)})
    present, absent = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="other")
    with tf.Session() as sess:
        tf.train.Saver([present]).restore(sess, str(tmp_path / "m"))  # which doesn't need it
        assert sess.run(present) == 2
        with pytest.raises(tf.errors.DataLossError, match=form.OBJECT_GRAPH):
            tf.train.Saver([present, absent]).restore(sess, str(tmp_path / "m"))


def constant(count, values):
    """A graph with a constant of many elements, of which the file holds only some."""
    graph = tf.GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = node.attr["value"].tensor.dtype = 1
    node.attr["value"].tensor.tensor_shape.dim.add(size=count)
    node.attr["value"].tensor.float_val.extend(values)
    return graph


def test_a_constant_with_one_number_for_all_elements(tmp_path):
    path = tmp_path / "m.meta"
    path.write_bytes(message("MetaGraphDef")(graph_def=constant(600_000_000, [3.0])).SerializeToString())
    tf.train.import_meta_graph(str(path))
    value = tf.get_default_graph().get_operation_by_name("c").get_attr("value")
    assert (value.shape, value.strides) == ((600_000_000,), (0,))
    assert len(tf.get_default_graph().as_graph_def().SerializeToString()) < 100


@pytest.mark.parametrize("values, expected", [([1.0, 2.0], [1, 2, 2, 2]), ([], [0] * 4), ([5.0] * 9, [5] * 4)])
def test_the_last_number_stands_for_the_rest(values, expected):
    (c,) = tf.import_graph_def(constant(4, values), return_elements=["c:0"])
    assert tf.Session().run(c).tolist() == expected


def test_two_numbers_cannot_stand_for_millions():
    with pytest.raises(ValueError, match="it holds only 2 of its 600000000 values"):
        tf.import_graph_def(constant(600_000_000, [1.0, 2.0]))


READ = {
    "index": lambda path: form.CheckpointReader(path),
    "meta": tf.train.import_meta_graph,
    "records": lambda path: list(tf.python_io.tf_record_iterator(path)),
    "events": lambda path: list(tf.train.summary_iterator(path)),
    "gfile": lambda path: tf.gfile.GFile(path).read(),
    "copy": lambda path: tf.gfile.Copy(path, f"{path}2"),
}


@pytest.mark.parametrize("read", READ.values(), ids=READ)
def test_a_pipe_is_refused(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.DataLossError), match="pipe; Is not a regular file"):
        read(str(tmp_path / "pipe"))


def test_a_pipe_in_place_of_the_state(tmp_path):
    os.mkfifo(tmp_path / "checkpoint")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None


def test_a_record_that_promises_too_much(tmp_path):
    with tf.python_io.TFRecordWriter(str(tmp_path / "r")) as writer:
        writer.write(b"abc")
    length = struct.pack("<Q", 2**63)
    (tmp_path / "r").write_bytes(length + struct.pack("<I", form.checksum(length)) + b"abc")
    with pytest.raises(tf.errors.DataLossError, match="truncated record"):
        list(tf.python_io.tf_record_iterator(str(tmp_path / "r")))


def test_images_that_unpack_to_too_much(tmp_path):
    head = struct.pack(">4I", 0x803, 100_000, 100, 100)
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(head + bytes(100_000_000)))
    with pytest.raises(tf.errors.DataLossError, match="where 16 and 100000"):
        input_data.read_data_sets(str(tmp_path))


# Texts of the file 'checkpoint', and what TensorFlow reads in them.
STATES = {
    'model_checkpoint_path: "a" "b"': "ab",
    'model_checkpoint_path: "ab" all_model_checkpoint_paths: ["x", "y"]': "ab",
    'model_checkpoint_path: "ab" all_model_checkpoint_paths: []': "ab",
    'model_checkpoint_path: "ab"; last_preserved_timestamp: nan': "ab",
    'model_checkpoint_path: "ab" last_preserved_timestamp: 1e3f # s': "ab",
    'model_checkpoint_path: "ab" model_checkpoint_path: "cd"': "cd",
    'model_checkpoint_path: "\\303\\244\\u00e4\\q"': "ää\\q",
    "model_checkpoint_path: 5": None,
    'model_checkpoint_path: ["x"]': None,
    'model_checkpoint_path: "\\xff"': None,
    'model_checkpoint_path: "ab" last_preserved_timestamp: 0x10': None,
    'model_checkpoint_path: "ab" last_preserved_timestamp: "3"': None,
    'model_checkpoint_path "ab"': None,
    'model_checkpoint_path: "ab': None,
}


@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # of protobuf
@pytest.mark.parametrize("text, latest", STATES.items())
def test_texts_of_the_state(tmp_path, text, latest):
    (tmp_path / "checkpoint").write_text(text, encoding="utf-8")
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert (state and os.path.basename(state.model_checkpoint_path)) == latest


def test_a_line_of_hashes(tmp_path):
    (tmp_path / "checkpoint").write_text("#" * 100_000)
    with pytest.raises(ValueError, match="Invalid checkpoint state"):
        tf.train.latest_checkpoint(str(tmp_path))


# Writing.


def write_text(path):
    with tf.gfile.GFile(path, "w") as file:
        file.write("x" * 100_000)


def write_record(path):
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"x" * 100_000)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("write", [write_text, write_record])
def test_a_full_disk(write):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="/dev/full; No space left on device"):
        write("/dev/full")


def save(folder):
    v = tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.train.Saver().save(sess, os.path.join(folder, "m"))


def update_state(folder):
    tf.train.update_checkpoint_state(folder, "m")


def write_graph(folder):
    tf.train.write_graph(tf.Graph(), folder, "m")


@pytest.mark.parametrize("write", [save, update_state, write_graph])
def test_a_disk_that_fills_up(tmp_path, monkeypatch, write):
    def full(*names):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(tf.errors.ResourceExhaustedError, match=f"{tmp_path}.*; No space left on device"):
        write(str(tmp_path))
    assert os.listdir(tmp_path) == []


def events_to(path):
    writer = tf.summary.FileWriter(path)
    for step in range(3):
        writer.add_summary(tf.Summary(), step)
    writer.flush()
    writer.close()


def test_events_that_cannot_be_written_are_dropped(tmp_path, monkeypatch, caplog):
    writer = tf.summary.FileWriter(str(tmp_path / "logs"))
    os.rmdir(tmp_path / "logs")
    for step in range(3):
        writer.add_summary(tf.Summary(), step)
    writer.flush()
    writer.close()
    assert caplog.text.count("can't be written: No such file or directory") == 1
    writer.reopen()
    os.mkdir(tmp_path / "logs")
    writer.add_summary(tf.Summary(), 3)
    writer.close()
    (name,) = os.listdir(tmp_path / "logs")
    assert [event.step for event in tf.train.summary_iterator(str(tmp_path / "logs" / name))] == [0, 3]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_events_on_a_full_disk(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("builtins.open", lambda path, mode, open=open, **_: open("/dev/full", mode))
    events_to(str(tmp_path))
    assert caplog.text.count("can't be written: No space left on device") == 1


@pytest.mark.parametrize("below", ["", "/logs"])
def test_a_file_in_place_of_the_folder(tmp_path, below):
    (tmp_path / "file").write_text("")
    with pytest.raises(tf.errors.FailedPreconditionError, match="file is not a directory$"):
        tf.summary.FileWriter(str(tmp_path / "file") + below)
