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
def reduction(draw: Any, op_type: str) -> Sample:
    shape = draw(st.sampled_from(SHAPES))
    axes = draw(axes_of(len(shape)))
    keep = draw(st.booleans())
    return Sample(op_type, [draw(numbers(shape)), axes], fixed=(1,), attrs={"keep_dims": keep})


@st.composite
def axes_of(draw: Any, rank: int) -> np.ndarray:
    """Some of the axes, some counted from the end, in any order; or a single number."""
    axes = draw(st.permutations(range(rank)))[: draw(st.integers(0, rank))]
    axes = [a - rank if draw(st.booleans()) else a for a in axes]
    return np.array(axes[0] if len(axes) == 1 and draw(st.booleans()) else axes, np.int32)


@st.composite
def unreduce(draw: Any) -> Sample:
    shape = draw(st.sampled_from(SHAPES))
    axes, keep = draw(axes_of(len(shape))), draw(st.booleans())
    x = np.zeros(shape)
    reduced = x.sum(tuple(int(a) for a in np.ravel(axes)), keepdims=keep).shape
    gradient = draw(numbers(reduced))
    return Sample("Unreduce", [gradient, x, axes], fixed=(1, 2), attrs={"keep_dims": keep})


@st.composite
def unbroadcast(draw: Any) -> Sample:
    a, b = draw(st.sampled_from(PAIRS))
    gradient = draw(numbers(np.broadcast_shapes(a, b)))
    return Sample("Unbroadcast", [gradient, np.zeros(b)], fixed=(1,))


@st.composite
def broadcast_to(draw: Any) -> Sample:
    a, b = draw(st.sampled_from(PAIRS))
    wanted = np.array(np.broadcast_shapes(a, b), np.int32)
    return Sample("BroadcastTo", [draw(numbers(a)), wanted], fixed=(1,))


@st.composite
def reshape(draw: Any) -> Sample:
    shape = draw(st.sampled_from([(), (1,), (6,), (2, 3), (3, 2), (1, 6)]))
    count = int(np.prod(shape))
    options = [(-1,), (1, -1)] + ([(2, 3), (3, -1), (6, 1)] if count == 6 else [(), (1, 1)])
    wanted = np.array(draw(st.sampled_from(options)), np.int32)
    return Sample("Reshape", [draw(numbers(shape)), wanted], fixed=(1,))


@st.composite
def fill(draw: Any) -> Sample:
    dims = np.array(draw(st.sampled_from(SHAPES)), np.int32)
    return Sample("Fill", [dims, draw(numbers(()))], fixed=(0,))


@st.composite
def select(draw: Any, op_type: str) -> Sample:
    shapes = [draw(st.sampled_from(SHAPES))] * 3
    if op_type == "SelectV2":  # it broadcasts
        shapes[:2] = draw(st.sampled_from(PAIRS))
    condition, t, e = (draw(numbers(shape)) for shape in shapes)
    return Sample(op_type, [condition > 0, t, e], fixed=(0,))


@st.composite
def add_n(draw: Any) -> Sample:
    shape, count = draw(st.sampled_from(SHAPES)), draw(st.integers(1, 3))
    return Sample("AddN", [draw(numbers(shape)) for _ in range(count)])


@st.composite
def matmul(draw: Any) -> Sample:
    n, k, m = (draw(st.integers(1, 3)) for _ in range(3))
    ta, tb = draw(st.booleans()), draw(st.booleans())
    a = draw(numbers((k, n) if ta else (n, k)))
    b = draw(numbers((m, k) if tb else (k, m)))
    return Sample("MatMul", [a, b], attrs={"transpose_a": ta, "transpose_b": tb})


@st.composite
def batch_matmul(draw: Any) -> Sample:
    sample = draw(matmul())
    repeated = draw(st.integers(0, 2))  # neither, or one of the two: a batch of 1, or none at all
    shape = draw(st.sampled_from([(), (1,), (2, 1)]))
    inputs = [draw(numbers((2, *x.shape[-2:]))) for x in sample.inputs]
    if repeated < 2:
        inputs[repeated] = draw(numbers((*shape, *inputs[repeated].shape[-2:])))
    return Sample("BatchMatMulV2", inputs, attrs=sample.attrs)


@st.composite
def cumsum(draw: Any) -> Sample:
    shape = draw(st.sampled_from([(1,), (3,), (2, 3)]))
    axis = np.int32(draw(st.integers(-len(shape), len(shape) - 1)))
    attrs = {"exclusive": draw(st.booleans()), "reverse": draw(st.booleans())}
    return Sample("Cumsum", [draw(numbers(shape)), axis], fixed=(1,), attrs=attrs)


@st.composite
def largest(draw: Any) -> Sample:
    shape = draw(st.sampled_from([(1,), (3,), (2, 3)]))
    return Sample("TopKV2", [draw(numbers(shape)), np.int32(draw(st.integers(1, shape[-1])))], fixed=(1,))


X, CUBE = (2, 3), (2, 3, 2)


@st.composite
def of_shape(draw: Any, op_type: str, lengths: tuple[int, ...], *fixed: Any, **attrs: Any) -> Sample:
    """The op on numbers of this shape, and on whole numbers that are one of the `fixed` choices."""
    chosen = [np.array(v, np.int32) for v in draw(st.sampled_from(fixed))] if fixed else []
    places = tuple(range(1, len(chosen) + 1))
    return Sample(op_type, [draw(numbers(lengths)), *chosen], fixed=places, attrs=attrs)


@st.composite
def several(draw: Any, op_type: str, *last: int, **attrs: Any) -> Sample:
    inputs = [draw(numbers(X)) for _ in range(3)]
    return Sample(op_type, inputs + [np.int32(n) for n in last], (3,) * len(last), attrs)


def masks(begin: int = 0, end: int = 0, ellipsis: int = 0, new: int = 0, shrink: int = 0) -> dict:
    return dict(zip(MASKS, (begin, end, ellipsis, new, shrink), strict=True))


@st.composite
def linspace(draw: Any) -> Sample:
    return Sample("LinSpace", [draw(numbers(())), draw(numbers(())), np.int32(draw(st.integers(1, 4)))], fixed=(2,))


@st.composite
def bias_add(draw: Any) -> Sample:
    shape = draw(st.sampled_from([(1, 1), (2, 3), (2, 1, 3)]))
    return Sample("BiasAdd", [draw(numbers(shape)), draw(numbers(shape[-1:]))])


@st.composite
def softmax(draw: Any, op_type: str) -> Sample:
    shape = draw(st.sampled_from(SHAPES[1:]))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    return Sample(op_type, [draw(numbers(shape))], attrs={"axis": axis})


@st.composite
def cross_entropy(draw: Any) -> Sample:
    """Labels that add up to one, as the gradient takes for granted: no variable of the function."""
    shape = draw(st.sampled_from(SHAPES[1:]))
    weights = np.exp(draw(numbers(shape)))
    labels = weights / weights.sum(-1, keepdims=True)
    return Sample("SoftmaxCrossEntropyWithLogits", [draw(numbers(shape)), labels], fixed=(1,))


@st.composite
def sparse_cross_entropy(draw: Any) -> Sample:
    shape = draw(st.sampled_from(SHAPES[1:]))
    count = int(np.prod(shape[:-1]))
    places = st.lists(st.integers(0, shape[-1] - 1), min_size=count, max_size=count)
    labels = np.array(draw(places), np.int32).reshape(shape[:-1])
    return Sample("SparseSoftmaxCrossEntropyWithLogits", [draw(numbers(shape)), labels], fixed=(1,))


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
    dy, shapes = np.resize(draw(numbers((7,))), y.shape), [np.array(i.shape, np.int32) for i in inputs]
    if op_type == "AvgPoolGrad":
        return Sample(op_type, [shapes[0], dy], (0,), attrs)
    if op_type == "Conv2DBackpropInput":
        return Sample(op_type, [shapes[0], inputs[1], dy], (0,), attrs)
    return Sample(op_type, [x, shapes[1], dy], (1,), attrs)


@st.composite
def einsum(draw: Any) -> Sample:
    """One or two inputs of any labels: sums, outer products, diagonals, batches, and one that is repeated."""
    terms, lengths = draw(
        st.sampled_from(
            [
                ("ij,jk->ik", [(2, 3), (3, 2)]),
                ("ij->ji", [X]),
                ("ij->", [X]),
                ("ij,k->ik", [X, (2,)]),
                ("ii->i", [(2, 2)]),
                ("ii,i->", [(2, 2), (2,)]),
                ("...ij,...jk->...ik", [(1, 1, 2), (2, 2, 1)]),
                ("ij...,jk->k...i", [(2, 3, 2), (3, 2)]),
                ("i...->...", [(2, 3)]),
            ]
        )
    )
    return Sample("Einsum", [draw(numbers(shape)) for shape in lengths], attrs={"equation": terms})


@st.composite
def local_norm(draw: Any) -> Sample:
    attrs = {"depth_radius": draw(st.integers(0, 4)), "bias": 1.5, "alpha": 0.5, "beta": 0.75}
    return Sample("LRN", [draw(numbers((1, 1, 2, 4)))], attrs=attrs)


@st.composite
def pad_with_a_number(draw: Any) -> Sample:
    (paddings,) = draw(st.sampled_from(PADDINGS))
    return Sample("PadV2", [draw(numbers(X)), np.array(paddings, np.int32), np.float64(2)], fixed=(1, 2))


PADDINGS = [([[1, 0], [0, 2]],), ([[0, 0], [1, 1]],)]
ARRAY_OPS = {
    "PlaceholderWithDefault": of_shape("PlaceholderWithDefault", X, shape=tf.TensorShape([None, 3])),
    "ExpandDims": of_shape("ExpandDims", X, [0], [-1], [1]),
    "Squeeze": of_shape("Squeeze", (1, 3, 1), squeeze_dims=(0, -1)),
    "Transpose": of_shape("Transpose", CUBE, [[2, 1, 0]], [[1, 0, 2]], [[-1, 0, 1]]),
    "ConcatV2": st.one_of(several("ConcatV2", 0), several("ConcatV2", -1)),
    "Pack": st.one_of(several("Pack", axis=0), several("Pack", axis=-1)),
    "Unpack": of_shape("Unpack", X, axis=1, num=3),
    "Split": of_shape("Split", X, [3, 1], num_split=3),
    "SplitV": of_shape("SplitV", X, [[1, 2], 1], [[2, -1], -1], num_split=2),
    "Tile": of_shape("Tile", X, [[2, 3]], [[1, 1]]),
    "Slice": of_shape("Slice", X, [[0, 1], [2, 1]], [[1, 0], [-1, 2]]),
    "StridedSlice": st.one_of(
        of_shape("StridedSlice", X, [[0, 2], [2, 0], [1, -1]], **masks(begin=1)),
        of_shape("StridedSlice", X, [[0, 0, 1], [0, 0, 0], [1, 1, 1]], **masks(0, 0, 1, 2, 4)),
    ),
    "StridedSliceGrad": of_shape(
        "StridedSliceGrad",
        (2,),
        [[2, 3], [0, 1], [0, 2], [1, 1]],
        shape=tf.TensorShape(X),
        **masks(begin=1, end=1, shrink=2),
    ),
    "LinSpace": linspace(),
    "Pad": of_shape("Pad", X, *PADDINGS),
    "PadV2": pad_with_a_number(),
    "MirrorPad": st.one_of(
        of_shape("MirrorPad", X, [[[1, 0], [2, 2]]], mode="reflect"),
        of_shape("MirrorPad", X, [[[2, 1], [0, 3]]], mode="symmetric"),
    ),
    "ReverseV2": of_shape("ReverseV2", X, [[0]], [[-1, 0]]),
    "GatherV2": st.one_of(
        of_shape("GatherV2", X, [[1, 1, 0], 0], [[[0], [2]], 1], batch_dims=0),
        of_shape("GatherV2", X, [[[0, 1], [2, 2]], 1], batch_dims=1),
    ),
    "GatherNd": st.one_of(of_shape("GatherNd", X, [[[1, 2], [0, 0], [1, 2]]]), of_shape("GatherNd", X, [[1]])),
    "UnsortedSegmentSum": of_shape("UnsortedSegmentSum", X, [[3, 3], 5]),
}

ONE_INPUT = ["Identity", "Neg", "Abs", "Sign", "Square", "Exp", "Sin", "Cos", "Tanh"]
ONE_INPUT += ["Expm1", "Atan", "Sinh", "Cosh", "Sigmoid", "Asinh", "Erf"]
ACTIVATIONS = ["Relu", "Relu6", "Elu", "Softplus", "Softsign"]
SAMPLES: dict[str, SearchStrategy[Sample]] = {
    **{name: one_input(name, -1.9, 7.9) for name in ACTIVATIONS},
    "L2Loss": one_input("L2Loss"),
    "BiasAdd": bias_add(),
    "LRN": local_norm(),
    "Einsum": einsum(),
    "Diag": of_shape("Diag", X),
    "DiagPart": of_shape("DiagPart", (1, 3, 1, 3)),
    "MatrixBandPart": of_shape("MatrixBandPart", CUBE, [0, -1], [1, 0], [-1, -1]),
    **{name: sliding(name) for name in ["Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"]},
    **{name: sliding(name) for name in ["MaxPool", "AvgPool", "AvgPoolGrad"]},
    **{name: softmax(name) for name in ["Softmax", "LogSoftmax"]},
    "SoftmaxCrossEntropyWithLogits": cross_entropy(),
    "SparseSoftmaxCrossEntropyWithLogits": sparse_cross_entropy(),
    **ARRAY_OPS,
    **{name: one_input(name) for name in ONE_INPUT},
    "Print": one_input("Print", message="shown", summarize=3),
    "Sqrt": one_input("Sqrt", 0.1, 3),
    "Log": one_input("Log", 0.1, 3),
    **{name: one_input(name, 0.1, 3) for name in ["Rsqrt", "Reciprocal", "Log1p"]},
    **{name: one_input(name, -0.9, 0.9) for name in ["Tan", "Asin", "Acos", "Atanh"]},
    "Acosh": one_input("Acosh", 1.2, 3),
    "Cast": one_input("Cast", DstT=tf.float64),
    **{name: two_inputs(name) for name in ["AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference"]},
    **{name: two_inputs(name, y=(0.6, 2)) for name in ["RealDiv", "DivNoNan", "MulNoNan"]},
    "FloorMod": remainder(),
    "Pow": two_inputs("Pow", x=(0.1, 2)),
    **{name: reduction(name) for name in ["Sum", "Mean", "Prod", "Max", "Min"]},
    "Unreduce": unreduce(),
    "Unbroadcast": unbroadcast(),
    "BroadcastTo": broadcast_to(),
    "Reshape": reshape(),
    "Fill": fill(),
    **{name: select(name) for name in ["Select", "SelectV2"]},
    "AddN": add_n(),
    "MatMul": matmul(),
    "BatchMatMulV2": batch_matmul(),
    "Cumsum": cumsum(),
    "TopKV2": largest(),
}

# A second difference of these makes no sense. They have kinks or jumps, which the samples avoid, or no second gradient.
NOT_SMOOTH = {
    "Relu",
    "Relu6",
    "Elu",
    "Softsign",
    "Abs",
    "Sign",
    "Maximum",
    "Minimum",
    "FloorMod",
    "Max",
    "Min",
    "TopKV2",
    "MaxPool",
    "LRN",
}
