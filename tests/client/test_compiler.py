"""The program that is compiled: its text, its names, what is credited to its statements, when it is made."""

import ast
import keyword
import linecache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.session import program_of
from minitf.framework.registry import KERNELS, OPS
from tests.client.graphs import cases
from tests.support import assert_same, examples, in_new_graph, initialized_session


def program(*fetches, feeds=None):
    """The program of the fetches, not printed."""
    return program_of(list(fetches), feeds)


def lines(found):
    """The statements as text."""
    return [statement.text for statement in found.statements]


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
            texts.append(lines(program(experiment(with_step))))
    counting = 'state["global_step"] += 1'
    assert texts[0] == [*texts[1], counting]


def test_a_compiled_program_is_as_short_as_one_written_by_hand():
    assert len(program(experiment(True)).statements) <= 10


@examples(60)
@given(cases(errors=False))
def test_compiling_again_gives_the_same_text(case):
    for run in case.runs:
        texts = {str(program_of(run.fetches, list(run.feeds), case.graph)) for _ in range(2)}
        assert len(texts) == 1


def test_repeated_work_is_done_once():
    x = tf.placeholder(tf.float32, [3])
    assert sum("sin" in line for line in lines(program(tf.sin(x), tf.sin(x) + 1.0))) == 1


def test_constants_are_folded_with_all_that_follows_from_them():
    c = tf.exp(tf.constant(0.0)) * 2.0 + 1.0
    assert lines(program(c)) == []
    assert tf.Session().run(c) == 3.0


def test_work_that_shapes_prove_idle_is_dropped():
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2, 3])
    gradients = tf.gradients(tf.reduce_sum(x * y), [x, y])
    for word in ("unbroadcast", "full", "unreduce", "reshape", "shape_of"):
        assert word not in str(program(*gradients))


def test_the_same_work_is_done_once_however_deep():
    x = tf.placeholder(tf.float32, [], name="x")
    first, second = (tf.cos(tf.sin(x) * 2.0) + 1.0 for _ in range(2))
    code = str(program_of([first, second]))
    assert [code.count(word) for word in ("sin(", "cos(", "+ 1.0")] == [1, 1, 1]


def test_what_is_fed_is_neither_folded_nor_shared():
    c = tf.constant(2.0)
    twice, more = c * 3.0, c * 3.0
    session = tf.Session()
    assert session.run([twice, more]) == [6.0, 6.0]
    assert session.run([twice, more], {c: 1.0}) == [3.0, 3.0]
    assert session.run([twice, more, twice + more], {twice: 1.0}) == [1.0, 6.0, 7.0]


def test_a_fed_shape_decides_the_shape():
    y = tf.placeholder(tf.float32, [2, 3])
    dims = tf.shape(y)
    session = tf.Session()
    value = session.run(tf.reshape(y, dims), {y: np.ones((2, 3)), dims: [3, 2]})
    assert value.shape == (3, 2)
    dims = tf.constant([1, 3])
    filled = tf.fill(dims, 2.0) * tf.ones([1, 3])
    assert session.run(filled, {dims: [2, 3]}).shape == (2, 3)


def test_a_fed_axis_decides_what_is_summed():
    x, axis = tf.placeholder(tf.float32, [2, 2]), tf.constant([0])
    total = tf.reduce_sum(x, axis) * 1.0
    session = tf.Session()
    feeds = {x: [[1, 2], [3, 4]]}
    assert session.run(total, feeds).tolist() == [4.0, 6.0]
    assert session.run(total, {**feeds, axis: [1]}).tolist() == [3.0, 7.0]


def test_the_same_unknown_length_in_two_placeholders_is_two_lengths():
    x = tf.placeholder(tf.float32, [None, 1])
    for y in (tf.placeholder(tf.float32, x.shape), tf.placeholder(tf.float32)):
        y.set_shape(x.shape)
        (gradient,) = tf.gradients(tf.reduce_sum(x * y), y)
        value = tf.Session().run(gradient, {x: np.ones((3, 1)), y: np.ones((1, 1))})
        assert_same(value, np.array([[3]], np.float32))


@pytest.mark.parametrize("between", [tf.identity, lambda t: t * 1.0, lambda t: tf.reshape(t, tf.shape(t)), tf.log])
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
    nested = tf.assign(tf.assign(v, np.ones(3)), np.ones((2, 3)), validate_shape=False)
    session.run(nested)
    assert session.run(total).tolist() == [2, 2, 2]
    assert session.run(shape).tolist() == [2, 3]
    assert session.run(double).shape == (2, 3)


def test_stateful_ops_are_never_shared_or_dropped():
    v = tf.Variable(0)
    both = tf.group(tf.assign_add(v, 1), tf.assign_add(v, 1))
    session = initialized_session()
    session.run(both)
    assert session.run(v) == 2


def test_the_arrays_in_between_are_freed_as_soon_as_they_are_read():
    x = tf.placeholder(tf.float32, [None])
    y = tf.sin(x)
    for _ in range(4):
        y = tf.sin(y) + y
    found = program(y)
    source = "".join(linecache.getlines(found.filename))
    assert len(lines(found)) > 4
    assert "del " in source


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
    assert len(program(inlined).statements) <= 3


# Names.

AWKWARD = ["add", "sum", "class", "state", "values", "float32", "x/y", "1.5", "program", "None"]
AWKWARD += ["True", "is", "exp", "matmul", "copy", "array", "where", "x.y", "x-y", "x_y", "X_Y", "lambda"]
AWKWARD += ["self", "_", "np", "int", "del", "a0", "inf", "nan", "print", "len", "match", "a\\b"]
AWKWARD += ["s/_part_0", "s/__builtins__", "s/_", "s/state", "s/1", "s/None", "d_x", "s/d_x", "x_1", "range"]


@examples(80)
@given(st.lists(st.sampled_from(AWKWARD), min_size=2, max_size=8, unique=True), st.sampled_from([1, 2, 2000]))
@in_new_graph
def test_no_name_of_an_op_collides_with_anything(names, longest):
    placeholders, values, variables = [], [], []
    for i, name in enumerate(names):
        try:
            p = tf.placeholder(tf.float64, [None], name=name)
            v = tf.Variable(np.array([float(i), 2.0]), name=name)
            y = tf.multiply(tf.sin(p), v, name=name)
        except ValueError:
            continue  # TensorFlow takes no such name
        placeholders.append(p)
        variables.append(v)
        values += [y, tf.assign_add(v, tf.exp(p, name=name), name=name)]
        values += tf.gradients(tf.square(y, name=name), p, name=name)
    feeds = {p: np.array([1.0, 2.0]) for p in placeholders}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
        session = initialized_session()
        for _ in range(2):
            session.run([*values, *variables], feeds)
        found = session.run(variables)
        compiled = program(*values, *variables, feeds=list(feeds))
    for i, v in enumerate(found):
        assert_same(v[1], 2.0 + 2 * np.exp(2.0), names[i], 1e-12)
    tree = ast.parse(str(compiled))
    assigned = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    assigned |= {name for _, name in compiled.parameters}
    assert not assigned & {*KERNELS, *keyword.kwlist, "state"}
    state = {v.op.name: np.ones(2) for v in variables}
    for _ in compiled.trace(state, feeds):
        pass
    if placeholders:
        assert set(state) == {v.op.name for v in variables}


@examples(60)
@given(cases())
def test_a_name_is_assigned_once(case):
    for run in case.runs:
        found = compiled_or_none(case, run)
        if found:
            names = [n for s in found.statements for n in s.names]
            names += [name for _, name in found.parameters] + list(found.constants)
            assert len(names) == len(set(names))


def compiled_or_none(case, run):
    """The program, or None where a placeholder is not fed."""
    try:
        return program_of(run.fetches, list(run.feeds), case.graph)
    except tf.errors.InvalidArgumentError:
        return None


# Which ops a statement stands for.


@examples(100)
@given(cases())
def test_every_op_with_an_effect_is_credited_to_its_statement(case):
    for run in case.runs:
        found = compiled_or_none(case, run)
        if not found:
            continue
        credited = [op for s in found.statements for op in s.ops]
        assert set(credited) <= {*found.ops, *(t.op for t, _ in found.parameters)}
        for op in found.ops:
            if OPS[op.type].updates:
                own = [s.text for s in found.statements if op in s.ops]
                assert credited.count(op) == len(own)
                assert op.control.block is not None or any('state["' in text for text in own)
                assert own[1:] == [] or "Apply" in op.type  # an optimizer's rule has several lines


def test_every_op_of_the_experiment_is_credited():
    found = program(experiment(True))
    credited = {op for s in found.statements for op in s.ops}
    missing = {op.name for op in found.ops} - {op.name for op in credited}
    types = {found.graph.get_operation_by_name(name).type for name in missing}
    assert types <= {"Placeholder"}


def test_a_statement_is_credited_with_what_was_inlined_folded_and_shared():
    x = tf.placeholder(tf.float32, [3], name="x")
    with tf.name_scope("loss"):
        a = tf.multiply(x, tf.constant(2.0, name="two") + 1.0, name="a")
        b = tf.multiply(x, 3.0, name="b")
        c = tf.add(a, b, name="c")
    credited = {op.name for s in program(c).statements for op in s.ops}
    assert {"loss/a", "loss/b", "loss/c", "loss/two", "loss/add"} <= credited


# When it is compiled.


@pytest.fixture
def compilations(monkeypatch):
    """A list that grows by one with each compilation of a session."""
    from minitf.client import session

    made = []
    real = session.compile_program

    def counted(*args, **kwargs):
        made.append(args)
        return real(*args, **kwargs)

    monkeypatch.setattr(session, "compile_program", counted)
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
        tf.add(y, 1.0)
        tf.Variable(1.0)
        tf.gradients(y, x)
        tf.identity(x).set_shape([3])
        other = tf.Variable([1.0])
        tf.assign(other, [1.0, 2.0], validate_shape=False)
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
    grow = tf.assign(v, np.ones((2, 3)), validate_shape=False)
    session.run(grow)
    assert session.run(total).tolist() == [2, 2, 2]
    assert len(compilations) == before + 3


def test_other_feeds_are_another_program(compilations):
    x = tf.constant(1.0)
    y = x * 2.0
    session = tf.Session()
    assert session.run(y) == 2.0
    assert session.run(y, {x: 3.0}) == 6.0
    assert session.run(y, {y: 5.0}) == 5.0
    assert session.run(y) == 2.0
    assert len(compilations) == 3


# Size.


def chain(count):
    x = tf.Variable(0.5)
    y = tf.identity(x)
    for _ in range(count):
        y = tf.sin(y)
    (gradient,) = tf.gradients(y, x)
    value, slope = initialized_session().run([y, gradient])
    expected, expected_slope = 0.5, 1.0
    for _ in range(count):
        expected, expected_slope = np.sin(expected), expected_slope * np.cos(expected)
    assert np.allclose(value, expected, rtol=1e-3)
    assert np.allclose(slope, expected_slope, rtol=1e-2, atol=1e-6)


def test_a_chain_of_20_000_ops_builds_differentiates_and_runs():
    chain(20_000)


@pytest.mark.long
def test_a_chain_of_100_000_ops_builds_differentiates_and_runs():
    chain(100_000)


def test_a_long_chain_of_updates_runs_in_order():
    v = tf.Variable(0)
    update = tf.no_op()
    for i in range(2_500):
        with tf.control_dependencies([update]):
            update = tf.assign_add(v, 1) if i % 2 else tf.assign(v, v * 2 - v)
    session = initialized_session()
    session.run(update.op)
    assert session.run(v) == 1_250
