"""The file 'checkpoint': a state is read as it was written, and any other text is refused."""

import os
import re

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.training.checkpoint_management import CheckpointState
from tests.support import examples

paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
times = st.floats(0, 1e10)
states = st.builds(CheckpointState, paths, st.lists(paths), st.lists(times), times)


@given(states)
def test_a_state_is_read_as_it_was_written(state):
    assert CheckpointState.parse(str(state)) == state


@examples(50)
@given(st.text())
def test_any_other_text_is_refused(text):
    try:
        CheckpointState.parse(text)
    except ValueError:
        pass
    else:
        outside_comments = re.sub("#[^\n]*", "", text)
        assert not outside_comments.strip() or "checkpoint" in outside_comments


def test_a_file_that_is_no_text_is_passed_over(tmp_path, caplog):
    (tmp_path / "checkpoint").write_bytes(b"\xff\0")
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert "Checkpoint ignored" in caplog.text


def test_a_pipe_in_place_of_the_state(tmp_path):
    os.mkfifo(tmp_path / "checkpoint")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
