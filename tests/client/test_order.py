"""First what waits for no update, then the updates by rank, then what waits for them; and none is lost."""

from __future__ import annotations

import functools
import itertools

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.order import all_ops, execution_order
from tests.client import interpreter
from tests.client.graphs import cases
from tests.support import examples, in_new_graph, initialized_session


def names(*fetches: object) -> list[str]:
    return [op.name for op in all_ops(execution_order([getattr(f, "op", f) for f in fetches], set()))]


@examples(120)
@given(cases())
def test_the_order_is_the_one_that_the_plain_rule_gives(case):
    for run in case.runs:
        elements = [getattr(f, "_as_graph_element", lambda f=f: f)() for f in run.fetches]
        fed = set(run.feeds)
        targets = [getattr(e, "op", e) for e in elements if e not in fed]
        targets = [e if isinstance(e, tf.Operation) else e.op for e in elements if e not in fed]
        assert all_ops(execution_order(targets, fed)) == interpreter.order(elements, fed)


def test_what_waits_for_no_update_runs_first_though_made_last():
    v = tf.Variable(1.0, name="v")
    update = tf.assign_add(v, 1.0, name="update")
    late = tf.multiply(v, 2.0, name="late")
    order = names(update, late)
    assert order.index("late") < order.index("update")


def test_the_order_of_the_fetches_changes_nothing():
    v = tf.Variable(1.0)
    first = tf.assign(v, v * 2.0, name="first")
    second = tf.assign_add(v, 1.0, name="second")
    for fetches in ([first, second], [second, first]):
        order = names(*fetches)
        assert order.index("first") < order.index("second")
        session = initialized_session()
        assert session.run([f.op for f in fetches] + [v])[-1] == 3.0


def test_an_update_runs_before_other_ops_that_wait_for_an_earlier_one():
    v = tf.Variable(1.0)
    first = tf.assign_add(v, 1.0, name="first")
    with tf.control_dependencies([first]):
        waits = tf.identity(v, name="waits")
    second = tf.assign_add(v, 1.0, name="second")
    assert names(waits, second)[-1] == "waits"
    assert initialized_session().run([waits, second.op])[0] == 3.0


def test_an_update_that_waits_for_a_read_after_another_update_lets_that_read_go_first():
    v, w = tf.Variable(1.0), tf.Variable(0.0)
    first = tf.assign_add(v, 1.0)
    with tf.control_dependencies([first]):
        seen = v + 0.0
    copy = tf.assign(w, seen)
    second = tf.assign_add(v, 10.0)
    session = initialized_session()
    session.run([copy.op, second.op])
    assert session.run([v, w]) == [12.0, 2.0]


def updates_of(v, data):
    """Draw updates of `v`; return what to run, with some of the values they store, and each as a function."""
    run, functions = [], []
    for _ in range(data.draw(st.integers(2, 4))):
        factor, term = data.draw(st.sampled_from([(2, 0), (3, 1), (1, 5), (0, 7)]))
        if factor == 1:
            run.append(tf.assign_add(v, float(term)).op)
        elif factor == 0:
            run.append(tf.assign(v, float(term)).op)
        else:
            value = v * float(factor) + float(term)
            run += [value] * data.draw(st.booleans()) + [tf.assign(v, value).op]
            run += [value + 1.0] * data.draw(st.booleans())
        functions.append(lambda x, factor=factor, term=term: x * factor + term)
    return data.draw(st.permutations(run)), functions


@examples(150)
@given(st.data())
@in_new_graph
def test_no_update_is_lost(data):
    v = tf.Variable(1.0)
    run, functions = updates_of(v, data)
    session = initialized_session()
    session.run(run)
    possible = set()
    for order in itertools.permutations(functions):
        possible.add(functools.reduce(lambda x, update: update(x), order, 1.0))
    assert session.run(v) in possible


@examples(30)
@given(st.permutations(range(5)))
@in_new_graph
def test_control_dependencies_order_updates_against_the_order_they_were_made(permutation):
    v = tf.Variable(0)
    updates = {}
    previous = None
    for i in permutation:
        with tf.control_dependencies([previous] if previous is not None else []):
            previous = updates[i] = tf.assign(v, v * 10 + i + 1)
    session = initialized_session()
    found = session.run([v, *updates.values()])
    assert set(found) == {int("".join(str(i + 1) for i in permutation))}


def test_what_is_not_needed_does_not_run():
    v = tf.Variable(0)
    tf.assign_add(v, 1)
    needed = v + 1
    session = initialized_session()
    assert session.run(needed) == 1
    assert session.run(v) == 0
