"""An events file that was cut or changed gives what comes before the damage, and then says where that is."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.conformance.referee import import_tensorflow
from tests.support import examples

STEPS = [1, 2, 3]


def _write(folder, writer_of):
    with writer_of.summary.FileWriter(str(folder)) as writer:
        for step in STEPS:
            value = writer_of.Summary.Value(tag="a", simple_value=step / 2)
            writer.add_summary(writer_of.Summary(value=[value]), step)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """A file of a version and three summaries, as bytes."""
    return _write(tmp_path_factory.mktemp("events"), tf).read_bytes()


def _read(folder, content):
    """The steps that can be read, and whether all is well after them."""
    path = folder / "events"
    path.write_bytes(content)
    steps = []
    try:
        for event in tf.train.summary_iterator(path):
            steps.append(event.step)
    except tf.errors.DataLossError as error:
        assert "record at" in str(error)
        return steps, False
    return steps, True


@given(st.data())
@examples(100)
def test_a_cut_file_gives_its_whole_events(tmp_path_factory, content, data):
    length = data.draw(st.integers(0, len(content)))
    steps, _ = _read(tmp_path_factory.mktemp("cut"), content[:length])
    assert steps == [0, *STEPS][: len(steps)]
    assert length < len(content) or steps == [0, *STEPS]


@given(st.data())
@examples(100)
def test_a_flipped_bit_is_never_missed(tmp_path_factory, content, data):
    place, bit = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(0, 7))
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    steps, well = _read(tmp_path_factory.mktemp("flipped"), bytes(changed))
    assert not well
    assert steps == [0, *STEPS][: len(steps)]


def test_reading_goes_on_where_nothing_was_written_yet(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    writer.add_event(tf.Event(step=1))
    writer.flush()
    (path,) = tmp_path.iterdir()
    events = tf.train.summary_iterator(path)
    assert [next(events).step, next(events).step] == [0, 1]
    writer.close()


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_tensorflow_and_minitf_read_the_same_in_each_others_files(tmp_path):
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    real = import_tensorflow()
    for name, writer_of in [("ours", tf), ("theirs", real)]:
        (tmp_path / name).mkdir()
        path = str(_write(tmp_path / name, writer_of))
        read = [[str(e.summary) + str(e.step) for e in reader.train.summary_iterator(path)] for reader in (tf, real)]
        assert read[0] == read[1]
        assert len(read[0]) == 4
