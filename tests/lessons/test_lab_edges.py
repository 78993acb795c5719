"""The edge switch shows what minitf and TensorFlow do; the check of lesson 07 knows order from luck."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import EdgeSwitch, check_before_and_after, recorded
from lab.ordering import all_before, is_variable, reads_of, updates_of, waits_for
from lab.read_and_update import COUNTED, MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, build
from lab.scene import Arrow, Box, Text


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
    with tf.Graph().as_default():
        yield


@pytest.fixture
def clock():
    return tf.Variable(0, trainable=False, name="clock")


# The order of two operations.


def test_a_path_may_carry_values_or_order(clock):
    add = tf.assign_add(clock, 1).op
    by_value = tf.add(add.outputs[0], 0).op
    with tf.control_dependencies([add]):
        by_control = tf.no_op()
    assert waits_for(by_value, add) and waits_for(by_control, add)
    assert not waits_for(add, by_value) and not waits_for(add, add)
    assert not waits_for(by_control, by_value)
    assert {add, clock.op} <= set(all_before(by_control))


def test_an_identity_is_no_read(clock):
    named = tf.identity(clock)
    total = tf.add(named, 0)
    assert is_variable(named, clock) and is_variable(clock, clock)
    assert not is_variable(total, clock)
    assert reads_of(clock, named.op) == []
    assert reads_of(clock, tf.square(total).op) == [total.op]


def test_a_read_is_what_the_value_comes_from_not_what_comes_before(clock):
    before = clock + 0
    with tf.control_dependencies([before]):
        update = tf.assign(clock, before + 1)
    with tf.control_dependencies([update]):
        after = clock + 0
    assert reads_of(clock, after.op) == [after.op]
    through = tf.add(update, 0)
    assert reads_of(clock, through.op) == [through.op]
    assert updates_of(clock, all_before(after.op)) == [update.op]
    assert updates_of(tf.Variable(0), all_before(after.op)) == []


# The edge switch.


@pytest.mark.parametrize("choice, which", [(READ_WAITS, "new"), (UPDATE_WAITS, "old")])
def test_an_edge_orders_here_as_in_tensorflow(choice, which):
    built = build(choice)
    later, earlier = {"new": (built.read, built.update), "old": (built.update, built.read)}[which]
    assert waits_for(later, earlier) and earlier in later.control_inputs
    assert built.edge == (earlier, later)
    assert built.runs(3) == [(n, n + (which == "new")) for n in range(3)]
    assert recorded("race")["cases"][COUNTED[choice]][which] == recorded("race")["runs"]


@pytest.mark.parametrize("choice", [NO_EDGE, MISSED])
def test_without_a_path_there_is_a_race(choice):
    built = build(choice)
    assert not waits_for(built.read, built.update) and not waits_for(built.update, built.read)
    assert built.runs(2) == [(0, 0), (1, 1)]
    case = recorded("race")["cases"][COUNTED[choice]]
    assert case["old"] and case["new"]


@pytest.mark.parametrize("choice", COUNTED)
def test_the_picture_shows_program_runs_and_edge(choice):
    explorer = EdgeSwitch()
    explorer.edge.value = choice
    shapes = explorer.picture().shapes
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    statements = [statement.text for statement in build(choice).program.statements]
    assert [text for text in texts if text in statements] == statements
    assert "the read" in texts and "the update" in texts
    marked = [shape for shape in shapes if isinstance(shape, Arrow) and shape.kind == "now"]
    assert len(marked) == texts.count("the edge") == (choice != NO_EDGE)
    assert all(arrow.dashed for arrow in marked)
    assert f"{1 if choice == READ_WAITS else 0}, {'new' if choice == READ_WAITS else 'old'}" in texts
    case = recorded("race")["cases"][COUNTED[choice]]
    assert f"old {case['old']}, new {case['new']}." in explorer.words


@pytest.mark.parametrize("choice", COUNTED)
def test_nothing_lies_outside_of_the_picture(choice):
    explorer = EdgeSwitch()
    explorer.edge.value = choice
    explorer.runs.value = explorer.runs.max
    scene = explorer.picture()
    assert (scene.width, scene.height) == (EdgeSwitch().picture().width, EdgeSwitch().picture().height)
    for box in (shape for shape in scene.shapes if isinstance(shape, Box)):
        assert box.x > 0 and box.x + box.width < scene.width
        assert box.y > 0 and box.y + box.height < scene.height


# The check.


def ordered(clock, before=None, one=1):
    before = clock + 0 if before is None else before
    with tf.control_dependencies([before]):
        tick = tf.assign_add(clock, one)
    with tf.control_dependencies([tick]):
        return tick, before, clock + 0


def test_a_right_answer_is_right_again_and_stays_as_it_is(clock):
    answer = ordered(clock)
    before = len(tf.get_default_graph().get_operations())
    assert check_before_and_after(clock, *answer) and check_before_and_after(clock, *answer)
    assert len(tf.get_default_graph().get_operations()) == before


def by_values(clock):
    before = clock + 0
    tick = tf.assign(clock, before + 1)
    return tick, before, tick + 0


def by_a_group(clock):
    before = tf.cast(clock, tf.int64)
    with tf.control_dependencies([before]):
        tick = tf.group(clock.assign_add(1))
        with tf.control_dependencies([tick]):
            return tick, before, tf.identity(clock)


def by_a_train_op(clock):
    before = tf.identity(tf.identity(clock) * 1)
    loss = tf.Variable(1.0) ** 2
    with tf.control_dependencies([before]):
        tick = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=clock)
    with tf.control_dependencies([tick]):
        return tick, before, clock.read_value()


def by_the_update_itself(clock):
    tick, before, _ = ordered(clock)
    return tick, before, tick


@pytest.mark.parametrize("way", [by_values, by_a_group, by_a_train_op, by_the_update_itself])
def test_there_are_several_right_ways(way, clock):
    verdict = check_before_and_after(clock, *way(clock))
    assert verdict, verdict.message


def test_the_clock_may_start_anywhere():
    clock = tf.Variable(10)
    assert "before: 10, 11, 12; after: 11, 12, 13." in repr(check_before_and_after(clock, *ordered(clock)))


@pytest.mark.parametrize(
    "change, words",
    [
        ({"clock": 0}, "`clock` has to be a Variable"),
        ({"tick": None}, "`tick` has to be what tf.assign_add returns"),
        ({"tick": tf.no_op}, "`tick` has to be what tf.assign_add returns"),
        ({"before": [1]}, "`before` is list"),
        ({"after": None}, "`after` is NoneType"),
    ],
)
def test_answers_of_another_kind_are_named(change, words, clock):
    tick, before, after = ordered(clock)
    parts = {"clock": clock, "tick": tick, "before": before, "after": after} | change
    assert words in check_before_and_after(**parts).message


def test_odd_tensors_are_named(clock):
    tick, before, after = ordered(clock)

    def said(**change):
        parts = {"clock": clock, "tick": tick, "before": before, "after": after} | change
        return check_before_and_after(**parts).message

    assert "`tick` does not change `clock`" in said(tick=before)
    assert "`before` is an operation without a value" in said(before=tick.op)
    assert "`before` waits for `tick`" in said(before=tick)
    assert "`before` does not read `clock`" in said(before=tf.constant(0))
    assert "`after` does not read `clock`" in said(after=tf.constant(1))
    assert "`before` waits for `tick`" in said(before=after)
    with tf.Graph().as_default():
        assert "different graphs" in said(after=tf.constant(1))
        assert "different graphs" in said(clock=tf.Variable(0))


def test_a_run_that_fails_is_told(clock):
    tick, before, after = ordered(clock, before=clock + tf.placeholder(tf.int32, [], name="p"))
    message = check_before_and_after(clock, tick, before, after).message
    assert message.startswith("This does not run: You must feed a value for placeholder tensor 'p'")


def test_a_clock_of_several_numbers_is_no_error():
    clock = tf.Variable([0, 0])
    assert not check_before_and_after(clock, *ordered(clock, one=[1, 1]))
    clock = tf.Variable(0)
    assert not check_before_and_after(clock, *ordered(clock, before=clock + [0, 0]))
