"""Ops that only TensorFlow has and minitf builds from others, and the reverse, for stored graphs.

`MADE_OF` says how minitf does the work of an op that only TensorFlow has, such as ReluGrad, and
`STORED_AS` how TensorFlow does the work of an op that only minitf has, such as Unbroadcast. Of the
ops registered here, most handle shapes for gradients or belong to TensorFlow's savers.

Mirrors tensorflow/core/ops/array_ops.cc, nn_ops.cc, linalg_ops.cc and io_ops.cc.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from minitf.extras.linalg import matrix_diag, matrix_diag_part
from minitf.extras.nn import leaky_relu
from minitf.framework import dtypes
from minitf.framework.common_shapes import as_static_shape
from minitf.framework.op_def_library import build, build_tensor, constant, constant_value
from minitf.framework.registry import (
    KERNELS,
    OpDef,
    definition,
    kernel,
    not_differentiable,
    register,
)
from minitf.framework.tensor_shape import UNKNOWN
from minitf.ops.array_ops import (
    broadcast_to,
    fill,
    identity,
    ones_like,
    reshape,
    shape,
    stop_gradient,
    transpose,
    zeros_like,
)
from minitf.ops.control_flow_ops import cond
from minitf.ops.gather_ops import gather, one_hot, where_v2
from minitf.ops.math_ops import abs, add, cast, logical_and, matmul, minimum, sigmoid, sign, square
from minitf.ops.nn_ops import softmax
from minitf.ops.reduction_ops import reduce_sum
from minitf.ops.variables import is_variable_initialized

MADE_OF: dict[str, Callable] = {}
DEFINITIONS: dict[str, OpDef] = {}  # of ops that only TensorFlow has
STORED_AS: dict[str, Callable] = {}


def _entered(rules: dict[str, Callable], op_type: str, function: Callable) -> Callable:
    rules[op_type] = function
    return function


def read_as(op_type: str, inputs: str = "", **traits) -> Callable:
    """Decorate what builds, for an op of a file, the ops that minitf has instead.

    The arguments are the op's attributes, a dict, and its inputs. The result is a tensor, a list of
    all outputs, or None for an op of the same type. `inputs` and `traits` are as for `register`, if
    only TensorFlow has the op and its inputs don't all share the dtype `T`.
    """
    if inputs:
        DEFINITIONS[op_type] = definition(op_type, inputs, None, None, None, **traits)
    return partial(_entered, MADE_OF, op_type)


def stored_as(op_type: str) -> Callable:
    """Decorate what builds, for an op of minitf, the ops that are stored instead.

    The arguments are the op and its inputs. The result is a tensor, or None to store the op itself.
    """
    return partial(_entered, STORED_AS, op_type)


# The ops that this file registers.


@kernel
def gradient_args(one, other):
    """The axes along which arrays of these two shapes repeat when they are broadcast together."""
    rank = max(len(one), len(other))
    return [
        np.flatnonzero([1] * (rank - len(dims)) + [d == 1 for d in dims]).astype(dims.dtype)
        for dims in (one, other)
    ]


@kernel
def offsets(axis, *shapes):
    """Where each part of a concatenation begins, given the shapes of the parts."""
    found = np.zeros_like(shapes)
    found[1:, axis] = np.cumsum([dims[axis] for dims in shapes[:-1]])
    return list(found)


@kernel
def stitched(*inputs):
    """Rows put together: the first half of the inputs says where those in the second half go."""
    half = len(inputs) // 2
    places = np.concatenate([np.ravel(p) for p in inputs[:half]])
    depth = np.ndim(inputs[half]) - np.ndim(inputs[0])
    rows = [np.reshape(r, (-1, *np.shape(r)[np.ndim(r) - depth :])) for r in inputs[half:]]
    found = np.concatenate(rows)
    found[places] = found.copy()
    return found[: places.max(initial=-1) + 1]


@kernel
def scattered(places, values, shape):
    """Zeros of this shape, with values added at the places along the last axis of `places`."""
    found = np.zeros(shape, values.dtype)
    np.add.at(found, tuple(np.moveaxis(places, -1, 0)), values)
    return found


KERNELS["qr"] = np.linalg.qr


def _register(op_type, code, dtypes_of, inputs="", shape=UNKNOWN):
    def infer(op):
        return [(dtype, shape) for dtype in dtypes_of(op)]

    register(op_type, inputs, infer, code, not_differentiable)


def _two(op):
    return [op.inputs[0].dtype.base_dtype] * 2


def _same_as_last(op):
    return [op.inputs[-1].dtype.base_dtype]


_register("BroadcastGradientArgs", "gradient_args", _two, "s0:length s1:length")
_register("ConcatOffset", "offsets", lambda op: _two(op)[:1] * (len(op.inputs) - 1), "shape:*any")
_register("DynamicStitch", "stitched", _same_as_last, "data:*any")
_register(
    "ScatterNd",
    "scattered",
    lambda op: [op.inputs[1].dtype.base_dtype],
    "indices=Tindices updates shape=Tindices",
)
_register("Qr", "qr", _two, "input:T")


# What minitf builds for an op of a file.


@read_as("Add")
def _add(attrs, x, y):
    return add(x, y)


@read_as("BatchMatMul")
def _batch_mat_mul(attrs, x, y):
    return matmul(x, y, attrs.get("adj_x", False), attrs.get("adj_y", False))


@read_as("BiasAddGrad", "out_backprop", fixed={"data_format": "NHWC"})
def _bias_add_grad(attrs, dy):
    return reduce_sum(reshape(dy, [-1, shape(dy)[-1]]), 0)


@read_as("BroadcastArgs")
def _broadcast_args(attrs, s0, s1):
    return shape(add(fill(s0, 0), fill(s1, 0)), out_type=s0.dtype)


@read_as("ComplexAbs")
def _complex_abs(attrs, x):
    return abs(x)


@read_as("EluGrad")
def _elu_grad(attrs, dy, y):
    return dy * minimum(y + 1.0, 1.0)


@read_as("Gather", "params=Tparams indices=Tindices")
def _gather(attrs, x, indices):
    return gather(x, indices)


@read_as("LeakyRelu")
def _leaky_relu(attrs, x):
    return leaky_relu(x, attrs.get("alpha", 0.2))


@read_as("LeakyReluGrad")
def _leaky_relu_grad(attrs, dy, x):
    return dy * where_v2(x > 0, ones_like(x), attrs.get("alpha", 0.2), "SelectV2")


@read_as("MatrixDiagV3", "diagonal k=- num_rows=- num_cols=- padding_value")
def _matrix_diag_v3(attrs, d, k, rows, columns, padding):
    return matrix_diag(d, padding_value=padding)


@read_as("MatrixDiagPartV3", "input k=- padding_value")
def _matrix_diag_part_v3(attrs, x, *_):
    return matrix_diag_part(x)


@read_as("MirrorPad")
def _mirror_pad(attrs, x, by):
    return build_tensor("MirrorPad", x, by, mode=attrs["mode"].lower())


@read_as("OnesLike")
def _ones_like(attrs, x):
    return ones_like(x, optimize=False)


@read_as("Placeholder")
def _placeholder(attrs):
    return build_tensor("Placeholder", **{"shape": UNKNOWN} | attrs)


@read_as("PreventGradient")
def _prevent_gradient(attrs, x):
    return stop_gradient(x)


@read_as("RandomUniformInt")
def _random_uniform_int(attrs, *x):
    return build_tensor("RandomUniformInt", *x, dtype=attrs["Tout"], **attrs)


@read_as("ReciprocalGrad")
def _reciprocal_grad(attrs, y, dy):
    return -square(y) * dy


@read_as("Relu6Grad")
def _relu6_grad(attrs, dy, x):
    return dy * cast(logical_and(x > 0, x < 6), dy.dtype)


@read_as("ReluGrad")
def _relu_grad(attrs, dy, x):
    return dy * cast(x > 0, dy.dtype)


@read_as("RsqrtGrad")
def _rsqrt_grad(attrs, y, dy):
    return -0.5 * y * square(y) * dy


@read_as("ShapeN")
def _shape_n(attrs, *x):
    return [shape(each, out_type=attrs.get("out_type")) for each in x]


@read_as("SigmoidGrad")
def _sigmoid_grad(attrs, y, dy):
    return dy * y * (1.0 - y)


@read_as("SoftmaxCrossEntropyWithLogits")
def _softmax_cross_entropy_with_logits(attrs, x, y):
    return [build_tensor("SoftmaxCrossEntropyWithLogits", x, y), softmax(x) - y]


@read_as("SoftplusGrad")
def _softplus_grad(attrs, dy, x):
    return dy * sigmoid(x)


@read_as("SoftsignGrad")
def _softsign_grad(attrs, dy, x):
    return dy / square(1.0 + abs(x))


@read_as("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_softmax_cross_entropy_with_logits(attrs, x, y):
    return [
        build_tensor("SparseSoftmaxCrossEntropyWithLogits", x, y),
        softmax(x) - build_tensor("OneHotLike", x, y),
    ]


@read_as("Split")
def _split(attrs, axis, x):
    return build("Split", x, attrs["num_split"], axis, **attrs).outputs


@read_as("SqrtGrad")
def _sqrt_grad(attrs, y, dy):
    return 0.5 / y * dy


@read_as("StridedSliceGrad")
def _strided_slice_grad(attrs, dims, begin, end, strides, dy):
    return build_tensor(
        "StridedSliceGrad", dy, dims, begin, end, strides, shape=as_static_shape(dims), **attrs
    )


@read_as("TanhGrad")
def _tanh_grad(attrs, y, dy):
    return dy * (1.0 - square(y))


@read_as("Variable")
def _variable(attrs):
    return build_tensor("VariableV2", **attrs)


@read_as("ZerosLike")
def _zeros_like(attrs, x):
    return None if x.dtype.name == "variant" else zeros_like(x, optimize=False)


@read_as("ApplyAdagradDA")
def _apply_adagrad_da(attrs, var, *x):
    return build_tensor("ApplyAdagradDA", var, *x[:-1], cast(x[-1], x[0].dtype))


@read_as("SparseApplyAdagradDA")
def _sparse_apply_adagrad_da(attrs, var, *x):
    return build_tensor("SparseApplyAdagradDA", var, *x[:-1], cast(x[-1], x[0].dtype))


@read_as("BroadcastGradientArgs")
def _known_axes(attrs, *shapes):
    """The axes for these shapes, or None if they aren't constant."""
    known = [constant_value(dims) for dims in shapes]
    if any(dims is None for dims in known):
        return None
    return [constant(axes) for axes in gradient_args(*known)]


@read_as("Reshape")
def _summed_back(attrs, x, dims):
    """An Unbroadcast, if a Reshape of `x` is the gradient of something broadcast, or else None."""
    axes = x.op.inputs[1] if x.op.type == "Sum" else x
    like = axes.op.inputs[axes.value_index] if axes.op.type == "BroadcastGradientArgs" else x
    if like.op.type != "Shape":
        return None
    return build_tensor("Unbroadcast", x.op.inputs[0], like.op.inputs[0])


# What is stored for an op of minitf.


@stored_as("InitializedValue")
def _initialized_value(op, v, first):
    return cond(is_variable_initialized(v), lambda: identity(v), lambda: first)


@stored_as("MirrorPad")
def _mirror_pad_in_capitals(op, x, by):
    return build_tensor("MirrorPad", x, by, mode=op.attrs["mode"].upper())


@stored_as("OneHotLike")
def _one_hot_like(op, x, labels):
    return one_hot(labels, shape(x)[-1], dtype=x.dtype)


@stored_as("Unbroadcast")
def _unbroadcast(op, dy, x):
    axes = build_tensor("BroadcastGradientArgs", shape(x), shape(dy))
    return reshape(reduce_sum(dy, axes), shape(x))


@stored_as("Unreduce")
def _unreduce(op, dy, x, axis):
    if dy.shape.rank != 0:
        dy = reshape(dy, shape(reduce_sum(x, axis, True)))
    return broadcast_to(dy, shape(x))


@stored_as("LogSoftmax")
@stored_as("Softmax")
def _along_last_axis(op, logits):
    """A softmax along any other axis, because TensorFlow's op only takes the last, or else None."""
    axis, order = op.attrs["axis"], list(range(logits.shape.rank or 0))
    if axis == -1:
        return None
    order[axis], order[-1] = order[-1], order[axis]
    found = build_tensor(op.type, transpose(logits, order), axis=-1)
    return transpose(found, order)


@stored_as("Orthogonal")
def _orthogonal(op, x):
    """The factor q of a matrix, its columns multiplied by the signs of r's diagonal."""
    q, r = build("Qr", x).outputs
    return q * sign(build_tensor("DiagPart", r))


@stored_as("ApplyAdagradDA")
@stored_as("SparseApplyAdagradDA")
def _with_whole_step(op, *inputs):
    """AdagradDA with its steps as an int64, as TensorFlow counts them."""
    steps = cast(inputs[-1], dtypes.int64)
    return inputs[0].graph.create_op(op.type, (*inputs[:-1], steps)).outputs[0]
