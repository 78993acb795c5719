"""The stepper runs what a session would run, statement by statement, and leaves the session alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import minitf as tf
from lab import Stepper
from lab.experiments.snapshots import LONGEST, short
from lab.explorers.stepper import NOTHING
from minitf.client.session import program_of
from tests.lessons.posts import experiment


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def scalars():
    """Build `w * x - y`."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(3.0, name="w")
    return w * x - y, {x: 2.0, y: 1.0}, w


def held_by(sess, variables):
    """Return what a session holds, as the stepper shows it."""
    return {variable.op.name: short(sess.run(variable)) for variable in variables}


# The values.


def test_at_the_end_there_is_what_run_gives():
    sub, feeds, w = scalars()
    with tf.Session() as sess:
        sess.run(w.initializer)
        last = Stepper(sub, feeds, sess).snapshots[-1]
        assert last.value == sess.run(sub, feeds)
    assert last.values == {"x": "2", "y": "1", "w": "3", "mul": "6", "sub": "5"}
    assert last.variables == {"w": "3"}


@st.composite
def built(draw):
    """Build a tensor from a placeholder, a Variable and a constant; return all but the constant."""
    numbers = st.floats(-10, 10, width=32, allow_subnormal=False)
    x = tf.placeholder(tf.float32, [])
    w = tf.Variable(draw(numbers), name="w")
    made = [x, w + 0.0, tf.constant(draw(numbers))]
    functions = st.sampled_from([tf.add, tf.subtract, tf.multiply, tf.maximum])
    for function in draw(st.lists(functions, min_size=1)):
        one = draw(st.sampled_from(made))
        other = draw(st.sampled_from(made))
        made.append(function(one, other))
    return made[-1], x, w


@settings(max_examples=40)
@given(st.data(), st.floats(-10, 10, width=32))
def test_whatever_is_built_ends_with_what_run_gives(data, number):
    with tf.Graph().as_default(), tf.Session() as sess:
        last, x, w = data.draw(built())
        sess.run(w.initializer)
        end = Stepper(last, {x: number}, sess).snapshots[-1]
        if end.statement is not None:
            assert short(end.value) == short(sess.run(last, {x: number}))
        assert end.variables in ({}, held_by(sess, [w]))


def test_runs_of_a_train_op_end_as_in_a_session():
    train_op, feeds, rate, variables = experiment()
    end = Stepper(train_op, feeds, runs=2).snapshots[-1]
    with tf.Session() as sess:
        sess.run(tf.variables_initializer(variables))
        sess.run(train_op, feeds)
        assert end.values["rate"] == short(sess.run(rate))
        sess.run(train_op, feeds)
        assert end.variables == held_by(sess, variables)


def test_a_run_starts_from_what_the_session_holds_and_leaves_it_there():
    train_op, feeds, _, variables = experiment()
    with tf.Session() as sess:
        sess.run(tf.variables_initializer(variables))
        sess.run(train_op, feeds)
        before = held_by(sess, variables)
        snapshots = Stepper(train_op, feeds, sess, runs=3).snapshots
        assert held_by(sess, variables) == before
        sess.run(train_op, feeds)
        after_one = snapshots[len(program_of(train_op, feeds).statements)]
        assert after_one.variables == held_by(sess, variables)


def test_an_array_is_copied_before_it_is_changed():
    w = tf.Variable([1.0, 2.0, 3.0], name="w")
    update = tf.assign_add(w, [1.0, 1.0, 1.0]).op
    with tf.Session() as sess:
        sess.run(w.initializer)
        stepper = Stepper(update, session=sess, runs=2)
        assert short(sess.run(w)) == "[1, 2, 3]"
    held = [snapshot.variables["w"] for snapshot in stepper.snapshots]
    assert held == ["[1, 2, 3]", "[2, 3, 4]", "[3, 4, 5]"]
    assert [snapshot.changed for snapshot in stepper.snapshots] == [set(), {"w"}, {"w"}]


def test_it_starts_from_what_the_session_holds_or_from_the_first_values():
    sub, feeds, w = scalars()
    with tf.Session() as sess:
        sess.run(tf.assign(w, 10.0))
        assert Stepper(sub, feeds, sess).snapshots[0].variables == {"w": "10"}
        assert Stepper(sub, feeds).snapshots[0].variables == {"w": "3"}


def test_the_learners_graph_is_left_alone():
    train_op, feeds, *_ = experiment()
    before = list(tf.get_default_graph().get_operations())
    Stepper(train_op, feeds)._repr_mimebundle_()
    assert tf.get_default_graph().get_operations() == before


def test_variables_of_other_runs_do_not_show():
    sub, feeds, _ = scalars()
    tf.Variable(7.0, name="elsewhere")
    assert list(Stepper(sub, feeds).snapshots[0].variables) == ["w"]


def test_a_missing_feed_is_named_as_by_the_session():
    sub, *_ = scalars()
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
        Stepper(sub)


def test_a_wrong_feed_is_named_as_by_the_session():
    sub, feeds, _ = scalars()
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        Stepper(sub, dict.fromkeys(feeds, [1.0]))


def test_a_missing_value_is_named_as_by_the_session():
    sub, feeds, _ = scalars()
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value w"):
        Stepper(sub, feeds, sess)


def test_shapes_that_do_not_fit_are_named_as_by_the_session():
    x = tf.placeholder(tf.float32)
    y = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        Stepper(x + y, {x: [1.0, 2.0, 3.0], y: [1.0, 2.0]})


# The snapshots.


def test_an_initializer_gives_a_value_to_the_copy_only():
    _, _, w = scalars()
    with tf.Session() as sess:
        first, last = Stepper(w.initializer, session=sess).snapshots
        assert first.variables == {}
        assert last.variables == {"w": "3"}
        assert last.changed == {"w"}
        assert sess.state == {}


def test_what_a_statement_changes_is_marked():
    train_op, feeds, *_ = experiment()
    for snapshot in Stepper(train_op, feeds, runs=2).snapshots[1:]:
        changed = {name for name in snapshot.variables if snapshot.statement.text.startswith(f'state["{name}"]')}
        assert snapshot.changed == changed


def test_a_change_too_small_to_print_is_a_change():
    w = tf.Variable(3.0, name="w")
    snapshot = Stepper(tf.assign_add(w, 1e-6).op).snapshots[-1]
    assert snapshot.variables == {"w": "3"}
    assert snapshot.changed == {"w"}


@pytest.mark.parametrize("value, added", [(3.0, 0.0), (np.nan, 0.0)])
def test_an_update_that_changes_nothing_marks_nothing(value, added):
    w = tf.Variable(value, name="w")
    assert Stepper(tf.assign_add(w, added).op).snapshots[-1].changed == frozenset()


# The words and pictures.


def test_nothing_moves_but_the_marks():
    stepper = Stepper(*experiment()[:2], runs=2)
    places = set()
    for at in range(len(stepper.snapshots)):
        _, graph = stepper.picture(at).parts
        places.add(str([(node["x"], node["y"], node["width"]) for node in graph["nodes"]]))
    assert len(places) == 1


@pytest.mark.parametrize("kind", ["fed", "constant", "folded", "no-op", "nothing"])
def test_a_run_with_nothing_to_compute_says_so(kind):
    x = tf.placeholder(tf.float32, [], name="x")
    fetches = {
        "fed": x,
        "constant": tf.constant(1.0),
        "folded": tf.constant(1.0) + 2.0,
        "no-op": tf.no_op(),
        "nothing": [],
    }
    stepper = Stepper(fetches[kind], {x: 1.0})
    assert len(stepper.snapshots) == 1
    assert stepper._view.words == f"before: no variables\n{NOTHING}"


@pytest.mark.parametrize(
    "value, text",
    [
        (0.5, "0.5"),
        (np.float32(0.10717734), "0.1072"),
        (-2.1149954e07, "-2.115e+07"),
        (np.int64(12345), "12345"),
        (True, "True"),
        ("text", "text"),
        (np.nan, "nan"),
        ([1, 2, 3], "[1, 2, 3]"),
        ([0.25], "[0.25]"),
        ([1, 2, 3, 4], "(4,): 1, ..."),
        (np.ones([10, 1]), "(10, 1): 1, ..."),
        (np.full([2, 3, 4], 1 / 3), "(2, 3, 4): 0.3333, …"),
        ([], "[]"),
        (np.ones([0, 3]), "(0, 3)"),
    ],
)
def test_values_are_said_in_a_few_letters(value, text):
    assert short(value) == text


def test_the_update_of_a_variable_that_is_fed_shows():
    v = tf.Variable(3.0, name="v")
    with tf.Session() as sess:
        sess.run(v.initializer)
        stepper = Stepper([tf.assign_add(v, 1.0), v * 2.0], {v: 5.0}, sess)
        words = stepper._view.words.splitlines()
    assert words[0] == "before: v = 3"
    assert words[-1] == "after: v = 4"


SHAPES = st.sampled_from([(), (3,), (4,), (1, 4), (10, 1), (0,)])


@given(arrays(np.float32, SHAPES, elements=st.floats(width=32)))
def test_a_value_is_short(value):
    assert len(short(value)) <= LONGEST
