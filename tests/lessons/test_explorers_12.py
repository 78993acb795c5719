"""What lessons 12 to 15 draw follows what it is given, and TensorBoard opens as lesson 12 says."""

from __future__ import annotations

import os
import re
import time

import matplotlib.pyplot as plt
import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat import v4

from tests.lessons.notebooks import LESSONS, cell, text_of


@pytest.fixture(autouse=True)
def closes_figures(monkeypatch):
    plt.switch_backend("Agg")
    monkeypatch.chdir(LESSONS)
    yield
    plt.close("all")


def defined(number, *ids):
    """Run cells of a lesson, and return what they define."""
    names = {}
    for each in ids:
        exec(cell(number, each).source, names)
    plt.close("all")
    return names


def heights(axes):
    return [list(line.get_ydata()) for line in axes.lines]


def test_the_second_run_is_another_curve_than_the_first():
    loss = [(step, 1000 + step) for step in range(400)] + [(step, 2000 + step) for step in range(400)]
    defined("12", "imports", "draw")["draw"](loss, [(1, 0.1), (51, 0.9)])
    above, below = plt.gcf().axes
    assert heights(above) == [list(range(1000, 1400)), list(range(2000, 2400))]
    assert heights(below) == [[0.1, 0.9]]


@pytest.fixture(scope="module")
def watched():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(LESSONS)
        return defined("12", "imports", "training", "data", "model", "watch", "lines", "smooth", "smoothing")


def test_without_smoothing_the_thick_lines_are_the_losses(watched):
    watched["compare"](weight=0)
    thin, thick, *_ = heights(plt.gca())
    assert thick == thin == watched["runs"]["fast"]


def test_with_too_much_smoothing_the_slow_run_lies_far_above_where_it_is(watched):
    truth = [1 + np.sum((w - watched["goal"]) ** 2) for w in watched["weights"].values()]
    ends = {}
    for weight in (0, 0.9, 0.99):
        watched["compare"](weight=weight)
        ends[weight] = [curve[-1] for curve in heights(plt.gcf().axes[-1])[1:4:2]]
        plt.close("all")
    assert truth[0] < truth[1] and ends[0][0] > ends[0][1]  # the last points have it the wrong way round
    gaps = {weight: slow - fast for weight, (fast, slow) in ends.items()}
    assert 0 < gaps[0.9] < 3 * (truth[1] - truth[0]) < gaps[0.99]


def test_tensorboard_opens_below_a_cell_with_the_two_lines_and_ends_with_the_kernel(monkeypatch):
    [lines] = re.findall(r"```\n(%load_ext tensorboard\n.*?)```", text_of("12").partition("## Exercise")[0], re.DOTALL)
    monkeypatch.setenv("PATH", os.defpath)  # as where the environment of this Python isn't active
    monkeypatch.setenv("PYTHONPATH", str(LESSONS))
    cells = ["import lab\nlogs = lab.temporary_folder()", lines, "from tensorboard import manager\nmanager.get_all()"]
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in cells])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    _, board, running = notebook.cells
    [frame] = [output.data["text/html"] for output in board.outputs if "text/html" in output.get("data", {})]
    port = re.search(r"const port = (\d+)", frame)[1]
    [pid] = re.findall(rf"pid=(\d+), port={port}\b", running.outputs[0].data["text/plain"])
    with pytest.raises(ProcessLookupError):
        for _ in range(300):
            os.kill(int(pid), 0)  # asks whether it's still there
            time.sleep(0.1)


TOGETHER = ("imports", "together", "explorer")


@pytest.mark.parametrize("slow", [1.0, 2.5, 4.0])
def test_a_batch_is_as_stale_as_the_steps_that_others_made_meanwhile(slow):
    batches = defined("13", *TOGETHER)["train_together"]([slow, 1.0, 1.0, 1.0], synchronous=False)
    ends = [end for *_, end, _ in batches]
    assert ends == sorted(set(ends))  # each step happens on one worker
    for worker, start, ready, end, stale in batches:
        assert ready == end and ready - start == pytest.approx(1.0 if worker else slow)
        assert stale == sum(start < other < end for other in ends)


@pytest.mark.parametrize("slow", [1.0, 2.5, 4.0])
def test_in_rounds_nothing_is_stale_and_all_wait_for_the_slowest(slow):
    batches = defined("13", *TOGETHER)["train_together"]([slow, 1.0, 1.0, 1.0], synchronous=True)
    rounds = {end: [batch for batch in batches if batch[3] == end] for *_, end, _ in batches}
    assert all(stale == 0 for *_, stale in batches)
    for end, four in rounds.items():
        assert [worker for worker, *_ in four] == [0, 1, 2, 3]
        assert end == max(ready for _, _, ready, _, _ in four)


def test_the_lanes_show_the_batches_and_the_steps(capsys):
    names = defined("13", *TOGETHER)
    capsys.readouterr()
    names["lanes"](slow=2.0, synchronous=True)
    batches = names["train_together"]([2.0, 1.0, 1.0, 1.0], True)
    axes = plt.gca()
    assert sorted(bar.get_width() for bar in axes.patches) == pytest.approx(sorted(b[2] - b[1] for b in batches))
    assert [text.get_text() for text in axes.texts] == ["0"] * len(batches)
    assert capsys.readouterr().out.splitlines()[-1] == "24 batches, 6 steps"


def test_lesson_15_draws_the_second_run_from_its_ninth_test_on():
    draw = defined("15", "imports", "two-runs")["draw"]
    draw([(epoch, 0.5 / epoch) for epoch in range(1, 17)])
    first, second, *_ = plt.gca().lines
    assert list(first.get_xdata()) == [*range(1, 9)]
    assert list(second.get_xdata()) == [*range(9, 17)]


def test_lesson_15_draws_a_script_that_writes_no_curve():
    defined("15", "imports", "two-runs")["draw"]([])
    assert [len(line.get_xdata()) for line in plt.gca().lines[:2]] == [0, 0]
