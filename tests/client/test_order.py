"""First what waits for no update, then the updates by rank, then what waits for them; and none is lost."""

import functools
import itertools

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.order import all_ops, execution_order
from tests.client import plain_order
from tests.client.graphs import cases
from tests.client.runs import elements
from tests.support import examples, in_new_graph, initialized_session


@examples(60)
@given(cases())
def test_the_order_is_the_one_that_the_plain_rule_gives(case):
    for run in case.runs:
        fetches, fed = elements(run), set(run.feeds)
        targets = [getattr(f, "op", f) for f in fetches if f not in fed]
        assert all_ops(execution_order(targets, fed)) == plain_order.order(fetches, fed)


def test_what_waits_for_no_update_runs_first_though_made_last():
    v = tf.Variable(1.0)
    update = tf.assign_add(v, 1.0)
    late = tf.multiply(v, 2.0)
    order = all_ops(execution_order([update.op, late.op], set()))
    assert order.index(late.op) < order.index(update.op)


def test_an_update_that_waits_for_a_read_after_another_update_lets_that_read_go_first():
    v, w = tf.Variable(1.0), tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(v, 1.0)]):
        seen = v + 0.0
    copy = tf.assign(w, seen)
    second = tf.assign_add(v, 10.0)
    session = initialized_session()
    session.run([copy.op, second.op])
    assert session.run([v, w]) == [12.0, 2.0]


# Updates of one variable: how each is built, and what it makes of a value. Some values are fetched as well.


def _adding(v, data):
    return [tf.assign_add(v, 5.0).op], lambda x: x + 5


def _replacing(v, data):
    return [tf.assign(v, 7.0).op], lambda x: 7


def _rewriting(v, data):
    factor, term = data.draw(st.sampled_from([(2, 0), (3, 1)]))
    value = v * float(factor) + float(term)
    seen = data.draw(st.sampled_from([[], [value], [value + 1.0]]))
    return [*seen, tf.assign(v, value).op], lambda x: x * factor + term


UPDATES = st.lists(st.sampled_from([_adding, _replacing, _rewriting, _rewriting]), min_size=2, max_size=4)


@examples(75)
@given(UPDATES, st.data())
@in_new_graph
def test_no_update_is_lost(kinds, data):
    v = tf.Variable(1.0)
    run, functions = [], []
    for kind in kinds:
        fetches, function = kind(v, data)
        run += fetches
        functions.append(function)
    session = initialized_session()
    session.run(data.draw(st.permutations(run)))
    orders = itertools.permutations(functions)
    assert session.run(v) in [functools.reduce(lambda x, update: update(x), order, 1.0) for order in orders]
