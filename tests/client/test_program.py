"""A program runs as a whole, in pieces, step by step and from its printed text, with one result."""

import gc
import linecache
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.arithmetic import calculate
from minitf.client.program import Program
from minitf.client.session import program_of
from minitf.framework.registry import KERNELS
from tests.client.graphs import cases
from tests.client.runs import RAN_WRONG
from tests.support import assert_same, examples, initialized_session


class Ran(NamedTuple):
    """A run that succeeded: its program, what was fed, the state before and after, the values."""

    program: Program
    feeds: dict
    before: dict
    after: dict
    values: list


def copied(values):
    return {key: np.copy(value)[()] for key, value in values.items()}


def ran(case):
    """All runs of a case, until one fails."""
    session = tf.Session(graph=case.graph)
    found = []
    for run in case.runs:
        before = copied(session.state)
        try:
            values = session.run(run.fetches, run.feeds)
        except RAN_WRONG:
            break
        program = program_of(run.fetches, list(run.feeds), case.graph)
        found.append(Ran(program, copied(run.feeds), before, copied(session.state), values))
    return found


def check(run, state, values):
    """The same state and the same values; an operation has none."""
    assert state.keys() == run.after.keys()
    for name, value in run.after.items():
        assert_same(state[name], value, name)
    for actual, expected in zip(values, run.values, strict=True):
        assert (actual is None) == (expected is None)
        if expected is not None:
            assert_same(actual, expected)


def check_printed(run):
    """The printed source is Python that does what the program does."""
    scope = {**KERNELS, **run.program.constants}
    exec(str(run.program), scope)
    state = copied(run.before)
    fed = [run.feeds[tensor] for tensor, _ in run.program.parameters]
    result = calculate(scope["program"], state, *fed)
    values = [result] if len(run.program.results) == 1 else result or [None] * len(run.values)
    check(run, state, values)


def check_traced(run):
    """A trace yields each statement, with its ops and what it gives."""
    program, state, steps = run.program, copied(run.before), {}
    trace = program.trace(state, run.feeds)
    for (statement, ops, value), expected in zip(trace, program.statements, strict=True):
        assert statement is expected
        assert ops == statement.ops
        values = value if len(statement.names) > 1 else [value]
        steps |= zip(statement.names, values, strict=False)
    names = [text.removeprefix("copy(").removesuffix(")") for text in program.results]
    results = zip(names, run.values, strict=True)
    check(run, state, [steps.get(name, value) for name, value in results])


@examples(60)
@given(cases(errors=False), st.integers(1, 3))
def test_a_program_does_the_same_printed_traced_and_in_pieces(case, longest):
    whole = ran(case)
    for run in whole:
        check_printed(run)
        check_traced(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
        pieces = ran(case)
    for run, in_pieces in zip(whole, pieces, strict=True):
        assert str(run.program) == str(in_pieces.program)
        check(run, in_pieces.after, in_pieces.values)


# Traces.


def test_a_traced_value_is_the_value_that_fetching_its_tensor_gives():
    x = tf.placeholder(tf.float64, [3])
    w = tf.Variable(np.array([1.0, 2.0, 3.0]))
    loss = tf.reduce_sum(tf.square(w * x - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    session, feeds = initialized_session(), {x: np.array([0.5, 1.0, 2.0])}
    *steps, (_, _, updated) = program_of([train, loss]).trace(copied(session.state), feeds)
    for statement, ops, value in steps:
        made = [t for op in ops for t in op.outputs if not t.dtype.name.endswith("_ref")]
        last = max(made, key=lambda t: t.op.number)
        assert_same(session.run(last, feeds), value, statement.text, 1e-12)
    assert len(steps) >= 3
    session.run(train, feeds)
    assert_same(updated, session.run(w))


def test_a_traced_update_shows_the_variable_as_it_is_after_it():
    v = tf.Variable(np.array([1.0]), name="scope/v")
    state = {"scope/v": np.array([1.0])}
    ((_, _, value),) = program_of(tf.assign_add(v, [2.0]).op).trace(state)
    assert value.tolist() == [3.0]
    assert not np.shares_memory(value, state["scope/v"])


def test_a_traced_value_stays_as_it_was_when_the_variable_changes():
    v = tf.Variable(np.array([1.0]), name="v")
    steps = list(program_of([tf.assign_add(v, v * 1.0), v]).trace({"v": np.array([1.0])}))
    values = [value.tolist() for _, _, value in steps]
    assert [1.0] in values and [2.0] in values


# The source.


def deep(count):
    """So many statements."""
    y = tf.placeholder(tf.float64, [2], name="x")
    for _ in range(count):
        y = tf.sin(y)
    return y


@pytest.mark.parametrize("longest", [2, 2_000])
def test_every_statement_is_found_by_its_line(monkeypatch, longest):
    monkeypatch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
    program = program_of(deep(10))
    source = linecache.getlines(program.filename)
    found = {number: program.statement_at(number) for number in range(1, 200)}
    assert [s for s in found.values() if s] == program.statements
    for number, statement in found.items():
        assert not statement or source[number - 1].strip() == statement.text


def test_linecache_knows_the_source_as_long_as_the_program_lives():
    program = program_of(deep(2))
    filename = program.filename
    assert any(program.statements[0].text in line for line in linecache.getlines(filename))
    del program
    gc.collect()
    assert not linecache.getlines(filename)


def test_a_program_shows_its_text():
    shown = tf.program(tf.placeholder(tf.float32, [2], name="x") * 2.0)
    assert str(shown) == repr(shown) == "def program(state, x):\n    mul = x * 2.0\n    return mul"


def test_a_program_without_statements_is_python_too():
    scope = {}
    exec(str(program_of(tf.no_op())), scope)
    assert scope["program"]({}) is None
