"""micro.py, the file that lesson 16 builds, agrees with TensorFlow's recorded numbers, with minitf, and with itself."""

from __future__ import annotations

import numpy as np
import pytest
from build import micro
from hypothesis import assume, given
from hypothesis import strategies as st

import minitf

DATA = np.linspace(1, 2, 10).reshape(10, 1)
POSTS = """0.107177 1, 0.11487 2, 0.123114 3, 0.131951 4, 0.141421 5,
0.151572 6, 0.16245 7, 0.17411 8, 0.186607 9, 0.2 10"""


@pytest.fixture(autouse=True)
def empty():
    """Start and end with empty graphs."""
    micro.graph.clear()
    minitf.reset_default_graph()
    yield
    micro.graph.clear()
    minitf.reset_default_graph()


def experiment(tf, counted=True):
    """Run the posts' script; return its ten lines, its train op, and w at the end."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(0.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2, staircase=False)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize((w * x - y) ** 2, step if counted else None)
    sess = tf.Session()
    lines = []
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train_op, {x: DATA, y: DATA})
        lines.append("{:.6g} {:g}".format(*sess.run([rate, step])))
    return lines, train_op, sess.run(w)


# The posts' experiment.


def test_it_prints_the_ten_lines_of_the_posts():
    lines, _, w = experiment(micro)
    assert lines == POSTS.replace("\n", " ").split(", ")
    assert w.dtype == np.float32
    assert abs(w / -21_149_954 - 1) < 1e-6  # TensorFlow's; float32 has seven digits


def test_without_the_step_rate_and_step_stand_still():
    lines, train_op, w = experiment(micro, counted=False)
    assert lines == ["0.1 0"] * 10
    assert abs(w / -485_692.56 - 1) < 1e-6
    assert train_op.name == "NoOp"
    assert [node.name for node in train_op.control_inputs] == ["AssignSub"]


def test_the_train_op_is_the_plus_one():
    _, train_op, _ = experiment(micro)
    assert train_op.name == "AssignAdd"
    assert [node.name for node in train_op.control_inputs] == ["AssignSub"]


# What minitf does as well.


def agree(build):
    """Build with either library, fetch what `build` returns, and compare."""
    results = []
    for tf in (micro, minitf):
        fetches = build(tf)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        results.append(sess.run(fetches))
    for a, b in zip(*results, strict=True):
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5)


SHAPES = [(), (1,), (3,), (2, 1), (2, 3), (1, 3), (2, 1, 3)]
PLACES = st.integers(0, 9)
OPERATIONS = {
    "add": lambda tf, a, b: a + b,
    "radd": lambda tf, a, b: 0.5 + a,
    "sub": lambda tf, a, b: a - b,
    "rsub": lambda tf, a, b: 1.5 - a,
    "mul": lambda tf, a, b: a * b,
    "rmul": lambda tf, a, b: np.float32(0.7) * a,
    "div": lambda tf, a, b: a / (b**2 + 1.0),
    "rdiv": lambda tf, a, b: 2.0 / (a**2 + 1.0),
    "pow": lambda tf, a, b: a**3,
    "root": lambda tf, a, b: (a**2 + 1.0) ** 0.5,
    "twice": lambda tf, a, b: a * a,
}


def values_of(shape, seed):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def grow(tf, shapes, steps):
    """Build Variables of these shapes, then a Node for each step; return the Variables and the last Node."""
    weights = [tf.Variable(values_of(shape, seed)) for seed, shape in enumerate(shapes)]
    made = list(weights)
    for name, left, right in steps:
        made.append(OPERATIONS[name](tf, made[left % len(made)], made[right % len(made)]))
    return weights, made[-1]


graphs = st.tuples(
    st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3),
    st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), PLACES, PLACES), min_size=1, max_size=5),
)


def fits(steps, shapes):
    """Say whether all shapes broadcast, and whether nothing grows beyond what float32 can compare."""
    weights, last = grow(micro, shapes, steps)
    sess = micro.Session()
    sess.run([weight.initializer for weight in weights])
    try:
        return np.abs(sess.run(last)).max() < 1e3
    except ValueError:  # these do not broadcast
        return False


@given(graphs)
def test_values_and_gradients_are_minitf_s(graph):
    shapes, steps = graph
    assume(fits(steps, shapes))

    def build(tf):
        weights, y = grow(tf, shapes, steps)
        found = tf.gradients(y, weights)
        return [y, *(d if d is not None else tf.constant(-123.0) for d in found)]

    micro.graph.clear()
    minitf.reset_default_graph()
    agree(build)


def test_an_exponent_may_be_a_node_but_has_no_gradient():
    def build(tf):
        a = tf.Variable([0.5, 2.0])
        b = tf.Variable([[1.5], [-1.0]])
        return [a**b, 2.0**b]

    agree(build)
    w = micro.Variable(3.0)
    assert micro.gradients(2.0**w, [w]) == [None]


def test_gradients_of_gradients():
    def build(tf):
        w = tf.Variable([0.5, 2.0])
        y = (w * tf.constant([[1.0], [3.0]]) - 1.0) ** 3 / w
        first = tf.gradients(y, [w])
        return [*first, *tf.gradients(first[0], [w])]

    agree(build)


@pytest.mark.parametrize("staircase", [False, True])
def test_training_two_weights_is_minitf_s(staircase):
    def build(tf):
        w = tf.Variable(0.5, name="w")
        b = tf.Variable([1.0, -1.0], name="b")
        step = tf.Variable(3, trainable=False)
        rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=staircase)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize((w * b - 1.0) ** 2, step)
        with tf.control_dependencies([train_op]):
            return [w + 0.0, b + 0.0, step + 0, rate]

    agree(build)


@given(st.lists(st.sampled_from(["c", "C", "c_1", "c_1_1", "w", "C_1"]), max_size=9))
def test_names_are_minitf_s(asked):
    micro.graph.clear()
    minitf.reset_default_graph()
    named = [micro.constant(1, name=name).name for name in asked]
    assert named == [minitf.constant(1, name=name).op.name for name in asked]


# Runs.


def test_a_missing_value_ends_in_the_words_of_minitf():
    said = []
    for tf in (micro, minitf):
        x = tf.placeholder(tf.float32, name="x")
        w = tf.Variable(0.0, name="w")
        for fetch in (x * 2.0, w * 2.0, w):
            with pytest.raises((RuntimeError, tf.errors.OpError) if tf is minitf else RuntimeError) as error:
                tf.Session().run(fetch)
            said.append(str(error.value).splitlines()[0])
    for ours, theirs in zip(said[:3], said[3:], strict=True):
        assert theirs.startswith(ours)


def test_a_variable_is_looked_up_when_it_is_used():
    w = micro.Variable(0.0)
    before = w + 0
    add_one = w.assign_add(1)
    with micro.control_dependencies([add_one]):
        after = w + 0
    sess = micro.Session()
    sess.run(w.initializer)
    assert sess.run([before, add_one, after, w]) == [0, 1, 1, 1]
    assert sess.run([w, after]) == [2, 2]  # fetches are read last


def test_each_session_has_its_own_state_and_nothing_returned_is_part_of_it():
    w = micro.Variable([1.0, 2.0])
    first = micro.Session()
    second = micro.Session()
    first.run(w.initializer)
    first.run(w)[:] = 7
    assert first.run(w).tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="uninitialized value Variable"):
        second.run(w)


def test_constants_and_variables_are_copies():
    given_array = np.ones(2, np.float32)
    constant = micro.constant(given_array)
    w = micro.Variable(given_array)
    sess = micro.Session()
    sess.run(w.initializer)
    given_array[:] = 7
    assert sess.run(constant).tolist() == [1, 1]
    assert sess.run(w).tolist() == [1, 1]


def test_every_node_can_be_fed_and_what_is_behind_it_does_not_run():
    x = micro.placeholder(micro.float32)
    double = x * 2
    assert micro.Session().run(double + 1, {double: 10}) == 11


def test_a_node_used_twice_runs_once():
    step = micro.Variable(0, trainable=False)
    one = step.assign_add(1)
    sess = micro.Session()
    sess.run(step.initializer)
    assert sess.run(one * one) == 1
    assert sess.run(step) == 1


def test_an_error_inside_of_control_dependencies_leaves_nothing_behind():
    with pytest.raises(KeyError), micro.control_dependencies([micro.constant(1)]):
        raise KeyError
    assert micro.waiting_for == []
    assert micro.constant(1).control_inputs == []


def test_unused_and_frozen_variables_stay():
    w = micro.Variable(1.0)
    unused = micro.Variable(1.0)
    frozen = micro.Variable(1.0, trainable=False)
    train_op = micro.train.GradientDescentOptimizer(0.1).minimize(w * frozen)
    sess = micro.Session()
    sess.run(micro.global_variables_initializer())
    sess.run(train_op)
    assert np.allclose(sess.run([w, unused, frozen]), [0.9, 1, 1])
