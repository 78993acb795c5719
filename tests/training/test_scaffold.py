"""Scaffolds and session creators: pieces from the graph's collections, and what goes wrong at the start."""

import pytest

import minitf as tf


def test_two_items_in_a_collection_are_one_too_many():
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver(allow_empty=True))
    with pytest.raises(RuntimeError, match='More than one item in the collection "savers".*Scaffold.saver=item'):
        tf.train.Scaffold().finalize()


def test_summaries_of_the_graph_are_merged_once():
    tf.summary.scalar("a", 1.0)
    first = tf.train.Scaffold().finalize()
    assert first.summary_op is tf.train.Scaffold().finalize().summary_op
    assert tf.get_collection(tf.GraphKeys.SUMMARY_OP) == [first.summary_op]


def test_variables_that_depend_on_each_other_are_ready():
    v = tf.get_variable("v", initializer=2.0)
    w = tf.get_variable("w", initializer=v.initialized_value() * 3)
    local = tf.get_local_variable("local", initializer=w.initialized_value() + 1)
    with tf.train.MonitoredSession() as session:
        assert session.run([v, w, local]) == [2.0, 6.0, 7.0]


def test_an_init_fn_is_bound_to_the_scaffold_that_runs_it():
    seen = []
    one = tf.train.Scaffold(init_fn=lambda scaffold, session: seen.append(scaffold))
    two = tf.train.Scaffold(copy_from_scaffold=one)
    one.init_fn(None)
    two.init_fn(None)
    assert seen == [one, two]


def test_a_variable_without_a_value_is_named():
    tf.get_variable("forgotten", [])
    scaffold = tf.train.Scaffold(init_op=tf.no_op(name="nothing"))
    with pytest.raises(RuntimeError, match="Init op: nothing, .*Variables not initialized: forgotten"):
        tf.train.SingularMonitoredSession(scaffold=scaffold)
