"""The stepper runs what a session would run, statement by statement, and leaves the session alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import minitf as tf
from lab import Stepper
from lab.experiments.snapshots import LONGEST, short
from lab.explorers.stepper import NOTHING
from minitf.client.session import program_of

DATA = np.linspace(1, 2, 10).reshape(10, 1)


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def experiment():
    """Build the posts' experiment: the train op, its feeds, the rate, the Variables."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(0.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2, name="rate")
    optimizer = tf.train.GradientDescentOptimizer(rate)
    train_op = optimizer.minimize((w * x - y) ** 2, global_step=step)
    return train_op, {x: DATA, y: DATA}, rate, [w, step]


def scalars():
    """Build `w * x - y`."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(3.0, name="w")
    return w * x - y, {x: 2.0, y: 1.0}, w


def pictures(stepper):
    """Return the picture of every snapshot."""
    return [stepper.picture(at) for at in range(len(stepper.snapshots))]


def parts_of(picture):
    """Return the program, the table of variables, and the graph."""
    left, graph = picture.parts
    return *left["parts"], graph


def stored(stepper):
    """Return the words that are stored."""
    return stepper.view().words


# The values.


def test_at_the_end_there_is_what_run_gives():
    sub, feeds, w = scalars()
    with tf.Session() as sess:
        sess.run(w.initializer)
        last = Stepper(sub, feeds, sess).snapshots[-1]
        assert last.value == sess.run(sub, feeds)
    assert last.values == {"x": "2", "y": "1", "w": "3", "mul": "6", "sub": "5"}
    assert last.variables == {"w": "3"}


@given(
    st.lists(st.sampled_from([tf.add, tf.subtract, tf.multiply, tf.maximum]), min_size=1, max_size=6),
    st.lists(st.floats(-10, 10, width=32, allow_subnormal=False), min_size=3, max_size=3),
    st.data(),
)
def test_whatever_is_built_ends_with_what_run_gives(functions, numbers, data):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        w = tf.Variable(numbers[1])
        made = [x, w + 0.0, tf.constant(numbers[2])]
        for function in functions:
            pair = [data.draw(st.sampled_from(made)) for _ in range(2)]
            made.append(function(*pair))
        sess.run(w.initializer)
        stepper = Stepper(made[-1], {x: numbers[0]}, sess)
        result = short(sess.run(made[-1], {x: numbers[0]}))
        if len(stepper.snapshots) > 1:
            assert short(stepper.snapshots[-1].value) == result
        assert stepper.snapshots[-1].variables in ({}, {w.op.name: short(sess.run(w))})


def test_runs_of_a_train_op_end_as_in_a_session():
    train_op, feeds, rate, variables = experiment()
    stepper = Stepper(train_op, feeds, runs=2)
    with tf.Session() as sess:
        sess.run([variable.initializer for variable in variables])
        sess.run(train_op, feeds)
        second_rate = sess.run(rate)
        sess.run(train_op, feeds)
        held = {v.op.name: short(sess.run(v)) for v in variables}
    assert stepper.snapshots[-1].variables == held
    assert stepper.snapshots[-1].values["rate"] == short(second_rate) == "0.1072"


def test_the_session_keeps_what_it_holds():
    train_op, feeds, _, variables = experiment()
    with tf.Session() as sess:
        sess.run([variable.initializer for variable in variables])
        sess.run(train_op, feeds)
        before = {name: np.copy(value) for name, value in sess.state.items()}
        first = Stepper(train_op, feeds, sess, runs=3)
        assert sess.state.keys() == before.keys()
        assert all(np.array_equal(sess.state[name], before[name]) for name in before)
        sess.run(train_op, feeds)
        after_one = first.snapshots[len(program_of(train_op, feeds).statements)]
        assert after_one.variables == {v.op.name: short(sess.run(v)) for v in variables}


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


def test_the_errors_of_a_run_are_those_of_the_session():
    sub, feeds, w = scalars()
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
        Stepper(sub)
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        Stepper(sub, dict.fromkeys(feeds, [1.0]))
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value w"):
            Stepper(sub, feeds, sess)
        initializing = Stepper(w.initializer, session=sess)
        assert [m.variables for m in initializing.snapshots] == [{}, {"w": "3"}]
        assert initializing.snapshots[-1].changed == {"w"}
        assert sess.state == {}


# The snapshots.


def test_a_changed_variable_is_marked_and_named():
    train_op, feeds, *_ = experiment()
    stepper = Stepper(train_op, feeds, runs=2)
    for snapshot, picture in zip(stepper.snapshots, pictures(stepper), strict=True):
        text = snapshot.statement.text if snapshot.statement else ""
        changed = {name for name in snapshot.variables if text.startswith(f'state["{name}"]')}
        assert snapshot.changed == changed
        _, held, graph = parts_of(picture)
        rows = {name["text"]: (value["text"], value["kind"]) for name, value in held["rows"]}
        kinds = {name: "now" if name in changed else "plain" for name in snapshot.variables}
        assert rows == {name: (value, kinds[name]) for name, value in snapshot.variables.items()}
        assert [n["kind"] for n in graph["nodes"]].count("now") == (snapshot.statement is not None)
        assert ("It changes" in picture.words) == bool(changed)
    assert pictures(stepper)[-1].words.endswith("It changes global_step.")


def test_a_change_too_small_to_print_is_a_change():
    w = tf.Variable(3.0, name="w")
    snapshot = Stepper(tf.assign_add(w, 1e-6).op).snapshots[-1]
    assert (snapshot.variables, snapshot.changed) == ({"w": "3"}, {"w"})


@pytest.mark.parametrize("value, added", [(3.0, 0.0), (np.nan, 0.0)])
def test_an_update_that_changes_nothing_marks_nothing(value, added):
    w = tf.Variable(value, name="w")
    assert Stepper(tf.assign_add(w, added).op).snapshots[-1].changed == frozenset()


# The words and pictures.


def test_nothing_moves_but_the_marks():
    w = tf.Variable(3.0, name="w")
    many = [tf.Variable(float(n)) for n in range(9)]
    with tf.Session() as sess:
        fetches = [w.initializer, [variable.initializer for variable in many]]
        steppers = [Stepper(fetch, session=sess) for fetch in fetches]
    train_op, feeds, *_ = experiment()
    steppers.append(Stepper(train_op, feeds, runs=2))
    for stepper in steppers:
        places = set()
        for program, held, graph in map(parts_of, pictures(stepper)):
            boxes = tuple((n["x"], n["y"], n["width"], n["height"]) for n in graph["nodes"])
            places.add((len(program["lines"]), len(held["rows"]), graph["width"], graph["height"], boxes))
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
    assert [picture.words for picture in pictures(stepper)] == [NOTHING]
    assert stored(stepper) == f"before: no variables\n{NOTHING}"


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
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(3.0, name="v")
        sess.run(v.initializer)
        stepper = Stepper([tf.assign_add(v, 1.0), v * 2.0], {v: 5.0}, sess)
        assert stored(stepper).startswith("before: v = 3")
        assert stored(stepper).endswith("after: v = 4")


def test_an_error_is_the_sessions_own():
    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
        with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
            Stepper(x + y, {x: [1.0, 2.0, 3.0], y: [1.0, 2.0]})


SHAPES = st.sampled_from([(), (3,), (4,), (1, 4), (10, 1), (0,)])


@given(arrays(np.float32, SHAPES, elements=st.floats(width=32)))
def test_a_value_is_short(value):
    assert len(short(value)) <= LONGEST
