"""The table of ops, and the text of expressions."""

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf import extras
from minitf.framework.registry import ATOM, KERNELS, OPS, Code, atom, expression, infix, prefix
from tests.client.interpreter import interpret
from tests.client.plain_ops import OF_INPUTS, OF_OP
from tests.client.plain_order import UPDATES
from tests.ops.samples import SAMPLES
from tests.support import assert_same, examples, in_new_graph

extras.load_all()

# The interpreter runs these by its own rules.
BY_ITSELF = {"NoOp", "Placeholder", "VariableV2", "IsVariableInitialized", "InitializedValue", "Assert", "Merge"}
KNOWN = BY_ITSELF | UPDATES | OF_INPUTS.keys() | OF_OP.keys()
# These it leaves out: transcripts show what they give.
NUMBERS = """
    ArgMin BitwiseAnd BitwiseOr BitwiseXor Ceil Conj Invert IsInf IsNan LogicalAnd LogicalNot LogicalOr Rint Round
    Conv2D Conv2DBackpropInput Conv2DBackpropFilter MaxPool MaxPoolGrad AvgPool AvgPoolGrad LRN LRNGrad Einsum Diag
    DiagPart MatrixBandPart TopKV2 InTopKV2 Orthogonal Qr BroadcastGradientArgs ConcatOffset DynamicStitch ScatterNd
"""
RANDOM = """
    RandomUniformInt RandomStandardNormal TruncatedNormal RandomShuffle Multinomial UniformCandidateSampler
    LogUniformCandidateSampler
"""
LOOPS = """
    Switch Enter NextIteration LoopCond Exit ZerosLike EmptyTensorList TensorListPushBack TensorListPopBack
    TensorListFromTensor TensorListStack PyFunc
"""
MESSAGES = "ScalarSummary HistogramSummary ImageSummary TensorSummaryV2 MergeSummary"
# These belong to TensorFlow's savers and never run.
SAVERS = "SaveV2 RestoreV2 MergeV2Checkpoints ShardedFilename StringJoin StaticRegexFullMatch"
LEFT_OUT = {op_type for names in (NUMBERS, RANDOM, LOOPS, MESSAGES, SAVERS) for op_type in names.split()}


@pytest.mark.parametrize("op_type", OPS)
def test_every_op_is_known_to_the_interpreter_that_programs_are_compared_with(op_type):
    words = "tests/client/plain_ops.py doesn't say what it gives, in OF_INPUTS, or in RULES if it is an optimizer's"
    assert op_type in KNOWN | LEFT_OUT, words


@pytest.mark.parametrize("op_type", [op_type for op_type in SAMPLES if op_type in KNOWN])
@examples(5)
@given(st.data())
@in_new_graph
def test_an_op_gives_what_the_interpreter_says(op_type, data):
    sample = data.draw(SAMPLES[op_type])
    fed = {tf.placeholder(value.dtype): value for value in sample.inputs}
    inputs = [tf.constant(value) if i in sample.fixed else x for i, (x, value) in enumerate(fed.items())]
    y = sample.build(inputs)
    (expected,) = interpret({}, [y], fed)
    assert_same(tf.Session().run(y, fed), expected, op_type, 1e-6)


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


def written(tree):
    """The expression with the parentheses that the registry thinks needed."""
    if isinstance(tree, str):
        return tree
    if tree[0] == "negative":
        return prefix("-", written(tree[1]))
    if tree[0] == "T":
        return f"{atom(written(tree[1]))}.T"
    return infix(tree[0], written(tree[1]), written(tree[2]))


def in_full(tree):
    """The expression with parentheses around everything."""
    if isinstance(tree, str):
        return tree
    if tree[0] == "negative":
        return f"(-{in_full(tree[1])})"
    if tree[0] == "T":
        return f"({in_full(tree[1])}).T"
    return f"({in_full(tree[1])} {tree[0]} {in_full(tree[2])})"


@examples(150)
@given(EXPRESSIONS)
def test_an_expression_has_all_the_parentheses_it_needs(tree):
    assert ast.dump(ast.parse(str(written(tree)))) == ast.dump(ast.parse(in_full(tree)))


# What an op of code with arguments in it may be without saying so, that is, without parentheses around it.
ATOMS = (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.List, ast.Tuple)


@pytest.mark.parametrize("op_type", SAMPLES)
@examples(10)
@given(st.data())
@in_new_graph
def test_the_code_of_an_op_has_all_the_parentheses_it_needs(op_type, data):
    sample = data.draw(SAMPLES[op_type])
    op = sample.build([tf.constant(value) for value in sample.inputs]).op
    if op.type != op_type:
        return
    arguments = []
    for i, tensor in enumerate(op.inputs):
        value = op.inputs[i].op.attrs.get("value")
        is_fixed = i in sample.fixed or i >= len(sample.inputs)
        code = Code(f"c{i}", constant=value) if is_fixed else infix("-", f"p{i}", f"q{i}")
        arguments.append(Code(code.text, code.binds, code.constant, tensor.shape))
    found = expression(op, arguments)
    tree = ast.parse(str(found), mode="eval").body
    assert (found.binds == ATOM) == isinstance(tree, ATOMS)
    for i in range(len(arguments)):
        named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == f"p{i}"]
        whole = [node for node in ast.walk(tree) if ast.unparse(node) == f"p{i} - q{i}"]
        assert len(named) == len(whole)
