"""Checkpoints that are damaged or promise too much, files that aren't files, and disks that are full."""

import errno
import gzip
import os
import random
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.examples.tutorials.mnist import input_data
from minitf.framework.protos import message
from minitf.training import checkpoint_format as form
from tests.support import examples
from tests.training.checkpoints import HEADER, SLICE_OF_TWO, VALUES
from tests.training.damage import damaged
from tests.training.test_checkpoint_format import RECORDED, assert_same

REFUSALS = (tf.errors.DataLossError, tf.errors.NotFoundError, tf.errors.OutOfRangeError)
SEEDS = st.integers(0, 2**32)


@pytest.fixture
def path(tmp_path):
    """Where a checkpoint, or any other file, may be written."""
    return str(tmp_path / "m")


# Damage.


def damage_is_seen(folder, name, file, content):
    """A checkpoint, one of whose files is replaced: each value is right, or refused with the file's name."""
    for recorded in RECORDED.glob(f"{name}.*"):
        shutil.copy(recorded, folder)
    (folder / file).write_bytes(content)
    for key, value in VALUES[name].items():
        try:
            read = form.CheckpointReader(str(folder / name)).get_tensor(key)
        except REFUSALS as error:
            assert str(folder) in str(error)
        else:
            assert_same(read, value)


@pytest.mark.parametrize("file", [path.name for name in VALUES for path in RECORDED.glob(f"{name}.*")])
@examples(10)
@given(seed=SEEDS)
def test_damage_is_seen(tmp_path_factory, file, seed):
    content = damaged((RECORDED / file).read_bytes(), random.Random(seed))
    damage_is_seen(tmp_path_factory.mktemp("damaged"), file.partition(".")[0], file, content)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("kind", ["data-00000-of-00001", "index"])
def test_a_file_of_another_checkpoint_is_noticed(tmp_path, path, name, kind):
    others = {key: np.array(value)[..., ::-1] if np.ndim(value) else value for key, value in VALUES[name].items()}
    form.write_checkpoint(path, {**others, "more": np.ones(3)})
    file = f"{name}.{kind}" if name != "sharded" else f"{name}.{kind}".replace("1", "2")
    damage_is_seen(tmp_path, name, file, Path(f"{path}.{kind}").read_bytes())


@pytest.mark.parametrize("content", [b"", b"x" * 47, b"\x80" * 500, b"PK" * 99, form.MAGIC * 6, bytes(40) + form.MAGIC])
@pytest.mark.parametrize("name", ["foreign.index", "alone"])
def test_foreign_files(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(tf.errors.DataLossError, match=name):
        form.CheckpointReader(str(tmp_path / name.removesuffix(".index")))


# An index that promises what isn't there.


def reader(path, **entries):
    """Read a checkpoint with this index, and with some zeros as its data."""
    items = {b"": HEADER} | {name.encode(): entry for name, entry in entries.items()}
    Path(f"{path}.index").write_bytes(form.table(sorted(items.items())))
    Path(f"{path}.data-00000-of-00001").write_bytes(bytes(64))
    return form.CheckpointReader(path)


ENTRIES = {
    "more than the file holds": form.Entry(1, (2**30, 2**30), 0, 0, 2**62, 0, ()).packed(),
    "slices of nearly nothing": form.Entry(1, (300_000_000,), 0, 0, 0, 0, ()).packed() + SLICE_OF_TWO,
    "a dimension of bytes": b"\x08\1\x12\x09\x12\5\x0a\3abc\x12\0",
    "a number without an end": b"\x08" + b"\xff" * 100_000,
    "a shape that no memory holds": form.Entry(1, (0, 2**62, 2**62), 0, 0, 0, 0, ()).packed(),
    "strings without an end": form.Entry(7, (2**40,), 0, 0, 10, 0, ()).packed(),
    "a field of an unknown kind": b"\x0b",
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_index_that_promises_too_much(path, entry):
    with pytest.raises((tf.errors.DataLossError, tf.errors.OutOfRangeError), match="m"):
        reader(path, w=entry).get_tensor("w")


def test_slices_that_are_not_the_whole(path):
    form.write_checkpoint(path, {"w": np.ones(2, np.float32)})
    index = Path(f"{path}.index")
    items = dict(form.read_table(index.read_bytes()))
    whole = form.Entry(1, (4,), 0, 0, 0, 0, ()).packed() + SLICE_OF_TWO
    items |= {b"w": whole, form.slice_key("w", ((0, 2),)): items[b"w"]}
    index.write_bytes(form.table(sorted(items.items())))
    with pytest.raises(tf.errors.DataLossError, match="slices hold 2 of its 4 values"):
        form.CheckpointReader(path).get_tensor("w")


def test_a_dtype_that_minitf_has_not(path):
    found = reader(path, w=form.Entry(11, (2, 3), 0, 0, 12, 0, ()).packed())
    assert found.get_variable_to_dtype_map() == {"w": None}
    assert found.debug_string() == b"w (DT_11) [2,3]\n"
    with pytest.raises(tf.errors.UnimplementedError, match="w: Data type 11 not supported"):
        found.get_tensor("w")


@pytest.mark.parametrize("graph", [b"\x0b", b"\x0a\5\x12\3\x12\1\xff"])
def test_a_damaged_object_graph(path, graph):
    form.write_checkpoint(path, {form.OBJECT_GRAPH: graph, "w": np.float32(2)})
    present, absent = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="other")
    with tf.Session() as sess:
        tf.train.Saver([present]).restore(sess, path)  # which doesn't need it
        assert sess.run(present) == 2
        with pytest.raises(tf.errors.DataLossError, match=form.OBJECT_GRAPH):
            tf.train.Saver([present, absent]).restore(sess, path)


# Other files that promise too much.


def constant(count, values):
    """A graph with a constant of many elements, of which the file holds only some."""
    graph = tf.GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = node.attr["value"].tensor.dtype = 1
    node.attr["value"].tensor.tensor_shape.dim.add(size=count)
    node.attr["value"].tensor.float_val.extend(values)
    return graph


def test_a_constant_with_one_number_for_all_elements(tmp_path):
    meta_graph = message("MetaGraphDef")(graph_def=constant(600_000_000, [3.0]))
    (tmp_path / "m.meta").write_bytes(meta_graph.SerializeToString())
    tf.train.import_meta_graph(str(tmp_path / "m.meta"))
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


def test_a_record_that_promises_too_much(tmp_path):
    length = struct.pack("<Q", 2**63)
    (tmp_path / "r").write_bytes(length + struct.pack("<I", form.checksum(length)) + b"abc")
    with pytest.raises(tf.errors.DataLossError, match="truncated record"):
        list(tf.python_io.tf_record_iterator(str(tmp_path / "r")))


def test_images_that_unpack_to_too_much(tmp_path):
    head = struct.pack(">4I", 0x803, 100_000, 100, 100)
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(head + bytes(20_000_000), 1))
    with pytest.raises(tf.errors.DataLossError, match="where 16 and 100000"):
        input_data.read_data_sets(str(tmp_path))


READ = {
    "index": lambda path: form.CheckpointReader(path),
    "meta": tf.train.import_meta_graph,
    "records": lambda path: list(tf.python_io.tf_record_iterator(path)),
    "events": lambda path: list(tf.train.summary_iterator(path)),
    "gfile": lambda path: tf.gfile.GFile(path).read(),
    "copy": lambda path: tf.gfile.Copy(path, f"{path}2"),
}


@pytest.mark.parametrize("read", READ.values(), ids=READ)
def test_a_pipe_is_refused(path, read):
    os.mkfifo(path)
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.DataLossError), match="m; Is not a regular file"):
        read(path)


# Writing.

HAS_FULL_DISK = os.path.exists("/dev/full")
needs_full_disk = pytest.mark.skipif(not HAS_FULL_DISK, reason="only Linux has a device that is always full")


def write_text(path):
    with tf.gfile.GFile(path, "w") as file:
        file.write("x" * 100_000)


def write_record(path):
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"x" * 100_000)


@needs_full_disk
@pytest.mark.parametrize("write", [write_text, write_record])
def test_a_full_disk(write):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="/dev/full; No space left on device"):
        write("/dev/full")


def save(folder):
    v = tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.train.Saver().save(sess, os.path.join(folder, "m"))


WRITE = [
    save,
    lambda folder: tf.train.update_checkpoint_state(folder, "m"),
    lambda folder: tf.train.write_graph(tf.Graph(), folder, "m"),
]


@pytest.mark.parametrize("write", WRITE)
def test_a_disk_that_fills_up(tmp_path, monkeypatch, write):
    def full(*names):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(tf.errors.ResourceExhaustedError, match=f"{tmp_path}.*; No space left on device"):
        write(str(tmp_path))
    assert os.listdir(tmp_path) == []


def write_events(writer, steps):
    for step in steps:
        writer.add_summary(tf.Summary(), step)
    writer.close()


def test_events_that_cannot_be_written_are_dropped(tmp_path, caplog):
    logs = tmp_path / "logs"
    writer = tf.summary.FileWriter(str(logs))
    logs.rmdir()
    write_events(writer, range(3))
    assert caplog.text.count("can't be written: No such file or directory") == 1
    writer.reopen()
    logs.mkdir()
    write_events(writer, [3])
    (events,) = logs.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(events))] == [0, 3]


@needs_full_disk
def test_events_on_a_full_disk(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("builtins.open", lambda path, mode, open=open, **_: open("/dev/full", mode))
    write_events(tf.summary.FileWriter(str(tmp_path)), range(3))
    assert caplog.text.count("can't be written: No space left on device") == 1


@pytest.mark.parametrize("below", ["", "/logs"])
def test_a_file_in_place_of_the_folder(tmp_path, below):
    (tmp_path / "file").write_text("")
    with pytest.raises(tf.errors.FailedPreconditionError, match="file is not a directory$"):
        tf.summary.FileWriter(str(tmp_path / "file") + below)
