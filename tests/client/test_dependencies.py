"""What an op reads, changes and waits for; and which reads race an update."""

import pytest

import minitf as tf
from minitf.client.dependencies import (
    all_before,
    changes,
    computed_from,
    held_by,
    initializes,
    may_read,
    ordered,
    races,
    reads,
    reads_for,
    restores,
    trains,
    waits_for,
)
from minitf.client.session import program_of


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


@pytest.fixture
def v():
    return tf.Variable(1.0, name="v")


def test_what_hands_on_a_variable_does_not_read_it(v):
    for handed in (tf.identity(v), tf.stop_gradient(v), tf.identity(tf.identity(v))):
        used = handed + 1
        assert held_by(handed) is v.op
        assert reads(handed.op) == may_read(handed.op) == []
        assert reads(used.op) == may_read(used.op) == [v.op]
        assert held_by(used) is None


def test_a_reshape_reads_in_minitf_alone(v):
    shaped = tf.reshape(v, [1])
    assert reads(shaped.op) == [v.op]
    assert may_read(shaped.op) == []
    assert held_by(shaped) is v.op


def test_an_update_reads_what_it_stores_and_not_what_it_changes(v):
    w = tf.Variable(2.0)
    update = tf.assign(v, w)
    assert reads(update.op) == [w.op]
    assert changes(update.op) == [v.op]
    assert held_by(update) is v.op
    assert changes((v + 1).op) == []


def test_an_optimizer_changes_its_slots(v):
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(v**2)
    [update] = [op for op in all_before(train) if trains(op)]
    assert [op.name for op in changes(update)] == ["v", "v/Momentum"]


def test_what_gives_a_first_value_or_a_stored_one_does_not_train(v):
    tf.train.Saver()
    ops = v.graph.get_operations()
    assert [op.name for op in ops if initializes(op)] == ["v/Assign"]
    assert [op.type for op in ops if restores(op)] == ["Assign"]
    assert not any(trains(op) for op in ops)


def test_a_result_does_not_come_from_what_an_update_stored(v):
    stored = v + 1
    after = tf.assign(v, stored) * 2
    assert stored.op in all_before(after.op) and stored.op not in computed_from(after)
    assert computed_from(3) == computed_from(None) == []


def test_control_inputs_and_loops_make_a_path(v):
    with tf.control_dependencies([v + 1]):
        later = tf.no_op()
    assert waits_for(later, v.op) and not waits_for(later, later)
    turns, total = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * v), (0, 1.0))
    product = v.graph.get_operation_by_name("while/mul")
    assert waits_for(total.op, product) and waits_for(turns.op, product)


def raced(*fetches):
    """Return where a fetch of this run races."""
    return [race.place for race in races(program_of(fetches).ops, fetches)]


def test_a_read_without_a_path_races(v):
    update = tf.assign_add(v, 1.0)
    for read in (v, v + 0, tf.identity(v)):
        assert raced(update.op, read) == [1]
    assert raced(v + 0, update) == [0]
    assert raced(update) == raced(v + 0) == []


def test_a_path_in_either_direction_ends_the_race(v):
    with tf.control_dependencies([before := v + 0]):
        update = tf.assign_add(v, 1.0)
    with tf.control_dependencies([update]):
        after = v + 0
    assert raced(update.op, before, after) == []


def test_the_variable_itself_is_read_last_whatever_waits_for_its_op(v):
    with tf.control_dependencies([handed := tf.identity(v)]):
        update = tf.assign_add(v, 1.0)
    assert raced(update.op, handed) == [1]


def test_a_graph_orders_a_read_and_an_update_as_a_run_does(v):
    handed = tf.identity(v)
    with tf.control_dependencies([before := v + 0, handed]):
        update = tf.assign_add(v, 1.0)
    with tf.control_dependencies([update]):
        after = v + 0
    has_path = {before: True, after: True, update: True, handed: False, v: False, v + 0: False}
    for fetch, wanted in has_path.items():
        [read] = reads_for(fetch)
        assert ordered(read, update.op) is wanted
