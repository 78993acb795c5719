"""`with control_dependencies`: what a new op waits for, and what it need not wait for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, in_new_graph


def waits_for(op):
    """Everything that runs before `op`, over any number of edges."""
    found = set()
    waiting = [op]
    while waiting:
        op = waiting.pop()
        before = {*op.control_inputs, *(t.op for t in op.inputs)} - found
        found |= before
        waiting += before
    return found


@examples(80)
@given(st.lists(st.tuples(st.sampled_from("open close make chain"), st.integers(0, 9)), max_size=15))
@in_new_graph
def test_whatever_is_made_inside_runs_after_what_the_open_blocks_name(steps):
    made = [tf.placeholder(tf.float32), tf.placeholder(tf.float32)]
    blocks = []
    for kind, number in steps:
        some = made[number % len(made)]
        if kind == "o":
            block = tf.control_dependencies([some])
            block.__enter__()
            blocks.append((some, block))
        elif kind == "c" and blocks:
            blocks.pop()[1].__exit__(None, None, None)
        else:
            made.append(tf.negative(some) if kind == "m" else tf.negative(made[-1]))
            named = {before.op for before, _ in blocks}
            assert named - {some.op} <= waits_for(made[-1].op) | {made[-1].op}
            assert len(set(made[-1].op.control_inputs)) == len(made[-1].op.control_inputs)
    while blocks:
        blocks.pop()[1].__exit__(None, None, None)
    assert tf.negative(made[0]).op.control_inputs == []


def test_an_op_does_not_wait_again_for_what_its_inputs_wait_for():
    a = tf.placeholder(tf.float32)
    with tf.control_dependencies([a]):
        first = tf.placeholder(tf.float32)
        second = tf.negative(first)
    assert first.op.control_inputs == [a.op]
    assert second.op.control_inputs == []


def test_a_block_ends_even_after_an_error():
    a = tf.placeholder(tf.float32)
    with pytest.raises(ZeroDivisionError), tf.control_dependencies([a]):
        raise ZeroDivisionError
    assert tf.no_op().control_inputs == []
