"""The stepper runs what a session would run, statement by statement, and leaves the session alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import minitf as tf
from lab import Stepper
from lab.drawing.run_graph import DETAIL, text_width
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


@pytest.mark.parametrize("runs", [1, 2])
def test_each_statement_shows_once_in_a_run(runs):
    train_op, feeds, *_ = experiment()
    statements = program_of(train_op, feeds).statements
    stepper = Stepper(train_op, feeds, runs=runs)
    first, *rest = stepper.snapshots
    assert first.statement is None
    assert [m.statement.text for m in rest] == [s.text for s in statements] * runs
    for at, snapshot in enumerate(rest):
        run, place = divmod(at, len(statements))
        assert (snapshot.run, len(snapshot.done)) == (run + 1, place)
    for picture, snapshot in zip(pictures(stepper)[1:], rest, strict=True):
        now = [line["text"] for line in parts_of(picture)[0]["lines"] if line["kind"] == "now"]
        assert now == [f"    {snapshot.statement.text}"]


def test_statements_to_come_are_pale():
    sub, feeds, _ = scalars()
    lines = [parts_of(picture)[0]["lines"] for picture in pictures(Stepper(sub, feeds))]
    assert {tuple(line["text"] for line in each) for each in lines} == {
        ("def program(state, x, y):", *(f"    {s.text}" for s in program_of(sub, feeds).statements))
    }
    kinds = [[line["kind"] for line in each[1:]] for each in lines]
    assert kinds == [["off"] * 3] + [["plain"] * at + ["now"] + ["off"] * (2 - at) for at in range(3)]


def test_nodes_light_up_as_they_run_and_show_their_values():
    sub, feeds, _ = scalars()
    lit = [
        {node["label"]: (node["kind"], node["value"]) for node in parts_of(picture)[2]["nodes"]}
        for picture in pictures(Stepper(sub, feeds))
    ]
    fed = {"x": ("done", "2"), "y": ("done", "1")}
    idle = ("plain", "")
    assert lit[0] == {**fed, "w": idle, "w/read": idle, "mul": idle, "sub": idle}
    assert lit[1] == {**fed, "w": ("now", ""), "w/read": ("now", "3"), "mul": idle, "sub": idle}
    read = {"w": ("done", ""), "w/read": ("done", "3")}
    assert lit[2] == {**fed, **read, "mul": ("now", "6"), "sub": idle}
    assert lit[3] == {**fed, **read, "mul": ("done", "6"), "sub": ("now", "5")}


def test_values_flow_along_the_edges_to_what_runs_now():
    train_op, feeds, *_ = experiment()
    for at, picture in enumerate(pictures(Stepper(train_op, feeds))):
        graph = parts_of(picture)[2]
        kinds = [node["kind"] for node in graph["nodes"]]
        assert graph["at"] == at
        for edge in graph["edges"]:
            assert (edge["kind"] == "now") == (kinds[edge["ends"][1]] == "now")


def test_a_line_is_linked_with_its_box_its_values_and_its_variable():
    train_op, feeds, *_ = experiment()
    program, held, graph = parts_of(Stepper(train_op, feeds).picture(3))
    assert program["linked"] and graph["linked"]

    def linked(key):
        boxes = {n["label"] for n in graph["nodes"] if key in n["key"].split()}
        return boxes, {row[0]["text"] for row in held["rows"] if key in row[1]["key"].split()}

    about = {line["text"].strip(): linked(line["key"]) for line in program["lines"]}
    assert about["def program(state, x, y):"] == ({"x", "y"}, set())
    assert about["mul = w * x"] == ({"mul"}, set())
    assert about['w = state["w"]'] == ({"w"}, {"w"})
    assert about['state["w"] -= rate * d_w'] == ({"w -="}, {"w"})
    assert about['state["global_step"] += 1'] == ({"global_step +="}, {"global_step"})


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


def test_the_words_follow_the_statement():
    sub, feeds, _ = scalars()
    stepper = Stepper(sub, feeds)
    said = [picture.words for picture in pictures(stepper)]
    assert said[0] == "Nothing has run yet.\nThe session holds w = 3."
    assert said[1] == 'Statement 1 of 3: w = state["w"]   gives 3\nIt runs w, w/read.'
    assert said[2] == "Statement 2 of 3: mul = w * x   gives 6\nIt runs mul."
    assert stored(stepper) == (
        'before: w = 3\nw = state["w"]  gives 3\nmul = w * x     gives 6\nsub = mul - y   gives 5\nafter: w = 3'
    )


def test_the_words_tell_the_end_of_the_experiments_first_run():
    train_op, feeds, *_ = experiment()
    update, count = (picture.words for picture in pictures(Stepper(train_op, feeds, runs=2))[9:11])
    assert update == (
        'Run 1 of 2, statement 9 of 10: state["w"] -= rate * d_w   gives 4.704\n'
        "It runs GradientDescent/update_w/ApplyGradientDescent. It changes w."
    )
    assert count == (
        'Run 1 of 2, statement 10 of 10: state["global_step"] += 1   gives 1\n'
        "It runs GradientDescent/update, GradientDescent/value, GradientDescent. It changes global_step."
    )


def test_the_words_say_which_run_it_is():
    train_op, feeds, *_ = experiment()
    stepper = Stepper(train_op, feeds, runs=2)
    many = len(program_of(train_op, feeds).statements)
    shown = pictures(stepper)
    assert shown[many].words.startswith(f"Run 1 of 2, statement {many} of {many}: ")
    assert shown[many + 1].words.startswith(f"Run 2 of 2, statement 1 of {many}: ")
    assert parts_of(shown[many + 1])[0]["title"] == "The program, run 2 of 2"
    many = next(picture.words for picture in shown if "d_sub" in picture.words)
    assert many.endswith(" operations.")  # more than four are not all named
    assert parts_of(Stepper(train_op, feeds).picture(1))[0]["title"] == "The program"


def test_what_is_stored_is_the_same_every_time():
    train_op, feeds, *_ = experiment()
    first, second = (Stepper(train_op, feeds).view() for _ in range(2))
    assert (first.data, first.words) == (second.data, second.words)


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


def test_no_value_is_wider_than_its_box():
    train_op, feeds, *_ = experiment()
    for picture in pictures(Stepper(train_op, feeds, runs=2)):
        for node in parts_of(picture)[2]["nodes"]:
            assert text_width(node["value"], DETAIL, mono=True) < node["width"]


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


def test_a_value_that_was_read_stays_when_the_variable_changes():
    with tf.Graph().as_default(), tf.Session() as sess:
        a, old = tf.Variable(1.0, name="a"), tf.Variable(0.0, name="old")
        was = tf.multiply(a, 1.0, name="was")
        with tf.control_dependencies([was]):
            up = tf.assign_add(a, 1.0)
        with tf.control_dependencies([up]):
            keep = tf.assign(old, was)
        sess.run([a.initializer, old.initializer])
        assert stored(Stepper(keep, session=sess)).endswith("after: a = 2, old = 1")


def test_a_text_is_a_value_like_any_other():
    with tf.Graph().as_default():
        v = tf.Variable("a", name="v")
        assert stored(Stepper(tf.assign(v, "b"))).endswith("after: v = 'b'")


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
