"""Sliders and figures: `lab.explore` redraws what its controls choose, and each figure says in words what it shows."""

from __future__ import annotations

import base64

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances

import lab
from lab import figures

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def no_figures():
    """Begin and end without an open figure."""
    plt.close("all")
    yield
    plt.close("all")


@pytest.fixture
def shown():
    """Collect what is displayed."""
    InteractiveShell.clear_instance()
    InteractiveShell.instance()
    with capture_output(stdout=False, stderr=False) as captured:
        yield captured
    InteractiveShell.clear_instance()


@pytest.fixture
def line(shown):
    """Return an explored function that draws a line, and notes how often it does."""
    calls = []

    @lab.explore(slope=(0.0, 2.0, 0.1), colour=["red", "blue"])
    def line(slope=0.5, colour="red", dashed=False):
        calls.append((slope, colour, dashed))
        plt.plot([0, 1, 2, 3], [0, slope, 2 * slope, 3 * slope], color=colour)
        plt.xlabel("x")
        plt.ylabel("y")
        print(f"a slope of {slope:g}")
        if slope > 1.9:
            raise ValueError("too steep")

    line.calls = calls
    return line


@pytest.fixture
def below(line, shown):
    """Return the Image and the HTML below the controls."""
    box = _instances[shown.outputs[0].data[WIDGET]["model_id"]]
    _, picture, printed = box.children
    return picture, printed


def test_each_argument_has_the_control_that_interact_makes(line):
    assert {name: type(control) for name, control in line.controls.items()} == {
        "slope": ipywidgets.FloatSlider,
        "colour": ipywidgets.Dropdown,
        "dashed": ipywidgets.Checkbox,
    }
    assert [control.value for control in line.controls.values()] == [0.5, "red", False]


def test_a_picture_and_its_words_are_kept_beside_the_widget(line, shown):
    [output] = shown.outputs
    data, metadata = output.data, output.metadata
    assert data.keys() == {WIDGET, "image/png", "text/plain"}
    assert data["text/plain"].startswith("a slope of 0.5\ny over x\n  4 points, (0, 0) to (3, 1.5), from 0 to 1.5")
    png = base64.b64decode(data["image/png"])
    width = int.from_bytes(png[16:20], "big")
    assert png.startswith(b"\x89PNG") and width == 2 * metadata["image/png"]["width"]


def test_the_picture_follows_a_control(line, below):
    picture, printed = below
    before = picture.value
    line.controls["slope"].value = 1.0
    assert line.calls[-1] == (1.0, "red", False)
    assert picture.value != before and "a slope of 1" in printed.value
    assert not plt.get_fignums()  # no figure is left to be shown below another cell


def test_a_change_that_changes_nothing_draws_nothing(line):
    calls = len(line.calls)
    line.controls["slope"].value = 0.5 + 1e-13  # what a slider that has just appeared may send
    assert len(line.calls) == calls


def test_an_error_is_shown_and_goes_away_again(line, below):
    _, printed = below
    line.controls["slope"].value = 2.0
    assert "ValueError: too steep" in printed.value
    line.controls["slope"].value = 1.0
    assert "ValueError" not in printed.value


def test_an_error_at_the_start_is_the_cells(shown):
    def broken(x=1):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        lab.explore(x=(0, 2))(broken)
    assert not shown.outputs


def test_called_the_function_draws_once(line):
    line(slope=2 / 3)
    assert plt.gca().lines[0].get_ydata()[-1] == pytest.approx(2)
    assert line.controls["slope"].value == 0.5


# Words.


def test_words_say_what_each_kind_of_curve_shows():
    _, (left, right) = plt.subplots(1, 2)
    left.set(title="Losses", xlabel="step", ylabel="loss")
    left.plot([0, 1, 2, 3], [4, 2, np.nan, 1], label="mine")
    left.scatter([1, 2], [3, 4], label="dots")
    left.axhline(2)
    right.bar(["a", "b"], [1.5, 2.5])
    right.imshow(np.eye(3))
    right.text(0, 0, "here\nit is")
    said = figures.words(plt.gcf()).split("\n")
    assert said == [
        "Losses: loss over step",
        "  mine: 4 points, (0, 4) to (3, 1), 1 not finite, from 1 to 4, mean 2.333",
        "  (0, 2), (1, 2)",
        "  dots: (1, 3), (2, 4)",
        "a picture",
        "  bars 1.5, 2.5",
        "  an image of 3 x 3, mean 0.3333, spread 0.4714",
        "  text: here it is",
    ]


def test_a_thousandth_is_noticed():
    steps = np.arange(21)
    said = []
    for decay_steps in (10, 10.01):
        plt.figure()
        plt.plot(steps, 0.1 * 2 ** (steps / decay_steps))
        said.append(figures.words(plt.gcf()))
    assert said[0] != said[1]


def test_a_figure_may_bring_its_own_words():
    plt.plot([1, 2])
    plt.gcf().words = "a graph of two boxes"
    assert figures.words(plt.gcf()) == "a graph of two boxes"


def test_the_svg_follows_the_theme_and_is_the_same_each_time():
    plt.plot([1, 2, 3])
    drawn = figures.svg(plt.gcf())
    assert "prefers-color-scheme: dark" in drawn and "--c0:#0969a8" in drawn and "--c0:#63b3ed" in drawn
    assert "stroke: var(--c0)" in drawn
    assert figures.svg(plt.gcf()) == drawn


def test_a_notebook_stores_svg_and_words(monkeypatch):
    class Shell:
        display_formatter = DisplayFormatter()

    monkeypatch.setattr(figures, "get_ipython", Shell)
    monkeypatch.setattr("matplotlib_inline.backend_inline.set_matplotlib_formats", lambda *formats: None)
    figures.use()
    plt.plot([0, 1])
    data, _ = Shell.display_formatter.format(plt.gcf(), include={"text/plain", "image/svg+xml"})
    assert data["text/plain"] == "a picture\n  (0, 0), (1, 1)"
    assert data["image/svg+xml"].startswith("<?xml")
