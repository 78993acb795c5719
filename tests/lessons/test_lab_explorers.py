"""Whatever the controls of an explorer say, its picture and its words follow."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import (
    BugSwitcher,
    CallTimeline,
    CheckpointTimeline,
    CollectionViewer,
    CounterExplorer,
    DecayExplorer,
    EdgeSwitch,
    ElsewhereExplorer,
    MemoryExplorer,
    ScheduleExplorer,
    StabilityExplorer,
)
from lab.decay import in_words, rates
from lab.explorer import slider

EXPLORERS = [
    BugSwitcher,
    CallTimeline,
    CheckpointTimeline,
    CollectionViewer,
    CounterExplorer,
    DecayExplorer,
    EdgeSwitch,
    ElsewhereExplorer,
    MemoryExplorer,
    ScheduleExplorer,
    StabilityExplorer,
]


def controls(explorer):
    """The controls that can be seen."""
    return [c for c in explorer.children[:-1] if c.layout.display != "none"]


def shown(explorer):
    return explorer.children[-1].value


def moved(control):
    if isinstance(control, widgets.Checkbox):
        return not control.value
    if hasattr(control, "options"):
        options = [option[1] if isinstance(option, tuple) else option for option in control.options]
        return options[(options.index(control.value) + 1) % len(options)]
    return control.value + control.step


@pytest.mark.parametrize("kind", EXPLORERS)
def test_each_control_moves_the_picture_and_the_words(kind):
    explorer = kind()
    for control in controls(explorer):
        words, html, before = explorer.words, shown(explorer), control.value
        control.value = moved(control)
        assert explorer.words != words
        assert shown(explorer).partition("</svg>")[0] != html.partition("</svg>")[0]
        assert escape(explorer.words) in shown(explorer)
        control.value = before
        assert (explorer.words, shown(explorer)) == (words, html)


@pytest.mark.parametrize("kind", EXPLORERS)
def test_every_control_can_go_both_ways_from_where_it_starts(kind):
    for control in controls(kind()):
        if hasattr(control, "step"):
            assert control.min < control.value < control.max


@pytest.mark.parametrize("kind", EXPLORERS)
def test_controls_start_at_the_same_place_and_no_name_is_cut(kind):
    named = [c for c in controls(kind()) if not isinstance(c, widgets.Checkbox)]
    [width] = {control.style.description_width for control in named}
    longest = max(len(control.description) for control in named)
    assert float(width.removesuffix("em")) > 0.55 * longest


@pytest.mark.parametrize("kind", EXPLORERS)
def test_it_shows_where_nothing_runs(kind):
    first, second = kind()._repr_mimebundle_(), kind()._repr_mimebundle_()
    live = "application/vnd.jupyter.widget-view+json"
    assert first[0].pop(live) != second[0].pop(live)
    assert first == second
    assert first[0]["image/png"].startswith(b"\x89PNG")
    assert first[0]["text/plain"] == kind().words
    assert first[1]["image/png"]["alt"] == kind().words.replace("\n", " ")


@pytest.mark.parametrize("kind", EXPLORERS)
def test_the_learners_graph_is_left_alone(kind):
    tf.reset_default_graph()
    explorer = kind()
    controls(explorer)[0].value = moved(controls(explorer)[0])
    assert tf.get_default_graph().get_operations() == []


@settings(max_examples=30)
@given(st.floats(0.01, 0.5), st.integers(1, 40), st.floats(0.1, 3.0), st.booleans(), st.integers(0, 30))
def test_the_curve_is_the_formula(learning_rate, decay_steps, decay_rate, staircase, step):
    fraction = step // decay_steps if staircase else step / decay_steps
    drawn = rates(learning_rate=learning_rate, decay_steps=decay_steps, decay_rate=decay_rate, staircase=staircase)
    assert drawn[step] == pytest.approx(learning_rate * decay_rate**fraction, rel=1e-4)


@pytest.mark.parametrize(
    "change, words",
    [
        ({}, "grows smoothly: every 10 steps it is multiplied by 2"),
        ({"decay_rate": 0.5}, "falls smoothly: every 10 steps it is multiplied by 0.5"),
        ({"decay_rate": 1.0}, "stays as it is"),
        ({"staircase": True}, "grows in jumps"),
        ({"decay_steps": 1}, "every step it is multiplied"),
    ],
)
def test_the_words_say_what_the_rate_does(change, words):
    explorer = DecayExplorer()
    for name, value in change.items():
        getattr(explorer, name).value = value
    assert words in explorer.words


def test_the_words_hold_the_key_numbers():
    schedule = {"decay_rate": 0.5, "decay_steps": 10, "staircase": False}
    numbers = "0.1 at step 0, 0.05 at step 10, 0.025 at step 20, 0.0125 at step 30"
    assert numbers in in_words([0.1 * 0.5 ** (n / 10) for n in range(31)], schedule)


def test_the_posts_rates_are_drawn_whatever_the_sliders_say():
    explorer = DecayExplorer()
    before = explorer.picture().lines[0]
    explorer.decay_rate.value = 0.5
    assert explorer.picture().lines[0] == before
    assert before.points[-1] == pytest.approx((10, 0.2))


def test_stairs_have_corners():
    explorer = DecayExplorer()
    explorer.staircase.value = True
    points = explorer.picture().lines[-1].points
    assert all(x == u or y == v for (x, y), (u, v) in zip(points, points[1:], strict=False))


def test_only_the_train_op_with_global_step_counts():
    explorer = CounterExplorer()
    explorer.runs.value = 1
    assert "After 1 run, the counter holds 1 with" in explorer.words
    explorer.runs.value = 0
    assert "After 0 runs, the counter holds 0 with" in explorer.words


def test_the_page_does_not_answer_when_python_moves_a_slider(monkeypatch):
    sent = []
    monkeypatch.setattr(widgets.Widget, "_send", lambda self, message, buffers=None: sent.append(message["state"]))
    of_fractions = slider("rate", 0.5, 0, 3, 0.05)
    sent.clear()
    of_fractions.value = 2.5
    assert sent == [{"continuous_update": False}, {"value": 2.5}, {"continuous_update": True}]
