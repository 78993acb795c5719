"""Twins are told apart by what differs, in words and with a mark that needs no colour."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import compare_programs, side_by_side
from lab.drawing.programs import aligned


@pytest.fixture
def train_ops():
    """Two train ops of two graphs: with global_step and without."""
    made = {}
    for name in ("with_step", "without"):
        with tf.Graph().as_default():
            w = tf.Variable(5.0, name="w")
            global_step = tf.Variable(0, trainable=False, name="global_step")
            optimizer = tf.train.GradientDescentOptimizer(0.1)
            counter = global_step if name == "with_step" else None
            made[name] = optimizer.minimize(w**2, global_step=counter)
    return made


def test_two_programs_differ_in_the_statement_that_counts(train_ops):
    view = compare_programs(**train_ops)
    assert view.words.splitlines()[1:] == ['Only with step:  state["global_step"] += 1', "without:  nothing here"]
    left, right = view.data["picture"]["parts"]
    assert (left["title"], right["title"]) == ("with step", "without")
    assert len(left["lines"]) == len(right["lines"])
    marked = [[line for line in part["lines"] if line["kind"] == "now"] for part in (left, right)]
    assert marked == [
        [{"text": 'state["global_step"] += 1', "kind": "now", "note": "only here"}],
        [{"text": "", "kind": "now", "note": "nothing here"}],
    ]


def test_a_program_is_like_itself(train_ops):
    view = compare_programs(one=train_ops["without"], other=train_ops["without"])
    assert view.words.endswith("are the same in both programs.")
    left, right = view.data["picture"]["parts"]
    assert left["lines"] == right["lines"]
    assert {line["kind"] for line in left["lines"]} == {"plain"}


def test_a_changed_statement_is_beside_the_other():
    rows = aligned(["x = 1", "y = x < 2", "z"], ["x = 1", "y = 3", "z"])
    assert rows == [("x = 1", "x = 1", True), ("y = x < 2", "y = 3", False), ("z", "z", True)]


def test_lines_are_side_by_side(capsys):
    view = side_by_side(with_step=["0.2 1", "0.4 2"], without=["0.1 0", "0.1 0"])
    first, *rows = capsys.readouterr().out.splitlines()
    assert first.split() == ["run", "with", "step", "without"]
    assert [row.split() for row in rows] == [["1", "0.2", "1", "0.1", "0"], ["2", "0.4", "2", "0.1", "0"]]
    [chart] = view.data["picture"]["parts"]
    assert [line["points"] for line in chart["lines"]] == [[[1, 0.2], [2, 0.4]], [[1, 0.1], [2, 0.1]]]
    assert [(line["name"], line["kind"]) for line in chart["lines"]] == [("with step", "done"), ("without", "now")]
    assert chart["y"]["max"] == 0.4
    assert view.words == ("with step: the learning rate goes from 0.2 to 0.4; without: the learning rate stays at 0.1.")


@pytest.mark.parametrize("odd", ["0 0", "nan 0", "inf 0", "-1 0"])
def test_no_rate_is_too_odd_for_an_axis(odd):
    [chart] = side_by_side(one=[odd], other=[odd]).data["picture"]["parts"]
    assert chart["y"]["max"] == 1


def test_runs_of_different_length_are_no_twins():
    with pytest.raises(ValueError):
        side_by_side(one=["0.1 1"], other=[])
