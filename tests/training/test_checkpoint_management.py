"""The file 'checkpoint', and what it says about a folder."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.training.checkpoint_format import write_checkpoint

paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
times = st.floats(0, 1e10)


@given(paths, st.lists(paths), times)
def test_a_state_is_read_as_it_was_written(tmp_path_factory, path, others, preserved):
    folder = str(tmp_path_factory.getbasetemp())
    tf.train.update_checkpoint_state(folder, path, [*others, path], "state", None, preserved)
    state = tf.train.get_checkpoint_state(folder, "state")
    assert state.model_checkpoint_path == os.path.join(folder, path)
    assert [*state.all_model_checkpoint_paths] == [os.path.join(folder, name) for name in [*others, path]]
    assert state.last_preserved_timestamp == preserved


def test_text_of_older_tensorflows_is_read(tmp_path):
    escaped = r"""model_checkpoint_path: "m-\303\244" all_model_checkpoint_paths: "\'\"\n" """
    (tmp_path / "checkpoint").write_text(escaped + "last_preserved_timestamp: 2.5\n")
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state.model_checkpoint_path == str(tmp_path / "m-ä")
    assert state.all_model_checkpoint_paths == [str(tmp_path / "'\"\n")]
    assert state.last_preserved_timestamp == 2.5


def test_a_folder_of_checkpoints(tmp_path):
    folder = str(tmp_path)
    for step in (1, 2):
        write_checkpoint(f"{folder}/m-{step}", {"w": np.float32(step), "a": np.ones(2)})
    tf.train.update_checkpoint_state(folder, f"{folder}/m-2", [f"{folder}/m-1", f"{folder}/m-2"])
    assert tf.train.latest_checkpoint(folder) == tf.train.latest_checkpoint(tmp_path) == f"{folder}/m-2"
    assert tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths == [f"{folder}/m-1", f"{folder}/m-2"]
    assert tf.train.load_variable(folder, "w:0") == 2
    assert tf.train.load_variable(tmp_path / "m-1", "w") == 1
    assert tf.train.list_variables(folder) == [("a", [2]), ("w", [])]
    mtime = os.path.getmtime(f"{folder}/m-1.index")
    assert tf.train.get_checkpoint_mtimes([f"{folder}/no", f"{folder}/m-1"]) == [mtime]
    tf.train.remove_checkpoint(f"{folder}/m-2")
    assert sorted(os.listdir(folder)) == ["checkpoint", "m-1.data-00000-of-00001", "m-1.index"]
    assert tf.train.latest_checkpoint(folder) is None


def test_paths_beside_a_relative_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("below")
    write_checkpoint("below/m-1", {"w": np.ones(2)})
    tf.train.update_checkpoint_state("below", "below/m-1")
    assert (tmp_path / "below" / "checkpoint").read_text().startswith('model_checkpoint_path: "m-1"\n')
    assert tf.train.latest_checkpoint("below") == "below/m-1"


def test_a_file_that_is_no_state_is_passed_over(tmp_path, caplog):
    (tmp_path / "checkpoint").write_bytes(b"\xff\0")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
    assert "Checkpoint ignored" in caplog.text
    (tmp_path / "checkpoint").write_text("")
    with pytest.raises(ValueError, match="Invalid checkpoint state loaded from"):
        tf.train.latest_checkpoint(str(tmp_path))
