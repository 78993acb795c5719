"""Any runs can be smoothed; the button says what it can't do."""

from __future__ import annotations

import json
import shutil

from hypothesis import given
from hypothesis import strategies as st

import lab
from lab.explorers import tensorboard
from lab.page.view import OURS

LOSSES = st.lists(st.floats() | st.floats(0, 9), min_size=1, max_size=9)
RUNS = st.dictionaries(st.sampled_from(["fast", "slow", "other"]), LOSSES, min_size=1, max_size=3)


@given(RUNS)
def test_any_runs_can_be_stored(runs):
    json.dumps(lab.SmoothingExplorer(runs, least=1.0).data, allow_nan=False)


# TensorBoard.


def test_a_server_that_cannot_start_is_said_to_be_so(tmp_path, monkeypatch):
    server = tmp_path / "server.py"
    server.write_text("raise SystemExit('No module named tensorboard')")
    monkeypatch.setattr(tensorboard, "SERVER", server)
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    button = lab.TensorBoard(tmp_path)
    button.pressed = 1
    [said] = button.answer["parts"]
    assert said["lines"][0].startswith("TensorBoard can't be opened here")
    assert said["lines"][1] == "The reason: No module named tensorboard"
    assert not button._runs()


def test_the_button_starts_nothing_by_itself_and_then_one_server_at_most(tmp_path, monkeypatch):
    server = tmp_path / "server.py"
    server.write_text("print(' at http://127.0.0.1:1/ ', flush=True); input()")
    monkeypatch.setattr(tensorboard, "SERVER", server)
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    button = lab.TensorBoard(tmp_path)
    bundle = button._repr_mimebundle_()
    assert bundle["text/plain"] == "A button that opens TensorBoard (runs: .)."
    assert json.loads(bundle[OURS])["hint"] == "Run this cell to open TensorBoard."
    assert button._server is None
    answers, servers = [], []
    button.observe(lambda change: answers.append(change.new), "answer")
    for pressed in (1, 2):
        button.pressed = pressed
        servers.append(button._server)
    assert servers[0] is servers[1]
    starts, *pages = answers
    assert starts["words"] == "Starting TensorBoard. This takes a few seconds."
    assert [page["parts"][1]["src"] for page in pages] == ["http://127.0.0.1:1/"] * len(pages)
    button.close_server()
    assert servers[0].poll() is not None
    button.pressed = 3
    assert "src" in button.answer["parts"][1]  # it starts again
    button.close_server()


def test_a_folder_without_event_files(tmp_path):
    assert lab.TensorBoard(tmp_path).words.endswith("(runs: none).")


def test_the_event_files_stay_when_their_folder_goes(tmp_path):
    for run in ("fast", "slow"):
        folder = tmp_path / "logs" / run
        folder.mkdir(parents=True)
        (folder / "events.out.tfevents.1").write_bytes(run.encode())
    button = lab.TensorBoard(str(tmp_path / "logs"))
    shutil.rmtree(tmp_path / "logs")
    assert button.words.endswith("(runs: fast, slow).")
    assert (button._home / "logs" / "slow" / "events.out.tfevents.1").read_bytes() == b"slow"
