"""The program that is compiled: its text, its names, what is credited to its statements, when it is made."""

import ast
import keyword
import linecache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client import session as client
from minitf.client.session import program_of
from minitf.framework.registry import KERNELS, OPS
from tests.client.graphs import cases
from tests.support import assert_same, examples, in_new_graph, initialized_session

# The text.


def experiment(with_step):
    """Gradient descent with a decaying rate, with and without counting the steps."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(tf.constant([[0.0]]), name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2.0)
    loss = tf.pow(tf.matmul(x, w) - y, 2)
    optimizer = tf.train.GradientDescentOptimizer(rate)
    return optimizer.minimize(loss, global_step=step if with_step else None)


def test_the_programs_with_and_without_global_step_differ_in_one_statement():
    texts = []
    for with_step in (True, False):
        with tf.Graph().as_default():
            texts.append([s.text for s in program_of(experiment(with_step)).statements])
    assert texts[0] == [*texts[1], 'state["global_step"] += 1']
    assert len(texts[0]) <= 10  # as short as one written by hand


def test_constants_are_folded_with_all_that_follows_from_them():
    c = tf.exp(tf.constant(0.0)) * 2.0 + 1.0
    assert program_of(c).statements == []
    assert tf.Session().run(c) == 3.0


def test_work_that_shapes_prove_idle_is_dropped():
    x, y = (tf.placeholder(tf.float32, [2, 3]) for _ in range(2))
    text = str(program_of(tf.gradients(tf.reduce_sum(x * y), [x, y])))
    for word in ("unbroadcast", "full", "unreduce", "reshape", "shape_of"):
        assert word not in text


def test_the_same_work_is_done_once_however_deep():
    x = tf.placeholder(tf.float32, [], name="x")
    first, second = (tf.cos(tf.sin(x) * 2.0) + 1.0 for _ in range(2))
    code = str(program_of([first, second]))
    assert [code.count(word) for word in ("sin(", "cos(", "+ 1.0")] == [1, 1, 1]


def test_the_arrays_in_between_are_freed_as_soon_as_they_are_read():
    y = tf.placeholder(tf.float32, [None])
    for _ in range(4):
        y = tf.sin(y) + y
    program = program_of(y)
    assert "del " in "".join(linecache.getlines(program.filename))


def test_a_value_from_before_an_update_is_not_written_into_a_statement_after_it():
    v = tf.Variable(np.array([1.0, 2.0]))
    tf.placeholder(tf.float64, name="call")
    with tf.name_scope("call/"):
        before = v * 2.0
        with tf.control_dependencies([tf.assign_add(v, [10.0, 10.0])]):
            after = before + 1.0
            inlined = tf.square(tf.exp(v * 0.0) + 1.0)
    session = initialized_session()
    assert session.run(after).tolist() == [3.0, 5.0]
    assert session.run(inlined).tolist() == [4.0, 4.0]
    assert len(program_of(inlined).statements) <= 3


# What is not believed.


def test_what_is_fed_is_neither_folded_nor_shared():
    c = tf.constant(2.0)
    twice, more = c * 3.0, c * 3.0
    session = tf.Session()
    assert session.run([twice, more]) == [6.0, 6.0]
    assert session.run([twice, more], {c: 1.0}) == [3.0, 3.0]
    assert session.run([twice, more, twice + more], {twice: 1.0}) == [1.0, 6.0, 7.0]


@pytest.mark.parametrize("shape", [[None, 1], None])
def test_the_same_unknown_length_in_two_placeholders_is_two_lengths(shape):
    x = tf.placeholder(tf.float32, [None, 1])
    y = tf.placeholder(tf.float32, shape)
    y.set_shape(x.shape)
    gradients = tf.gradients(tf.reduce_sum(x * y), y)
    feeds = {x: np.ones((3, 1)), y: np.ones((1, 1))}
    (value,) = tf.Session().run(gradients, feeds)
    assert_same(value, np.array([[3]], np.float32))


BETWEEN = [tf.identity, tf.log, lambda t: t * 1.0, lambda t: tf.reshape(t, tf.shape(t))]


@pytest.mark.parametrize("between", BETWEEN)
def test_a_broken_promise_about_a_shape_is_not_believed(between):
    x = tf.placeholder(tf.float32)
    promised = tf.identity(x)
    promised.set_shape([3])
    total = tf.reduce_sum(tf.exp(between(promised)))  # of axis 0, as far as the graph knows
    assert tf.Session().run(total, {x: np.ones((2, 3))}).shape == (3,)


def test_a_changed_shape_of_a_variable_is_not_believed():
    v = tf.Variable(np.ones(3))
    total, shape = tf.reduce_sum(v * 1.0), tf.shape(v)
    double = tf.add_n([v, v]) * tf.ones_like(v)
    session = initialized_session()
    same = tf.assign(v, np.ones(3))
    session.run(tf.assign(same, np.ones((2, 3)), validate_shape=False))
    assert session.run(total).tolist() == [2, 2, 2]
    assert session.run(shape).tolist() == [2, 3]
    assert session.run(double).shape == (2, 3)


# Names.

AWKWARD = ["add", "sum", "class", "state", "values", "float32", "x/y", "1.5", "program", "None"]
AWKWARD += ["True", "is", "exp", "matmul", "copy", "array", "where", "x.y", "x-y", "x_y", "X_Y", "lambda"]
AWKWARD += ["self", "_", "np", "int", "del", "a0", "inf", "nan", "print", "len", "match", "a\\b"]
AWKWARD += ["s/_part_0", "s/__builtins__", "s/_", "s/state", "s/1", "s/None", "d_x", "s/d_x", "x_1", "range"]


def ops_named(name):
    """A placeholder, a variable, and more, all of this name, if TensorFlow takes it."""
    p = tf.placeholder(tf.float64, [None], name=name)
    v = tf.Variable(np.array([1.0, 2.0]), name=name)
    y = tf.multiply(tf.sin(p), v, name=name)
    update = tf.assign_add(v, tf.exp(p, name=name), name=name)
    return p, v, [y, update, *tf.gradients(tf.square(y, name=name), p, name=name)]


SOME_NAMES = st.lists(st.sampled_from(AWKWARD), min_size=2, max_size=8, unique=True)


@examples(40)
@given(SOME_NAMES, st.sampled_from([1, 2, 2000]))
@in_new_graph
def test_no_name_of_an_op_collides_with_anything(names, longest):
    feeds, variables, fetches = {}, [], []
    for name in names:
        try:
            p, v, made = ops_named(name)
        except ValueError:
            continue
        feeds[p] = np.array([1.0, 2.0])
        variables.append(v)
        fetches += [v, *made]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
        session = initialized_session()
        session.run(fetches, feeds)
        compiled = program_of(fetches, list(feeds))
    for value in session.run(variables):
        assert_same(value, [1.0, 2.0] + np.exp([1.0, 2.0]), tolerance=1e-12)
    tree = ast.parse(str(compiled))
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assigned = {node.id for node in used if isinstance(node.ctx, ast.Store)}
    assigned |= {name for _, name in compiled.parameters}
    assert not assigned & {*KERNELS, *keyword.kwlist, "state"}
    state = {v.op.name: np.ones(2) for v in variables}
    assert len(list(compiled.trace(state, feeds))) == len(compiled.statements)


# Any program.


def check_names(program):
    """Each name is assigned once."""
    names = [n for s in program.statements for n in s.names]
    names += [name for _, name in program.parameters] + list(program.constants)
    assert len(names) == len(set(names))


def check_credits(program):
    """Every op with an effect is credited to its statement."""
    credited = [op for s in program.statements for op in s.ops]
    assert set(credited) <= {*program.ops, *(t.op for t, _ in program.parameters)}
    for op in program.ops:
        if OPS[op.type].updates:
            own = [s.text for s in program.statements if op in s.ops]
            assert credited.count(op) == len(own)
            assert op.control.block is not None or any('state["' in text for text in own)
            assert own[1:] == [] or "Apply" in op.type  # an optimizer's rule has several lines


@examples(60)
@given(cases(errors=False))
def test_a_program_is_compiled_alike_again_names_values_once_and_credits_all_effects(case):
    for run in case.runs:
        first, again = (program_of(run.fetches, list(run.feeds), case.graph) for _ in range(2))
        assert str(first) == str(again)
        check_names(first)
        check_credits(first)


def test_every_op_of_the_experiment_is_credited():
    program = program_of(experiment(True))
    credited = {op for s in program.statements for op in s.ops}
    assert {op.type for op in program.ops if op not in credited} <= {"Placeholder"}


def test_a_statement_is_credited_with_what_was_inlined_folded_and_shared():
    x = tf.placeholder(tf.float32, [3], name="x")
    with tf.name_scope("loss"):
        a = tf.multiply(x, tf.constant(2.0, name="two") + 1.0, name="a")
        b = tf.multiply(x, 3.0, name="b")
        c = tf.add(a, b, name="c")
    credited = {op.name for s in program_of(c).statements for op in s.ops}
    assert {"loss/a", "loss/b", "loss/c", "loss/two", "loss/add"} <= credited


# When it is compiled.


@pytest.fixture
def compilations(monkeypatch):
    """A list that grows by one with each compilation of a session."""
    made, real = [], client.compile_program

    def counted(*args):
        made.append(args)
        return real(*args)

    monkeypatch.setattr(client, "compile_program", counted)
    return made


def test_running_again_does_not_compile_again(compilations):
    x = tf.placeholder(tf.float32)
    y = x * 2.0
    session = tf.Session()
    for i in range(5):
        session.run(y, {x: float(i)})
        session.run([y, {"a": y}], {x: np.ones(i)})
    assert len(compilations) == 2


def test_adding_ops_elsewhere_does_not_compile_again(compilations):
    x = tf.placeholder(tf.float32)
    y = x * 2.0
    session = tf.Session()
    for _ in range(3):
        session.run(y, {x: 1.0})
        tf.gradients(y + 1.0, x)
        tf.identity(x).set_shape([3])
        tf.assign(tf.Variable([1.0]), [1.0, 2.0], validate_shape=False)
    assert len(compilations) == 1


def test_a_promise_about_the_shape_of_a_used_op_compiles_again(compilations):
    x = tf.placeholder(tf.float32)
    y = x * 2.0
    z = y + 1.0
    session = tf.Session()
    session.run(z, {x: np.ones(3)})
    for tensor in (y, z, x):
        tensor.set_shape([3])
        session.run(z, {x: np.ones(3)})
    assert len(compilations) == 4
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        session.run(z, {x: np.ones(2)})


def test_letting_the_shape_of_a_used_variable_change_compiles_again(compilations):
    v = tf.Variable(np.ones(3))
    total = tf.reduce_sum(v)
    session = initialized_session()
    before = len(compilations)
    session.run(total)
    session.run(tf.assign(v, np.ones((2, 3)), validate_shape=False))
    assert session.run(total).tolist() == [2, 2, 2]
    assert len(compilations) == before + 3


def test_other_feeds_are_another_program(compilations):
    x = tf.constant(1.0)
    y = x * 2.0
    session = tf.Session()
    found = [session.run(y, feeds) for feeds in ({}, {x: 3.0}, {y: 5.0}, {})]
    assert found == [2.0, 6.0, 5.0, 2.0]
    assert len(compilations) == 3


# Size.


@pytest.mark.parametrize("count", [4_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_a_long_chain_builds_differentiates_and_runs(count):
    x = tf.Variable(0.5)
    y = tf.identity(x)
    expected, expected_slope = 0.5, 1.0
    for _ in range(count):
        y = tf.sin(y)
        expected, expected_slope = np.sin(expected), expected_slope * np.cos(expected)
    value, slope = initialized_session().run([y, *tf.gradients(y, x)])
    assert np.allclose(value, expected, rtol=1e-3)
    assert np.allclose(slope, expected_slope, rtol=1e-2, atol=1e-6)


def test_a_long_chain_of_updates_runs_in_order():
    v = tf.Variable(0)
    update = tf.no_op()
    for i in range(1_200):  # more than the calls that Python nests
        with tf.control_dependencies([update]):
            update = tf.assign_add(v, 1) if i % 2 else tf.assign(v, v * 2 - v)
    session = initialized_session()
    session.run(update.op)
    assert session.run(v) == 600
