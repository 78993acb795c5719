"""Ops that only TensorFlow has and minitf builds from others, and the reverse, for stored graphs.

`MADE_OF` says how minitf does the work of an op that only TensorFlow has, such as ReluGrad, and
`STORED_AS` how TensorFlow does the work of an op that only minitf has, such as Unbroadcast. Of the
ops registered here, most handle shapes for gradients or belong to TensorFlow's savers.

Mirrors tensorflow/core/ops/array_ops.cc, nn_ops.cc, linalg_ops.cc and io_ops.cc.
"""

import numpy as np

from minitf.extras import arrays, linalg, nn
from minitf.framework import common_shapes, dtypes, op_def_library
from minitf.framework.op_def_library import build_tensor
from minitf.framework.registry import KERNELS, kernel, not_differentiable, register
from minitf.framework.tensor_shape import UNKNOWN
from minitf.ops import (
    array_ops,
    control_flow_ops,
    gather_ops,
    math_ops,
    nn_ops,
    reduction_ops,
    variables,
)

# Each line has an op of the file with its inputs, and what minitf builds from them: a tensor, a
# list of all outputs, or None for an op of the same type. `op` has the op's attributes.
_MADE_OF = """
Add(x, y): add(x, y)
ApplyAdagradDA(var, *x): build_tensor("ApplyAdagradDA", var, *x[:-1], cast(x[-1], x[0].dtype))
BatchMatMul(x, y): matmul(x, y, op.get("adj_x", False), op.get("adj_y", False))
BiasAddGrad(dy): reduce_sum(reshape(dy, [-1, shape(dy)[-1]]), 0)
BroadcastArgs(s0, s1): shape(add(fill(s0, 0), fill(s1, 0)), out_type=s0.dtype)
BroadcastGradientArgs(s0, s1): known_axes(constant_value(s0), constant_value(s1))
ComplexAbs(x): abs(x)
EluGrad(dy, y): dy * minimum(y + 1.0, 1.0)
Gather(x, indices): gather(x, indices)
LeakyRelu(x): leaky_relu(x, op.get("alpha", 0.2))
LeakyReluGrad(dy, x): dy * where_v2(x > 0, ones_like(x), op.get("alpha", 0.2), "SelectV2")
MatrixDiagV3(d, k, rows, columns, padding): matrix_diag(d, padding_value=padding)
MatrixDiagPartV3(x, *_): matrix_diag_part(x)
MirrorPad(x, by): build_tensor("MirrorPad", x, by, mode=op["mode"].lower())
OnesLike(x): ones_like(x, optimize=False)
Placeholder(): build_tensor("Placeholder", **{"shape": UNKNOWN} | op)
PreventGradient(x): stop_gradient(x)
RandomUniformInt(*x): build_tensor("RandomUniformInt", *x, dtype=op["Tout"], **op)
ReciprocalGrad(y, dy): -square(y) * dy
Relu6Grad(dy, x): dy * cast(logical_and(x > 0, x < 6), dy.dtype)
ReluGrad(dy, x): dy * cast(x > 0, dy.dtype)
Reshape(x, dims): summed_back(x)
RsqrtGrad(y, dy): -0.5 * y * square(y) * dy
ShapeN(*x): [shape(each, out_type=op.get("out_type")) for each in x]
SigmoidGrad(y, dy): dy * y * (1.0 - y)
SoftmaxCrossEntropyWithLogits(x, y): [build_tensor(_DENSE, x, y), softmax(x) - y]
SoftplusGrad(dy, x): dy * sigmoid(x)
SoftsignGrad(dy, x): dy / square(1.0 + abs(x))
SparseApplyAdagradDA(var, *x): build_tensor("SparseApplyAdagradDA", var, *x[:-1], \
cast(x[-1], x[0].dtype))
SparseSoftmaxCrossEntropyWithLogits(x, y): [build_tensor(_SPARSE, x, y), \
softmax(x) - build_tensor("OneHotLike", x, y)]
Split(axis, x): build("Split", x, op["num_split"], axis, **op).outputs
SqrtGrad(y, dy): 0.5 / y * dy
StridedSliceGrad(dims, begin, end, strides, dy): build_tensor("StridedSliceGrad", dy, dims, \
begin, end, strides, shape=as_static_shape(dims), **op)
TanhGrad(y, dy): dy * (1.0 - square(y))
Variable(): build_tensor("VariableV2", **op)
ZerosLike(x): None if x.dtype.name == "variant" else zeros_like(x, optimize=False)
"""
# The same for minitf's ops: what is stored instead, or None. Here `op` is the op itself.
_STORED_AS = """
ApplyAdagradDA(*x): with_whole_step(op, *x)
InitializedValue(v, first): cond(is_variable_initialized(v), lambda: identity(v), lambda: first)
LogSoftmax(x): along_last_axis(op, x)
MirrorPad(x, by): build_tensor("MirrorPad", x, by, mode=op.attrs["mode"].upper())
OneHotLike(x, labels): one_hot(labels, shape(x)[-1], dtype=x.dtype)
Orthogonal(x): signed(*build("Qr", x).outputs)
Softmax(x): along_last_axis(op, x)
SparseApplyAdagradDA(*x): with_whole_step(op, *x)
Unbroadcast(dy, x): reshape(reduce_sum(dy, build_tensor("BroadcastGradientArgs", \
shape(x), shape(dy))), shape(x))
Unreduce(dy, x, axis): broadcast_to(reshape(dy, shape(reduce_sum(x, axis, True))) \
if dy.shape.rank != 0 else dy, shape(x))
"""


def known_axes(*shapes):
    """What BroadcastGradientArgs returns for these shapes, or None if they aren't constant."""
    if any(dims is None for dims in shapes):
        return None
    return [op_def_library.constant(axes) for axes in gradient_args(*shapes)]


def summed_back(x):
    """An Unbroadcast, if a Reshape of `x` is the gradient of something broadcast, or else None."""
    axes = x.op.inputs[1] if x.op.type == "Sum" else x
    like = axes.op.inputs[axes.value_index] if axes.op.type == "BroadcastGradientArgs" else x
    if like.op.type != "Shape":
        return None
    return build_tensor("Unbroadcast", x.op.inputs[0], like.op.inputs[0])


def along_last_axis(op, logits):
    """A softmax along any other axis, because TensorFlow's op only takes the last, or else None."""
    axis, order = op.attrs["axis"], list(range(logits.shape.rank or 0))
    if axis == -1:
        return None
    order[axis], order[-1] = order[-1], order[axis]
    found = build_tensor(op.type, array_ops.transpose(logits, order), axis=-1)
    return array_ops.transpose(found, order)


def signed(q, r):
    """The factor q of a matrix, its columns multiplied by the signs of r's diagonal."""
    return q * math_ops.sign(build_tensor("DiagPart", r))


def with_whole_step(op, *inputs):
    """AdagradDA with its steps as an int64, as TensorFlow counts them."""
    steps = math_ops.cast(inputs[-1], dtypes.int64)
    return inputs[0].graph.create_op(op.type, (*inputs[:-1], steps)).outputs[0]


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


def _enter(op_type, code, dtypes_of, inputs="", shape=UNKNOWN):
    def infer(op):
        return [(dtype, shape) for dtype in dtypes_of(op)]

    register(op_type, inputs, infer, code, not_differentiable)


def _two(op):
    return [op.inputs[0].dtype.base_dtype] * 2


def _same_as_last(op):
    return [op.inputs[-1].dtype.base_dtype]


_enter("BroadcastGradientArgs", "gradient_args", _two, "s0:length s1:length")
_enter("ConcatOffset", "offsets", lambda op: _two(op)[:1] * (len(op.inputs) - 1), "shape:*any")
_enter("DynamicStitch", "stitched", _same_as_last, "data:*any")
_enter(
    "ScatterNd", "scattered", lambda op: [op.inputs[1].dtype.base_dtype], "indices updates shape"
)
_enter("Qr", "qr", _two, "input:T")


def _rules(table):
    """The functions in a table, by op: the first argument is `op`, the others are the inputs."""
    modules = array_ops, math_ops, nn_ops, gather_ops, reduction_ops, control_flow_ops, variables
    names, rules = {}, {}
    for module in (common_shapes, op_def_library, *modules, arrays, linalg, nn):
        names |= vars(module)
    for line in table.strip().splitlines():
        op_type, _, rest = line.partition("(")
        rules[op_type] = eval(f"lambda op, {rest.replace('): ', ': ', 1)}", names | globals())
    return rules


MADE_OF, STORED_AS = _rules(_MADE_OF), _rules(_STORED_AS)
