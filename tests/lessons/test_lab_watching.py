"""Smoothing is TensorBoard's; the button says what it can't do."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lab
from lab.explorers import smoothing, tensorboard
from lab.page.view import OURS, Link

NUMBERS = st.lists(st.floats(-100, 100, allow_subnormal=False), min_size=1, max_size=30)


# Smoothing.


@given(NUMBERS, st.floats(0, 0.99))
def test_a_smoothed_point_is_the_mean_of_those_before_it_the_nearest_weigh_most(values, weight):
    curve = smoothing.smoothed(values, weight)
    for count, point in enumerate(curve, start=1):
        weights = weight ** np.arange(count - 1, -1, -1)
        assert point == pytest.approx(np.average(values[:count], weights=weights), abs=1e-9)


@given(NUMBERS)
def test_no_smoothing_changes_nothing(values):
    assert smoothing.smoothed(values, 0) == values


def test_what_is_no_number_is_left_out_as_tensorboard_does():
    assert smoothing.smoothed([1.0, math.inf, 1.0], 0.5)[2] == 1.0


LOSSES = st.lists(st.floats() | st.floats(0, 9), min_size=1, max_size=9)
RUNS = st.dictionaries(st.sampled_from(["fast", "slow", "other"]), LOSSES, min_size=1, max_size=3)


@settings(max_examples=50)
@given(RUNS, st.integers(0, 99))
@example({"it diverges": [1.0, 1e30, math.inf, math.nan, -math.inf]}, 90)
def test_the_explorer_draws_any_runs(runs, hundredths):
    picture = lab.SmoothingExplorer(runs, least=1.0).picture(hundredths / 100)
    both, *apart = picture.parts
    names = [*runs][:2]
    assert picture.words.startswith(f"Smoothing {hundredths / 100:.2f}.")
    assert [curve["name"] for curve in both["lines"]] == names
    assert [part["title"].split(":")[0] for part in apart] == names


@given(RUNS)
def test_any_runs_can_be_stored(runs):
    view = lab.SmoothingExplorer(runs, least=1.0).view()
    json.dumps(view.data, allow_nan=False)


# TensorBoard.


def test_a_server_that_cannot_start_is_said_to_be_so(tmp_path, monkeypatch):
    server = tmp_path / "server.py"
    server.write_text("raise SystemExit('No module named tensorboard')")
    monkeypatch.setattr(tensorboard, "SERVER", server)
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    button = lab.TensorBoard(tmp_path)
    [said] = button.picture(pressed=1).parts
    assert said["lines"][0].startswith("TensorBoard can't be opened here")
    assert said["lines"][1] == "The reason: No module named tensorboard"
    assert not button._runs()


def test_the_button_starts_nothing_by_itself_and_then_one_server_at_most(tmp_path, monkeypatch):
    server = tmp_path / "server.py"
    server.write_text("print(' at http://127.0.0.1:1/ ', flush=True); input()")
    monkeypatch.setattr(tensorboard, "SERVER", server)
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    button = lab.TensorBoard(tmp_path)
    links = []
    monkeypatch.setattr("lab.controls.explorer.Link", lambda *given: links.append(Link(*given)) or links[0])
    bundle = button._repr_mimebundle_()
    assert bundle["text/plain"] == "A button that opens TensorBoard (runs: .)."
    assert json.loads(bundle[OURS])["live"] == "Run this cell to open TensorBoard."
    assert button._server is None
    [link] = links
    answers, servers = [], []
    link.observe(lambda change: answers.append(change.new), "answer")
    for pressed in (1, 2):
        link.state = {"pressed": pressed}
        servers.append(button._server)
    assert servers[0] is servers[1]
    starts, *pages = answers
    assert starts["of"] == [1]
    assert starts["words"] == "Starting TensorBoard. This takes a few seconds."
    assert [page["of"] for page in pages] == [[1], [2]]
    assert [page["parts"][1]["src"] for page in pages] == ["http://127.0.0.1:1/"] * 2
    button.close()
    assert servers[0].poll() is not None
    assert "src" in button.picture(pressed=3).parts[1]  # it starts again
    button.close()


def test_a_folder_without_event_files(tmp_path):
    assert lab.TensorBoard(tmp_path).picture(pressed=0).words.endswith("(runs: none).")


def test_the_event_files_stay_when_their_folder_goes(tmp_path):
    for run in ("fast", "slow"):
        folder = tmp_path / "logs" / run
        folder.mkdir(parents=True)
        (folder / "events.out.tfevents.1").write_bytes(run.encode())
    button = lab.TensorBoard(str(tmp_path / "logs"))
    shutil.rmtree(tmp_path / "logs")
    assert button.picture(pressed=0).words.endswith("(runs: fast, slow).")
    assert (button._home / "logs" / "slow" / "events.out.tfevents.1").read_bytes() == b"slow"
