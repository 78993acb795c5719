"""Twins are told apart by what differs, in words and with a mark that needs no colour."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import compare_programs, side_by_side
from lab.twin import Comparison


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
    comparison = compare_programs(**train_ops)
    assert comparison.differences == [('state["global_step"] += 1', "")]
    assert repr(comparison).splitlines()[1:] == ['Only with step:  state["global_step"] += 1', "without:  nothing here"]
    html = comparison._repr_html_()
    assert html.count("only here:") == html.count("nothing here") == 1


def test_a_program_is_like_itself(train_ops):
    comparison = compare_programs(one=train_ops["without"], other=train_ops["without"])
    assert comparison.differences == []
    assert repr(comparison).endswith("are the same in both programs.")
    assert "only here" not in comparison._repr_html_()


def test_a_changed_statement_stands_beside_the_other():
    comparison = Comparison(["a", "b"], [["x = 1", "y = x < 2", "z"], ["x = 1", "y = 3", "z"]])
    assert comparison.differences == [("y = x < 2", "y = 3")]
    assert "y = x &lt; 2" in comparison._repr_html_()


def test_lines_stand_side_by_side(capsys):
    chart = side_by_side(with_step=["0.2 1", "0.4 2"], without=["0.1 0", "0.1 0"]).picture
    first, *rows = capsys.readouterr().out.splitlines()
    assert first.split() == ["run", "with", "step", "without"]
    assert [row.split() for row in rows] == [["1", "0.2", "1", "0.1", "0"], ["2", "0.4", "2", "0.1", "0"]]
    assert [line.points for line in chart.lines] == [[(1, 0.2), (2, 0.4)], [(1, 0.1), (2, 0.1)]]
    assert chart.words == (
        "with step: the learning rate goes from 0.2 to 0.4; without: the learning rate stays at 0.1."
    )


def test_runs_of_different_length_are_no_twins():
    with pytest.raises(ValueError):
        side_by_side(one=["0.1 1"], other=[])
