"""The file 'checkpoint': a state is read as it was written, and what is no state is passed over."""

import os

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples

paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
times = st.floats(0, 1e10)


@examples(50)
@given(paths, st.lists(paths), times)
def test_a_state_is_read_as_it_was_written(tmp_path_factory, path, others, preserved):
    folder = str(tmp_path_factory.getbasetemp())
    tf.train.update_checkpoint_state(folder, path, [*others, path], "state", None, preserved)
    state = tf.train.get_checkpoint_state(folder, "state")
    assert state.model_checkpoint_path == os.path.join(folder, path)
    assert [*state.all_model_checkpoint_paths] == [os.path.join(folder, name) for name in [*others, path]]
    assert state.last_preserved_timestamp == preserved


def test_a_file_that_is_no_text_is_passed_over(tmp_path, caplog):
    (tmp_path / "checkpoint").write_bytes(b"\xff\0")
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert "Checkpoint ignored" in caplog.text


def test_a_pipe_in_place_of_the_state(tmp_path):
    os.mkfifo(tmp_path / "checkpoint")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
