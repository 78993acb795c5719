"""A program runs as a whole, in pieces, step by step and from its printed text, with one result."""

from __future__ import annotations

import ast
import gc
import linecache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.arithmetic import calculate
from minitf.client.program import Program
from minitf.client.session import program_of
from minitf.framework.operation import Tensor
from minitf.framework.registry import KERNELS
from tests.client.graphs import Case, Run, cases
from tests.client.runs import RAN_WRONG
from tests.support import assert_same, examples, initialized_session


def copied(state: dict[str, Any]) -> dict[str, Any]:
    return {name: np.copy(value)[()] for name, value in state.items()}


def compiled_runs(case: Case) -> list[tuple[Run, Program, dict, dict, list]]:
    """Of each run that succeeds: the run, its program, the state before and after, the values."""
    session = tf.Session(graph=case.graph)
    found = []
    for run in case.runs:
        before = copied(session.state)
        try:
            values = session.run(run.fetches, run.feeds)
        except RAN_WRONG:
            break
        program = program_of(run.fetches, list(run.feeds), case.graph)
        found.append((run, program, before, copied(session.state), values))
    return found


def check_states(actual: dict, expected: dict) -> None:
    assert actual.keys() == expected.keys()
    for name, value in expected.items():
        assert_same(actual[name], value, name)


def check_results(program: Program, result: Any, values: list) -> None:
    results = [result] if len(program.results) == 1 else list(result or [None] * len(values))
    for a, e in zip(results, values, strict=True):
        if e is None:
            assert a is None  # an operation has no value
        else:
            assert_same(a, e)


@examples(120)
@given(cases(errors=False))
def test_the_printed_source_is_python_that_does_what_the_program_does(case):
    for run, program, before, after, values in compiled_runs(case):
        scope: dict[str, Any] = {**KERNELS, **program.constants}
        ast.parse(str(program))
        exec(str(program), scope)
        feeds = [np.copy(run.feeds[t])[()] for t, _ in program.parameters]
        state = copied(before)
        result = calculate(scope["program"], state, *feeds)
        check_states(state, after)
        check_results(program, result, values)


@examples(120)
@given(cases(errors=False), st.integers(1, 3))
def test_a_program_in_pieces_does_what_the_whole_one_does(case, longest):
    whole = compiled_runs(case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
        pieces = compiled_runs(case)
    assert len(whole) == len(pieces)
    for (_, one, _, state, values), (_, other, _, other_state, other_values) in zip(whole, pieces, strict=True):
        assert str(one) == str(other)
        check_states(other_state, state)
        for a, e in zip(other_values, values, strict=True):
            assert (a is None) == (e is None)
            if e is not None:
                assert_same(a, e)


@examples(120)
@given(cases(errors=False))
def test_a_trace_yields_each_statement_with_its_ops_and_value(case):
    for run, program, before, after, values in compiled_runs(case):
        state, steps = copied(before), {}
        feeds = {t: np.copy(v)[()] for t, v in run.feeds.items()}
        for (statement, ops, value), expected in zip(program.trace(state, feeds), program.statements, strict=True):
            assert statement is expected
            assert ops == statement.ops
            values_of_names = value if len(statement.names) > 1 else [value]
            steps |= dict(zip(statement.names, values_of_names, strict=False))
        check_states(state, after)
        for text, value in zip(program.results, values, strict=True):
            name = text.removeprefix("copy(").removesuffix(")")
            if name in steps:
                assert_same(steps[name], value, text)


def test_a_traced_value_is_the_value_that_fetching_its_tensor_gives():
    x = tf.placeholder(tf.float64, [3])
    w = tf.Variable(np.array([1.0, 2.0, 3.0]), name="w")
    loss = tf.reduce_sum(tf.square(w * x - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    session = initialized_session()
    feeds = {x: np.array([0.5, 1.0, 2.0])}
    program = program_of([train, loss])
    seen = 0
    for statement, ops, value in program.trace(copied(session.state), feeds):
        made = [t for op in ops for t in op.outputs if not t.dtype.name.endswith("_ref")]
        if statement.names and made:
            last = max(made, key=lambda t: t.op.number)
            assert_same(session.run(last, feeds), value, statement.text, 1e-12)
            seen += 1
    assert seen >= 3
    *_, (_, _, last_value) = program.trace(copied(session.state), feeds)
    session.run(train, feeds)
    assert_same(last_value, session.run(w))


def test_a_traced_update_shows_the_variable_as_it_is_after_it():
    v = tf.Variable(np.array([1.0]), name="scope/v")
    add = tf.assign_add(v, [2.0])
    state = {"scope/v": np.array([1.0])}
    values = [value for statement, _, value in program_of(add.op).trace(state) if not statement.names]
    assert [value.tolist() for value in values] == [[3.0]]
    assert not np.shares_memory(values[0], state["scope/v"])


def test_a_traced_value_stays_as_it_was_when_the_variable_changes():
    v = tf.Variable(np.array([1.0]), name="v")
    add = tf.assign_add(v, v * 1.0)
    steps = list(program_of([add, v]).trace({"v": np.array([1.0])}))
    values = [step[2].tolist() for step in steps]
    assert [1.0] in values and [2.0] in values


def deep(count: int) -> Tensor:
    y = tf.placeholder(tf.float64, [2], name="x")
    for _ in range(count):
        y = tf.sin(y) + 1.0
    return y


def test_a_program_of_more_than_2_000_statements_runs():
    y = deep(2_100)
    program = program_of(y)
    assert len(program.statements) > 2_000
    ((x, _),) = program.parameters
    expected = np.array([1.0, 2.0])
    for _ in range(2_100):
        expected = np.sin(expected) + 1.0
    assert_same(tf.Session().run(y, {x: [1.0, 2.0]}), expected)


@pytest.mark.parametrize("longest", [2, 2_000])
def test_every_statement_is_found_by_its_line(monkeypatch, longest):
    monkeypatch.setattr("minitf.client.program.LONGEST_FUNCTION", longest)
    program = program_of(deep(5))
    text = linecache.getlines(program.filename)
    found = [program.statement_at(i) for i in range(1, 200)]
    assert [s for s in found if s] == program.statements
    for number, statement in enumerate(found, 1):
        if statement and text:
            assert text[number - 1].strip() == statement.text


def test_linecache_knows_the_source_as_long_as_the_program_lives():
    program = program_of(deep(2))
    filename = program.filename
    assert any(program.statements[0].text in line for line in linecache.getlines(filename))
    del program
    gc.collect()
    assert not linecache.getlines(filename)


def test_the_shown_program_is_printed_and_returned(capsys):
    y = tf.placeholder(tf.float32, [2], name="x") * 2.0
    shown = tf.program(y)
    assert capsys.readouterr().out == f"{shown}\n"
    assert str(shown) == "def program(state, x):\n    mul = x * 2.0\n    return mul"


def test_a_program_without_statements_is_python_too():
    scope: dict[str, Any] = dict(KERNELS)
    exec(str(program_of(tf.no_op())), scope)
    assert scope["program"]({}) is None
