"""A stepped run computes what a session computes, line by line, and leaves the session alone."""

from __future__ import annotations

import sys
from copy import deepcopy
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import explore, stepping
from tests.lessons.pictures import arrows, boxes, cut_texts
from tests.lessons.posts import DATA, experiment

ORANGE = "#b35900"


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph, and leave no figures behind."""
    with tf.Graph().as_default():
        yield
    plt.close("all")


class Shown(NamedTuple):
    """What a position of the slider shows."""

    words: list[str]
    boxes: dict
    arrows: dict
    orange: list[str]
    text: list[str]
    cut: list[str]


@pytest.fixture
def step_through(monkeypatch):
    """Step through a run; return the function that reads what a position shows, and the last position."""

    def stepped(*arguments, **named):
        kept = []

        def explored(**choices):
            return lambda draw: kept.append(explore(**choices)(draw))

        monkeypatch.setattr(stepping, "explore", explored)
        monkeypatch.setattr(sys.modules["lab.explore"], "display", lambda *shown, **how: None)
        stepping.step_through(*arguments, **named)
        [draw] = kept

        def at(step):
            plt.close("all")
            draw(step=step)
            [ax] = plt.gcf().axes
            left = min((box.left for box in boxes(ax).values()), default=np.inf)
            beside = [text for text in ax.texts if text.get_position()[0] < left]
            orange = [text.get_text() for text in beside if text.get_color() == ORANGE]
            text = [text.get_text() for text in beside]
            words = plt.gcf().words.splitlines()
            return Shown(words, boxes(ax), arrows(ax), orange, text, cut_texts(plt.gcf()))

        return at, draw.controls["step"].max

    return stepped


def scalars():
    """Build `w * x - y`."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(3.0, name="w")
    return w * x - y, {x: 2.0, y: 1.0}, w


# What is shown.


def test_a_run_is_shown_line_by_line(step_through):
    sub, feeds, _ = scalars()
    at, last = step_through(sub, feeds)
    assert last == 3
    before, middle, after = at(0), at(2), at(3)
    assert before.text == [
        *("Run 1", "def program(state, x, y):", 'w = state["w"]', "mul = w * x", "sub = mul - y"),
        *("", "The session holds", "w = 3"),
    ]
    assert before.orange == []
    assert [box.lines for box in before.boxes.values()] == [["x", "2"], ["y", "1"], ["w"], ["mul"], ["sub"]]
    assert [box.colour for box in before.boxes.values()] == ["blue", "blue", "plain", "plain", "plain"]
    assert middle.orange == ["mul = w * x"]
    assert [box.lines[1:] for box in middle.boxes.values()] == [["2"], ["1"], ["3"], ["6"], []]
    assert [box.colour for box in middle.boxes.values()] == ["blue", "blue", "blue", "orange", "plain"]
    assert after.orange == ["sub = mul - y"]
    assert after.boxes["sub"].lines == ["sub", "5"]
    assert after.arrows == dict.fromkeys([("x", "mul"), ("w", "mul"), ("mul", "sub"), ("y", "sub")], False)


def test_the_words_have_the_whole_run_wherever_the_slider_is(step_through):
    sub, feeds, _ = scalars()
    at, _ = step_through(sub, feeds)
    words = [
        "before: w = 3",
        'w = state["w"]  gives 3',
        "mul = w * x     gives 6",
        "sub = mul - y   gives 5",
        "after: w = 3",
    ]
    assert at(0).words == at(3).words == words


def test_in_two_runs_the_weight_moves_while_the_step_waits(step_through):
    train_op, feeds, *_ = experiment()
    at, last = step_through(train_op, feeds, runs=2)
    assert last == 20
    moved, ticked, again = at(9), at(10), at(15)
    assert moved.orange == ['state["w"] -= rate * d_w', "w = 4.704"]
    assert moved.text[-1] == "global_step = 0"
    assert moved.boxes["w -="].lines == ["w -=", "4.704"]
    assert moved.boxes["global_step +="].lines == ["global_step +="]
    assert ticked.orange == ['state["global_step"] += 1', "global_step = 1"]
    assert (moved.text[0], again.text[0]) == ("Run 1", "Run 2")
    assert again.boxes["rate"].lines == ["rate", "0.1072"]
    assert again.boxes["d_w"].lines == ["d_w"]


@pytest.mark.parametrize("step", [0, 9, 20])
def test_no_text_is_cut(step_through, step):
    train_op, feeds, *_ = experiment()
    at, _ = step_through(train_op, feeds, runs=2)
    assert at(step).cut == []
    assert plt.gcf().get_figwidth() < 9


def test_boxes_stay_where_they_are(step_through):
    train_op, feeds, *_ = experiment()
    at, last = step_through(train_op, feeds, runs=2)
    assert len({str([box[2:] for box in at(step).boxes.values()]) for step in range(0, last + 1, 5)}) == 1


def test_a_run_with_nothing_to_compute_has_one_position(step_through):
    at, last = step_through(tf.no_op())
    assert last == 0
    assert at(0).words == ["before: no variables", "after: no variables"]


@pytest.mark.parametrize(
    "value, text",
    [
        (0.10717734, "0.1072"),
        (-2.1149954e07, "-2.115e+07"),
        (np.nan, "nan"),
        ([1, 2, 3], "[1, 2, 3]"),
        ([0.25], "[0.25]"),
        ([1, 2, 3, 4], "(4,): 1, ..."),
        (np.ones([10, 1]), "(10, 1): 1, ..."),
        (np.full([2, 3, 4], 1 / 3), "(2, 3, 4): 0.3333, …"),
        (np.ones([0, 3]), "(0, 3)"),
    ],
)
def test_a_value_is_said_in_a_few_characters(step_through, value, text):
    x = tf.placeholder(tf.float32, name="x")
    at, _ = step_through(tf.negative(x), {x: value})
    assert at(0).boxes["x"].lines == ["x", text]


# An arrow is a value that a line reads; a dashed one leads to a line that waits.


@pytest.mark.parametrize(
    "end, starts",
    [
        ("d_w", {"d_mul", "x"}),  # the op of the gradient asks w only for its shape, which is known
        ("d_mul", {"d_sub", "mul"}),  # this one reads mul for its shape
        ("w -=", {"w", "rate", "d_w"}),
        ("global_step +=", {"global_step", "w -="}),
    ],
)
def test_an_arrow_leads_to_each_line_that_reads_a_value(step_through, end, starts):
    train_op, feeds, *_ = experiment()
    found = step_through(train_op, feeds)[0](0).arrows
    assert {start for start, to in found if to == end} == starts
    assert [ends for ends, dashed in found.items() if dashed] == [("w -=", "global_step +=")]


def adam():
    """Build a step of Adam, which has two slots."""
    w = tf.Variable(1.0, name="w")
    return tf.train.AdamOptimizer(0.1).minimize(w * w)


def test_a_box_shows_the_variable_that_its_line_updates(step_through):
    at, last = step_through(adam())
    shown = at(last)
    held = dict(line.split(" = ") for line in shown.words[-1].removeprefix("after: ").split(", "))
    assert set(held) == {"w", "beta1_power", "beta2_power", "w/Adam", "w/Adam_1"}
    updated = {name.rpartition(" ")[0]: box.lines[1] for name, box in shown.boxes.items() if "=" in name}
    assert updated == held
    assert shown.cut == []


def test_slots_have_arrows(step_through):
    found = step_through(adam())[0](0).arrows
    assert ("d_w", "w/Adam +=") in found
    assert {start for start, end in found if end == "w -="} >= {"w", "w/Adam +=", "w/Adam_1 +=", "beta1_power"}


def test_what_waits_for_an_op_of_several_lines_waits_for_the_last(step_through):
    found = step_through(adam())[0](0).arrows
    assert {ends for ends, dashed in found.items() if dashed} == {("w -=", "beta1_power ="), ("w -=", "beta2_power =")}


def test_what_a_branch_may_read_leads_to_it(step_through):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.Variable([1.0, 2.0], name="w")
    update = tf.assign_add(w, x * 2.0, name="update")
    scaled = tf.multiply(update, 3.0, name="scaled")
    chosen = tf.cond(x[0] > 1.0, lambda: tf.sin(scaled) + w, lambda: tf.cos(x), name="chosen")
    at, last = step_through(chosen, {x: [1.0, 2.0]})
    found = at(last).arrows
    assert {("mul", "w +="), ("w +=", "w"), ("w", "scaled"), ("scaled", "chosen"), ("x", "chosen")} <= found.keys()
    assert ("w", "chosen") in found


def test_a_line_with_several_results_shows_the_first(step_through):
    at, last = step_through(tf.unique(tf.placeholder_with_default([5, 5, 7], [3])))
    assert at(last).words[-2].endswith("gives [5, 7]")


def test_an_update_of_rows_is_a_box(step_through):
    w = tf.Variable([1.0, 2.0], name="w")
    at, last = step_through(tf.scatter_add(w, [0], [1.0], name="rows"))
    assert "rows" in at(last).boxes
    assert at(last).words[-1] == "after: w = [2, 2]"


# The session.


def test_it_starts_from_what_the_session_holds_or_from_the_initial_values(step_through):
    sub, feeds, w = scalars()
    with tf.Session() as sess:
        sess.run(tf.assign(w, 10.0))
        assert step_through(sub, feeds, sess)[0](0).words[0] == "before: w = 10"
        assert step_through(sub, feeds)[0](0).words[0] == "before: w = 3"


def test_the_graph_of_the_session_counts(step_through):
    sub, feeds, w = scalars()
    with tf.Session() as sess:
        sess.run(w.initializer)
    with tf.Graph().as_default():
        assert step_through(sub, feeds, sess)[0](3).boxes["sub"].lines == ["sub", "5"]


def test_an_initializer_gives_a_value_to_the_copy_only(step_through):
    variables = [tf.Variable(3.0, name=name) for name in "abcdef"]
    with tf.Session() as sess:
        at, last = step_through([variable.initializer for variable in variables], session=sess)
        assert at(0).words[0] == "before: no variables"
        assert at(last).text[-1] == "f = 3"
        assert at(last).cut == []
        assert sess.state == {}


def test_no_session_changes(step_through):
    w = tf.Variable([1.0, 2.0, 3.0], name="w")
    noise = tf.random_normal([3], seed=1)
    update = tf.assign_add(w, [1.0, 1.0, 1.0] + 0.0 * noise).op
    with tf.Session() as sess:
        sess.run(w.initializer)
        before, ops = deepcopy(sess.state), tf.get_default_graph().get_operations()
        at, last = step_through(update, session=sess, runs=2)
        assert at(last).words[-1] == "after: w = [3, 4, 5]"
        assert sess.state["w"].tolist() == before["w"].tolist()
        assert sess.state.streams.keys() == before.streams.keys()
        assert tf.get_default_graph().get_operations() == ops


def test_what_is_random_is_what_the_session_draws_next(step_through):
    drawn = tf.random_normal([], seed=1, name="noise")
    with tf.Session() as sess:
        sess.run(drawn)
        at, last = step_through(drawn, session=sess)
        assert at(last).boxes["noise"].lines[1] == f"{sess.run(drawn):.4g}"


def test_variables_of_other_runs_are_left_out(step_through):
    sub, feeds, _ = scalars()
    tf.Variable(7.0, name="elsewhere")
    assert step_through(sub, feeds)[0](0).words[0] == "before: w = 3"


def test_the_update_of_a_variable_that_is_fed_shows(step_through):
    v = tf.Variable(3.0, name="v")
    with tf.Session() as sess:
        sess.run(v.initializer)
        words = step_through([tf.assign_add(v, 1.0), v * 2.0], {v: 5.0}, sess)[0](0).words
    assert (words[0], words[-1]) == ("before: v = 3", "after: v = 4")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.floats(-10, 10, width=32))
def test_whatever_is_built_ends_with_what_run_gives(step_through, data, fed):
    with tf.Graph().as_default(), tf.Session() as sess:
        x, w = tf.placeholder(tf.float32, []), tf.Variable(data.draw(st.floats(-10, 10, width=32)), name="w")
        built = [x, w + 0.0, tf.constant(2.0)]
        for function in data.draw(
            st.lists(st.sampled_from([tf.add, tf.subtract, tf.multiply, tf.maximum]), min_size=1)
        ):
            built.append(function(data.draw(st.sampled_from(built)), data.draw(st.sampled_from(built))))
        sess.run(w.initializer)
        at, last = step_through(built[-1], {x: fed}, sess)
        if last:
            assert at(last).words[-2].endswith(f"gives {sess.run(built[-1], {x: fed}):.4g}")


# What a session refuses.


def test_a_missing_feed_is_named_as_by_the_session(step_through):
    sub, *_ = scalars()
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
        step_through(sub)


def test_a_wrong_feed_is_named_as_by_the_session(step_through):
    sub, feeds, _ = scalars()
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        step_through(sub, dict.fromkeys(feeds, [1.0]))


def test_a_missing_value_is_named_as_by_the_session(step_through):
    sub, feeds, _ = scalars()
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value w"):
        step_through(sub, feeds, sess)


def test_shapes_that_do_not_fit_are_named_as_by_the_session(step_through):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        step_through(x + y, {x: DATA[:3, 0], y: DATA[:2, 0]})
