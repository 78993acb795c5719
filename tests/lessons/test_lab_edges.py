"""The order shuffler runs what the edges allow."""

from __future__ import annotations

import itertools

import pytest

import minitf as tf
from lab import recorded
from lab.experiments.ordering import all_before, is_variable, reads_of, updates_of, waits_for
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, build


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
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
    assert waits_for(by_value, add)
    assert waits_for(by_control, add)
    assert not waits_for(add, by_value)
    assert not waits_for(add, add)
    assert not waits_for(by_control, by_value)
    assert {add, clock.op} <= set(all_before(by_control))


def test_an_identity_is_no_read(clock):
    named = tf.identity(clock)
    total = tf.add(named, 0)
    assert is_variable(named, clock)
    assert is_variable(clock, clock)
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


# The order shuffler.

# Of each choice: its name in the file of TensorFlow's counted answers, its orders, and those that give the new value.
CHOICES = {
    NO_EDGE: ("sum", 6, 3),
    READ_WAITS: ("read_waits", 3, 3),
    UPDATE_WAITS: ("update_waits", 3, 0),
    MISSED: ("made_outside", 6, 3),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_every_valid_order_is_found_once(choice):
    built, (_, count, _) = build(choice), CHOICES[choice]
    orders = built.orders
    assert len({tuple(order) for order in orders}) == len(orders) == count
    for order in itertools.permutations(orders[0]):
        valid = not any(waits_for(a, b) for a, b in itertools.combinations(order, 2))
        assert (list(order) in orders) == valid
    assert orders[0] == [op for op in built.ops if op.type != "VariableV2"]


@pytest.mark.parametrize("choice", CHOICES)
def test_minitf_fetches_the_same_if_an_order_is_forced(choice):
    built = build(choice)
    for order in built.orders:
        with tf.Graph().as_default(), tf.Session() as sess:
            step = tf.Variable(0)
            w = tf.Variable(5.0)
            made = {}
            before = []
            for op in order:
                with tf.control_dependencies(before):
                    if op.name == "step/read":
                        continue  # made with the Variable: its place is free, for it copies nothing
                    if op.name == "update_w":
                        made[op.name] = tf.assign_sub(w, 1.0)
                    if op.name == "add_one":
                        made[op.name] = tf.assign_add(step, 1)
                    if op.name == "seen":
                        made[op.name] = tf.add(step, 0)
                    if op.name == "late":
                        made[op.name] = tf.add(made["seen"], 0)
                before = [made[op.name]]
            sess.run(tf.global_variables_initializer())
            _, got = sess.run([made["add_one"], made[built.fetched.op.name]])
            assert got == built.fetches(order)


@pytest.mark.parametrize("choice", CHOICES)
def test_tensorflow_gives_the_values_that_valid_orders_give(choice):
    built, (name, count, new) = build(choice), CHOICES[choice]
    assert sum(map(built.fetches, built.orders)) == new
    case = recorded("race")["cases"][name]
    runs = recorded("race")["runs"]
    assert bool(case["new"]) == bool(new)
    assert bool(case["old"]) == (new < count)
    assert case["old"] + case["new"] == runs
    with tf.Session(graph=built.fetched.graph) as sess:  # minitf takes the first of them
        sess.run(tf.global_variables_initializer())
        assert sess.run([built.update, built.fetched])[1] == built.fetches(built.orders[0])
