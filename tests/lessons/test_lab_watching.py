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
from lab.drawing.parts import DONE, NOW
from lab.explorers import smoothing, tensorboard
from lab.page.view import OURS, Link
from tests.lessons.room import room

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


@settings(deadline=None)
@given(RUNS, st.integers(0, 99))
@example({"it diverges": [1.0, 1e30, math.inf, math.nan, -math.inf]}, 90)
def test_the_explorer_draws_any_runs(runs, hundredths):
    explorer = lab.SmoothingExplorer(runs, least=1.0)
    picture = explorer.picture(hundredths / 100)
    assert picture.words.startswith(f"Smoothing {hundredths / 100:.2f}.")
    both, *apart = picture.parts
    assert room(picture) == room(explorer.picture(**explorer.state))
    assert [curve["name"] for curve in both["lines"]] == [*runs][:2] == [part["title"].split(":")[0] for part in apart]
    assert [curve["kind"] for curve in both["lines"]] == [DONE, NOW][: len(apart)]
    for (_, values), average, part in zip(runs.items(), both["lines"], apart, strict=False):
        points, *smooth = part["lines"]
        assert points["thin"] and {line["kind"] for line in part["lines"]} == {average["kind"]}
        assert [step for step, _ in average["points"]] == [*range(1, len(values) + 1)]
        if hundredths < 50:  # it would be a thick tangle
            assert average["thin"] and not smooth
        else:
            assert "thin" not in average and repr(smooth[0]["points"]) == repr(average["points"])
        for (_, drawn), value in zip(points["points"], values, strict=False):
            assert drawn == pytest.approx(value, abs=5e-4, nan_ok=True) or drawn == 2 * smoothing.HIGH < value
    json.dumps(explorer.view().data, allow_nan=False)


# The two curves of the inherited script.

TESTS = [(step, 0.9) for step in range(1, 800, 50)]


@pytest.mark.parametrize(
    "steps, said, pieces",
    [
        ([*range(400)] * 2, "0 to 399, then 0 to 399", [400, 400]),
        ([*range(1, 801)], "1 to 800", [800, 0]),
        ([0] * 800, "0 to 0, then 0 to 0", [1, 799]),
    ],
)
def test_what_is_drawn_over_something_is_orange(steps, said, pieces):
    view = lab.plot_curves([(step, 1.0) for step in steps], TESTS)
    assert view.words == f"Steps of the loss: {said}. Steps of the test accuracy: 1 to 751."
    above, below = view.data["picture"]["parts"]
    assert [(line["kind"], len(line["points"])) for line in above["lines"]] == [*zip((DONE, NOW), pieces, strict=True)]
    assert len(above["notes"]) == (2 if pieces[1] else 0)
    assert above["x"] == below["x"] and above["inset"] == below["inset"]  # so the steps are one above the other


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
    assert starts["of"] == [1] and starts["words"] == "Starting TensorBoard. This takes a few seconds."
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
