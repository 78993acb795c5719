"""Whatever the controls of an explorer say, its picture and its words follow, and nothing else moves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lab
import minitf as tf
from lab import DecayExplorer

EXPLORERS = [
    "CallTimeline",
    "CheckpointTimeline",
    "CollectionViewer",
    "DecayExplorer",
    "OrderShuffler",
    "ElsewhereExplorer",
    "MemoryExplorer",
    "ScheduleExplorer",
    "StabilityExplorer",
]
FOR_EACH = pytest.mark.parametrize("name", EXPLORERS)
LINE = 20  # pixels, at least: of a program, a note or a table


def shown(explorer, **changes):
    return explorer.picture(**{**explorer.state, **changes})


def controls(explorer, **changes):
    """The controls that can be seen."""
    changed = shown(explorer, **changes).controls
    return [c for c in explorer.controls if not changed.get(c["name"], {}).get("hidden")]


def moved(control):
    """Another value of a control."""
    value = control["value"]
    if control["kind"] == "tick":
        return not value
    if "options" in control:
        options = control["options"]
        return options[(options.index(value) + 1) % len(options)]
    return value + control["step"]


def outline(part):
    """How high a part is, in pixels or lines: what it reserves, if it needs no more, else what it holds."""
    if part["type"] == "stack" and "reserve" not in part:
        return [outline(inner) for inner in part["parts"]]
    reserve = part.get("reserve", 0)
    if part["type"] in ("chart", "graph"):
        return max(reserve, part.get("height", 0))
    lines = part.get("rows") or part.get("lines") or part.get("images") or []
    assert not reserve or part["type"] == "table" or len(lines) * LINE <= reserve
    return reserve or len(lines)


@FOR_EACH
def test_each_control_moves_the_picture_and_the_words(name):
    explorer = getattr(lab, name)()
    before = shown(explorer)
    assert before == shown(explorer)
    for control in controls(explorer):
        after = shown(explorer, **{control["name"]: moved(control)})
        assert after.words != before.words
        assert after.parts != before.parts


@FOR_EACH
def test_every_slider_can_go_both_ways_from_where_it_starts(name):
    for control in getattr(lab, name)().controls:
        if control["kind"] == "slider":
            assert control["min"] < control["value"] < control["max"]


@FOR_EACH
def test_nothing_moves_but_what_is_drawn(name):
    explorer = getattr(lab, name)()
    heights = [[outline(part) for part in explorer.picture(**setting).parts] for setting in explorer.settings()]
    assert heights == [heights[0]] * len(heights)


@FOR_EACH
def test_no_axis_moves_with_a_slider(name):
    explorer = getattr(lab, name)()
    chosen = [c["name"] for c in explorer.controls if c["kind"] in ("menu", "segments")]
    axes = {}
    for setting in explorer.settings():
        choice = str([setting[control] for control in chosen])
        drawn = [[part.get("x"), part.get("y")] for part in explorer.picture(**setting).parts]
        ends = [[axis and (axis["min"], axis["max"]) for axis in pair] for pair in drawn]
        assert axes.setdefault(choice, ends) == ends


@FOR_EACH
def test_the_learners_graph_is_left_alone(name):
    tf.reset_default_graph()
    explorer = getattr(lab, name)()
    control = explorer.controls[0]
    shown(explorer, **{control["name"]: moved(control)})
    assert tf.get_default_graph().get_operations() == []


# The decay explorer.


SCHEDULES = st.fixed_dictionaries(
    {
        "learning_rate": st.floats(0.01, 0.5),
        "decay_steps": st.integers(1, 40),
        "decay_rate": st.floats(0.1, 3.0),
        "staircase": st.booleans(),
    }
)


@settings(max_examples=30)
@given(SCHEDULES)
def test_the_curve_is_the_formula(schedule):
    [chart, _] = DecayExplorer().picture(**schedule).parts
    for step, rate in chart["lines"][1]["points"]:
        passed = step / schedule["decay_steps"]
        if schedule["staircase"]:
            passed = math.floor(passed)
        assert rate == pytest.approx(schedule["learning_rate"] * schedule["decay_rate"] ** passed, rel=1e-4)
