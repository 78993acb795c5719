"""For every differentiable op: random inputs on which its gradient can be compared with differences.

An op that is registered with a gradient needs an entry in `SAMPLES`; the test over the registry says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import minitf as tf
from minitf.framework.common_shapes import MASKS
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor

SHAPES = [(), (1,), (3,), (2, 1), (1, 3), (2, 3)]
PAIRS = [(a, b) for a in SHAPES for b in SHAPES]  # all go together by broadcasting
X, CUBE = (2, 3), (2, 3, 2)
EITHER = [False, True]


@dataclass
class Sample:
    """`op_type` applied to `inputs`; those in `fixed` are no variables of the function."""

    op_type: str
    inputs: list[np.ndarray]
    fixed: tuple[int, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)

    def build(self, tensors: list[Tensor]) -> Tensor:
        """The op on these tensors, which stand for `inputs`."""
        return build_tensor(self.op_type, *tensors, **self.attrs)

    @property
    def variable(self) -> list[int]:
        """Which inputs the gradient is taken for."""
        return [i for i in range(len(self.inputs)) if i not in self.fixed]


def numbers(shape: tuple[int, ...], low: float = -2.0, high: float = 2.0) -> SearchStrategy:
    """Arrays of numbers that differ from each other by far, and from every multiple of 1/2."""
    count = int(np.prod(shape))
    points = np.linspace(low, high, 23)
    points = points[np.abs(points * 2 - np.round(points * 2)) > 0.05]
    picked = st.lists(st.sampled_from(points), min_size=count, max_size=count, unique=True)
    return picked.map(lambda values: np.array(values, np.float64).reshape(shape))


def apart(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether no element of one is near the element of the other that it meets."""
    return bool(np.all(np.abs(a - b) > 0.01))


@st.composite
def of(draw: Any, op_type: str, *inputs: Any, **attrs: Any) -> Sample:
    """The op on random numbers and on what is fixed.

    A tuple is the shape of random numbers; a list or an int is fixed, as int32, and so is an array. Of a list of
    attributes, one is chosen.
    """
    values, fixed = [], []
    for i, given in enumerate(inputs):
        if isinstance(given, tuple):
            values.append(draw(numbers(given)))
        else:
            fixed.append(i)
            values.append(np.array(given, np.int32) if isinstance(given, list | int) else given)
    chosen = {name: draw(st.sampled_from(v)) if isinstance(v, list) else v for name, v in attrs.items()}
    return Sample(op_type, values, tuple(fixed), chosen)


@st.composite
def one_input(draw: Any, op_type: str, low: float = -2.0, high: float = 2.0, **attrs: Any) -> Sample:
    shape = draw(st.sampled_from(SHAPES))
    return Sample(op_type, [draw(numbers(shape, low, high))], attrs=attrs)


@st.composite
def two_inputs(draw: Any, op_type: str, x: tuple[float, float] = (-2, 2), y: tuple[float, float] = (-2, 2)) -> Sample:
    shapes = draw(st.sampled_from(PAIRS))
    first, second = draw(numbers(shapes[0], *x)), draw(numbers(shapes[1], *y))
    second = second if apart(first, second) else second + 0.03
    return Sample(op_type, [first, second])


@st.composite
def remainder(draw: Any) -> Sample:
    """x and y such that x / y is far from a whole number."""
    shapes = draw(st.sampled_from(PAIRS))
    y = draw(numbers(shapes[1], 1.2, 1.8)) * draw(st.sampled_from([1, -1]))
    x = draw(numbers(shapes[0], -4, 4))
    assume(apart(x / y, np.round(x / y)))
    return Sample("FloorMod", [x, y])


@st.composite
def sliding(draw: Any, op_type: str) -> Sample:
    """A convolution or pooling of small pictures, or the gradient of one; its other inputs are what fits."""
    is_pool = "Pool" in op_type
    window = (draw(st.integers(1, 2)), draw(st.integers(1, 3)))
    steps = (1, draw(st.integers(1, 3)), draw(st.integers(1, 2)), 1)
    attrs = {"strides": steps, "padding": draw(st.sampled_from(["SAME", "VALID"])), "data_format": "NHWC"}
    attrs |= {"ksize": (1, *window, 1)} if is_pool else {"dilations": (1, draw(st.integers(1, 2)), 1, 1)}
    x = draw(numbers((1, 3, 4, 1) if is_pool else (1, 3, 3, 1)))
    inputs = [x] if is_pool else [x, draw(numbers((*window, 1, 2)))]
    forward = op_type.removesuffix("Grad").split("Backprop")[0]
    if op_type == forward:
        return Sample(op_type, inputs, attrs=attrs)
    with tf.Graph().as_default(), tf.Session() as session:
        y = session.run(build_tensor(forward, *map(tf.constant, inputs), **attrs))
    dy = np.resize(draw(numbers((7,))), y.shape)
    shapes = [np.array(value.shape, np.int32) for value in inputs]
    if op_type == "AvgPoolGrad":
        return Sample(op_type, [shapes[0], dy], (0,), attrs)
    if op_type == "Conv2DBackpropInput":
        return Sample(op_type, [shapes[0], inputs[1], dy], (0,), attrs)
    return Sample(op_type, [x, shapes[1], dy], (1,), attrs)


SAMPLES: dict[str, SearchStrategy[Sample]] = {}


def sample(op_type: str, *inputs: Any, **attrs: Any) -> None:
    """Add a row to what an op is tried on; `of` says how it is written."""
    row = of(op_type, *inputs, **attrs)
    SAMPLES[op_type] = SAMPLES[op_type] | row if op_type in SAMPLES else row


# Functions of numbers.

ONE_INPUT = ["Identity", "Neg", "Abs", "Sign", "Square", "Exp", "Sin", "Cos", "Tanh"]
ONE_INPUT += ["Expm1", "Atan", "Sinh", "Cosh", "Sigmoid", "Asinh", "Erf"]
ACTIVATIONS = ["Relu", "Relu6", "Elu", "Softplus", "Softsign"]
POSITIVE = ["Sqrt", "Log", "Rsqrt", "Reciprocal", "Log1p"]
BETWEEN_ONES = ["Tan", "Asin", "Acos", "Atanh"]
TWO_INPUTS = ["AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference"]
DIVISIONS = ["RealDiv", "DivNoNan", "MulNoNan"]
SAMPLES |= {
    **{name: one_input(name) for name in ONE_INPUT},
    **{name: one_input(name, -1.9, 7.9) for name in ACTIVATIONS},
    **{name: one_input(name, 0.1, 3) for name in POSITIVE},
    **{name: one_input(name, -0.9, 0.9) for name in BETWEEN_ONES},
    "Acosh": one_input("Acosh", 1.2, 3),
    "L2Loss": one_input("L2Loss"),
    "Cast": one_input("Cast", DstT=tf.float64),
    "Print": one_input("Print", message="shown", summarize=3),
    **{name: two_inputs(name) for name in TWO_INPUTS},
    **{name: two_inputs(name, y=(0.6, 2)) for name in DIVISIONS},
    "Pow": two_inputs("Pow", x=(0.1, 2)),
    "FloorMod": remainder(),
}

# Sums and products.

AXES = [((), []), ((1,), [-1]), ((3,), 0), ((2, 1), [1]), (X, []), (X, -1), (X, [-1, 0]), (CUBE, [0, -1])]
for shape, axes in AXES:
    for name in ["Sum", "Mean", "Prod", "Max", "Min"]:
        sample(name, shape, axes, keep_dims=EITHER)
    whole = np.zeros(shape)
    for keep in EITHER:
        reduced = whole.sum(tuple(np.ravel(axes).astype(int)), keepdims=keep).shape
        sample("Unreduce", reduced, whole, axes, keep_dims=keep)
for count in (1, 2, 3):
    sample("AddN", *[X] * count)
for shape, axis in [((1,), 0), ((3,), -1), (X, 0), (X, -1)]:
    sample("Cumsum", shape, axis, exclusive=EITHER, reverse=EITHER)
for turn_x in EITHER:
    for turn_y in EITHER:
        x, y = (3, 2) if turn_x else (2, 3), (1, 3) if turn_y else (3, 1)
        turns = {"transpose_a": turn_x, "transpose_b": turn_y}
        sample("MatMul", x, y, **turns)
        sample("BatchMatMulV2", (2, *x), (2, *y), **turns)
        sample("BatchMatMulV2", x, (2, *y), **turns)
        sample("BatchMatMulV2", (2, *x), (2, 1, *y), **turns)
EINSUMS = {  # sums, outer products, diagonals, batches, and one that is repeated
    "ij,jk->ik": [X, (3, 2)],
    "ij->ji": [X],
    "ij->": [X],
    "ij,k->ik": [X, (2,)],
    "ii->i": [(2, 2)],
    "ii,i->": [(2, 2), (2,)],
    "...ij,...jk->...ik": [(1, 1, 2), (2, 2, 1)],
    "ij...,jk->k...i": [CUBE, (3, 2)],
    "i...->...": [X],
}
for equation, shapes in EINSUMS.items():
    sample("Einsum", *shapes, equation=equation)
sample("Diag", X)
sample("DiagPart", (1, 3, 1, 3))
sample("MatrixBandPart", CUBE, 0, -1)
sample("MatrixBandPart", CUBE, 1, 0)
sample("MatrixBandPart", CUBE, -1, -1)

# Shapes.

for a, b in PAIRS:
    both = np.broadcast_shapes(a, b)
    sample("Unbroadcast", both, np.zeros(b))
    sample("BroadcastTo", a, list(both))
for shape in SHAPES:
    sample("Fill", list(shape), ())
sample("Reshape", X, [3, -1])
sample("Reshape", (6,), [2, 3])
sample("Reshape", (1, 6), [6, 1])
sample("Reshape", (), [1, -1])
sample("Reshape", (1,), [])
sample("PlaceholderWithDefault", X, shape=tf.TensorShape([None, 3]))
sample("ExpandDims", X, 0)
sample("ExpandDims", X, 1)
sample("ExpandDims", X, -1)
sample("Squeeze", (1, 3, 1), squeeze_dims=(0, -1))
sample("Transpose", CUBE, [2, 1, 0])
sample("Transpose", CUBE, [1, 0, 2])
sample("Transpose", CUBE, [-1, 0, 1])
sample("Tile", X, [2, 3])
sample("Tile", X, [1, 1])
PADDINGS = [[1, 0], [0, 2]]
sample("Pad", X, PADDINGS)
sample("Pad", X, [[0, 0], [1, 1]])
sample("PadV2", X, PADDINGS, np.float64(2))
sample("MirrorPad", X, [[1, 0], [2, 2]], mode="reflect")
sample("MirrorPad", X, [[2, 1], [0, 3]], mode="symmetric")
sample("ReverseV2", X, [0])
sample("ReverseV2", X, [-1, 0])

# Joining and choosing.

sample("ConcatV2", X, X, X, 0)
sample("ConcatV2", X, X, X, -1)
sample("Pack", X, X, X, axis=[0, -1])
sample("Unpack", X, axis=1, num=3)
sample("Split", X, 3, 1, num_split=3)
sample("SplitV", X, [1, 2], 1, num_split=2)
sample("SplitV", X, [2, -1], -1, num_split=2)
sample("Slice", X, [0, 1], [2, 1])
sample("Slice", X, [1, 0], [-1, 2])
STRIDED = dict.fromkeys(MASKS, 0)
BEGIN, END, ELLIPSIS, NEW, SHRINK = MASKS
sample("StridedSlice", X, [0, 2], [2, 0], [1, -1], **STRIDED | {BEGIN: 1})
sample("StridedSlice", X, [0, 0, 1], [0, 0, 0], [1, 1, 1], **STRIDED | {ELLIPSIS: 1, NEW: 2, SHRINK: 4})
ROW = STRIDED | {BEGIN: 1, END: 1, SHRINK: 2}
sample("StridedSliceGrad", (2,), [2, 3], [0, 1], [0, 2], [1, 1], shape=tf.TensorShape(X), **ROW)
sample("GatherV2", X, [1, 1, 0], 0, batch_dims=0)
sample("GatherV2", X, [[0], [2]], 1, batch_dims=0)
sample("GatherV2", X, [[0, 1], [2, 2]], 1, batch_dims=1)
sample("GatherNd", X, [[1, 2], [0, 0], [1, 2]])
sample("GatherNd", X, [1])
sample("UnsortedSegmentSum", X, [3, 3], 5)
sample("TopKV2", (1,), 1)
sample("TopKV2", (3,), 3)
sample("TopKV2", X, 2)
TRUTHS = np.array([[True, False, True], [False, False, True]])
sample("Select", TRUTHS, X, X)
sample("SelectV2", TRUTHS, X, X)
sample("SelectV2", TRUTHS, (), X)
sample("SelectV2", TRUTHS[0], (2, 1), (3,))
for count in (1, 2, 4):
    sample("LinSpace", (), (), count)

# Networks.

sample("BiasAdd", (1, 1), (1,))
sample("BiasAdd", X, (3,))
sample("BiasAdd", (2, 1, 3), (3,))
sample("LRN", (1, 1, 2, 4), depth_radius=[0, 1, 2, 4], bias=1.5, alpha=0.5, beta=0.75)
sample("Softmax", X, axis=[0, 1, -1, -2])
sample("LogSoftmax", X, axis=[0, 1, -1, -2])
LABELS = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])  # they add up to one, as the gradient takes for granted
sample("SoftmaxCrossEntropyWithLogits", X, LABELS)
sample("SparseSoftmaxCrossEntropyWithLogits", (3,), 1)
sample("SparseSoftmaxCrossEntropyWithLogits", X, [2, 0])
for name in ["Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "MaxPool", "AvgPool", "AvgPoolGrad"]:
    SAMPLES[name] = sliding(name)

# A second difference of these makes no sense. They have kinks or jumps, which the samples avoid, or no second gradient.
NOT_SMOOTH = {"Relu", "Relu6", "Elu", "Softsign", "Abs", "Sign", "Maximum", "Minimum", "FloorMod"}
NOT_SMOOTH |= {"Max", "Min", "TopKV2", "MaxPool", "LRN"}
