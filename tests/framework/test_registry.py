"""The table of ops, and the text of expressions."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minitf.framework.registry import KERNELS, OPS, atom, infix, prefix
from tests.client.interpreter import FUNCTIONS, UPDATES
from tests.support import examples

WITHOUT_VALUE = {"NoOp", "Placeholder", "VariableV2", "IsVariableInitialized", "InitializedValue"}

WITHOUT_VALUE |= {"RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal"}
WITHOUT_VALUE |= {"RandomShuffle", "PyFunc", "Assert", "Switch", "Merge", "Enter", "NextIteration", "LoopCond", "Exit"}
# Their values are messages, which tests/summary reads.
WITHOUT_VALUE |= {"ScalarSummary", "HistogramSummary", "TensorSummaryV2", "MergeSummary"}


@pytest.mark.parametrize("op_type", OPS)
def test_every_op_is_known_to_the_interpreter_that_programs_are_compared_with(op_type):
    assert op_type in FUNCTIONS.keys() | UPDATES | WITHOUT_VALUE


@pytest.mark.parametrize("op_type", OPS)
def test_an_op_is_entered_under_its_own_type_with_all_its_rules(op_type):
    definition = OPS[op_type]
    assert definition.type == op_type
    assert callable(definition.infer)
    assert callable(definition.gradient)
    if definition.updates:
        assert definition.stateful
        assert definition.inputs[0][1] == "ref"


def test_kernels_are_functions_or_numbers_with_names_that_python_allows():
    for name, kernel in KERNELS.items():
        assert name.isidentifier()
        assert callable(kernel) or isinstance(kernel, float) or kernel is np.s_


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "<", ">=", "=="]
EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "c"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(OPERATORS), inner, inner),
        st.tuples(st.just("negative"), inner),
        st.tuples(st.just("T"), inner),
    ),
    max_leaves=6,
)


def written(tree: object) -> str:
    """The expression with the parentheses that the registry thinks needed."""
    if isinstance(tree, str):
        return tree
    if tree[0] == "negative":
        return prefix("-", written(tree[1]))
    if tree[0] == "T":
        return f"{atom(written(tree[1]))}.T"
    return infix(tree[0], written(tree[1]), written(tree[2]))


def in_full(tree: object) -> str:
    """The expression with parentheses around everything."""
    if isinstance(tree, str):
        return tree
    if tree[0] == "negative":
        return f"(-{in_full(tree[1])})"
    if tree[0] == "T":
        return f"({in_full(tree[1])}).T"
    return f"({in_full(tree[1])} {tree[0]} {in_full(tree[2])})"


@examples(300)
@given(EXPRESSIONS)
def test_an_expression_has_all_the_parentheses_it_needs(tree):
    assert ast.dump(ast.parse(written(tree))) == ast.dump(ast.parse(in_full(tree)))
