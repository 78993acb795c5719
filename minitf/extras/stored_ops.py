"""What only stored graphs have: ops of TensorFlow's that minitf makes of others, and the reverse.

`MADE_OF` says how minitf does the work of an op that is TensorFlow's alone, such as ReluGrad, and
`STORED_AS` how TensorFlow does the work of an op that is minitf's alone, such as Unbroadcast. The
ops below both tables are those of gradients that look at shapes, and of a saver's files.

Mirrors tensorflow/core/ops/array_ops.cc, nn_ops.cc, linalg_ops.cc and io_ops.cc.
"""

import os
import re

import numpy as np

from minitf.extras.arrays import pad
from minitf.extras.nn import in_top_k, leaky_relu
from minitf.framework import dtypes
from minitf.framework.common_shapes import as_static_shape
from minitf.framework.op_def_library import build, build_tensor, constant, constant_value
from minitf.framework.registry import KERNELS, call, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, UNKNOWN, TensorShape
from minitf.ops.array_ops import (
    broadcast_to,
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
from minitf.ops.math_ops import abs, cast, minimum, sigmoid, sign, square
from minitf.ops.nn_ops import softmax
from minitf.ops.reduction_ops import reduce_sum
from minitf.ops.variables import is_variable_initialized
from minitf.training.checkpoint_format import CheckpointReader, write_checkpoint
from minitf.training.checkpoint_management import remove_checkpoint

# From the attributes and inputs of TensorFlow's op to what minitf makes of it: a tensor or a list
# of all outputs, or None if it becomes an op of its own type after all.


def _bias_gradient(attrs, dy):
    rank = dy.shape.rank
    if attrs.get("data_format") == "NCHW":
        return reduce_sum(dy, [i for i in range(rank) if i != 1])
    if rank is None:
        dy, rank = reshape(dy, [-1, shape(dy)[-1]]), 2
    return reduce_sum(dy, list(range(rank - 1)))


def _reduced_gradient(attrs, x, dims):
    """The gradient of an input that was broadcast: TensorFlow takes a sum and reshapes it."""
    axes = x.op.inputs[1] if x.op.type == "Sum" else x
    like = axes.op.inputs[axes.value_index] if axes.op.type == "BroadcastGradientArgs" else x
    if like.op.type != "Shape":
        return None
    return build_tensor("Unbroadcast", x.op.inputs[0], like.op.inputs[0])


def _gradient_args(attrs, *shapes):
    known = [constant_value(dims) for dims in shapes]
    if any(dims is None for dims in known):
        return None
    return [constant(axes) for axes in gradient_args(*known)]


def _itself(op_type):
    return lambda attrs, *inputs: build_tensor(op_type, *inputs)


def _sparse_cross_entropy(attrs, x, labels):
    loss = build_tensor("SparseSoftmaxCrossEntropyWithLogits", x, labels)
    return [loss, softmax(x) - build_tensor("OneHotLike", x, labels)]


MADE_OF = {
    "Add": _itself("AddV2"),
    "ComplexAbs": _itself("Abs"),
    "ZerosLike": lambda attrs, x: zeros_like(x, optimize=False),
    "OnesLike": lambda attrs, x: ones_like(x, optimize=False),
    "PreventGradient": lambda attrs, x: stop_gradient(x),
    "Gather": lambda attrs, x, indices: gather(x, indices),
    "InTopKV2": lambda attrs, x, targets, k: in_top_k(x, targets, k),
    "PadV2": lambda attrs, x, by, value: pad(x, by, constant_values=constant_value(value)),
    "ShapeN": lambda attrs, *inputs: [shape(x, out_type=attrs.get("out_type")) for x in inputs],
    "Split": lambda attrs, axis, x: build("Split", x, attrs["num_split"], axis, **attrs).outputs,
    "StridedSliceGrad": lambda attrs, dims, begin, end, strides, dy: build_tensor(
        "StridedSliceGrad", dy, dims, begin, end, strides, **attrs, shape=as_static_shape(dims)
    ),
    "Reshape": _reduced_gradient,
    "BroadcastGradientArgs": _gradient_args,
    "BiasAddGrad": _bias_gradient,
    "SigmoidGrad": lambda attrs, y, dy: dy * y * (1.0 - y),
    "TanhGrad": lambda attrs, y, dy: dy * (1.0 - square(y)),
    "SqrtGrad": lambda attrs, y, dy: 0.5 / y * dy,
    "RsqrtGrad": lambda attrs, y, dy: -0.5 * y * square(y) * dy,
    "ReciprocalGrad": lambda attrs, y, dy: -square(y) * dy,
    "ReluGrad": lambda attrs, dy, x: dy * cast(x > 0, dy.dtype),
    "Relu6Grad": lambda attrs, dy, x: dy * cast((x > 0) & (x < 6), dy.dtype),
    "EluGrad": lambda attrs, dy, y: dy * minimum(y + 1.0, 1.0),
    "SoftplusGrad": lambda attrs, dy, x: dy * sigmoid(x),
    "SoftsignGrad": lambda attrs, dy, x: dy / square(1.0 + abs(x)),
    "LeakyRelu": lambda attrs, x: leaky_relu(x, attrs.get("alpha", 0.2)),
    "LeakyReluGrad": lambda attrs, dy, x: dy
    * where_v2(x > 0, ones_like(x), attrs.get("alpha", 0.2), "SelectV2"),
    "SoftmaxCrossEntropyWithLogits": lambda attrs, x, labels: [
        build_tensor("SoftmaxCrossEntropyWithLogits", x, labels),
        softmax(x) - labels,
    ],
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    "ApplyAdagradDA": lambda attrs, var, *inputs: build_tensor(
        "ApplyAdagradDA", var, *inputs[:-1], cast(inputs[-1], var.dtype.base_dtype)
    ),
    "SparseApplyAdagradDA": lambda attrs, var, *inputs: build_tensor(
        "SparseApplyAdagradDA", var, *inputs[:-1], cast(inputs[-1], var.dtype.base_dtype)
    ),
}

# From an op of minitf's and its inputs, in a graph of their own, to what is stored instead; None
# if the op is stored as it is.


def _unbroadcast(op, gradient, like):
    axes, _ = build("BroadcastGradientArgs", shape(like), shape(gradient)).outputs
    return reshape(reduce_sum(gradient, axes), shape(like))


def _unreduce(op, gradient, x, axis):
    kept = shape(reduce_sum(x, axis, keepdims=True))
    return broadcast_to(reshape(gradient, kept), shape(x))


def _orthogonal(op, x):
    q, r = build("Qr", x).outputs
    return q * sign(build_tensor("MatrixDiagPart", r))


def _along_last_axis(op, logits):
    if op.attrs["axis"] == -1:
        return None
    order = list(range(logits.shape.rank))
    order[op.attrs["axis"]], order[-1] = order[-1], order[op.attrs["axis"]]
    found = build_tensor(op.type, transpose(logits, order), axis=-1)
    return transpose(found, order)


def _pad(op, x, paddings):
    if not op.attrs["constant_values"]:
        return None
    inside = pad(ones_like(x), paddings)
    return pad(x, paddings) + (1 - inside) * op.attrs["constant_values"]


def _with_whole_step(op, *inputs):
    """AdagradDA counts the steps in an int64."""
    steps = cast(inputs[-1], dtypes.int64)
    return inputs[0].graph.create_op(op.type, (*inputs[:-1], steps)).outputs[0]


STORED_AS = {
    "Unbroadcast": _unbroadcast,
    "Unreduce": _unreduce,
    "OneHotLike": lambda op, x, labels: one_hot(labels, shape(x)[-1], dtype=x.dtype),
    "Orthogonal": _orthogonal,
    "Softmax": _along_last_axis,
    "LogSoftmax": _along_last_axis,
    "Pad": _pad,
    "ApplyAdagradDA": _with_whole_step,
    "SparseApplyAdagradDA": _with_whole_step,
    "InitializedValue": lambda op, ref, value: cond(
        is_variable_initialized(ref), lambda: identity(ref), lambda: value
    ),
}

# Ops of both.


@kernel
def gradient_args(one, other):
    """Along which axes arrays of these two shapes repeat, if they are broadcast together."""
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
    """Rows put together: the first half of the inputs say where those in the second half go."""
    pairs = list(zip(inputs[: len(inputs) // 2], inputs[len(inputs) // 2 :], strict=True))
    count = max(np.max(places, initial=-1) for places, _ in pairs) + 1
    places, values = pairs[0]
    rows = np.zeros((count, *np.shape(values)[np.ndim(places) :]), values.dtype)
    for places, values in pairs:
        rows[places] = values
    return rows


@kernel
def scattered(places, values, shape):
    """Zeros of this shape, with values added at the places along the last axis of `places`."""
    found = np.zeros(shape, values.dtype)
    np.add.at(found, tuple(np.moveaxis(places, -1, 0)), values)
    return found


KERNELS["qr"] = np.linalg.qr


def _vectors(op):
    count = max(2, len(op.inputs) - 1)  # of offsets: the first input is the axis
    return [(op.inputs[-1].dtype.base_dtype, TensorShape([None]))] * count


def _stitched_shape(op):
    rows, places = op.inputs[-1], op.inputs[len(op.inputs) // 2 - 1].shape.rank
    rest = UNKNOWN if None in (rows.shape.rank, places) else rows.shape[places:]
    return [(rows.dtype.base_dtype, TensorShape([None]).concatenate(rest))]


def _scattered_shape(op):
    return [(op.inputs[1].dtype.base_dtype, as_static_shape(op.inputs[2]))]


def _factors(op):
    return [(op.inputs[0].dtype.base_dtype, TensorShape([None, None]))] * 2


def _diagonal(op):
    return [(op.inputs[0].dtype.base_dtype, TensorShape([None]))]


for _type, _inputs, _infer, _code in (
    ("BroadcastGradientArgs", "s0:length s1:length", _vectors, "gradient_args"),
    ("ConcatOffset", "", _vectors, "offsets"),
    ("DynamicStitch", "", _stitched_shape, "stitched"),
    ("ScatterNd", "indices:length updates:T shape:length", _scattered_shape, "scattered"),
    ("Qr", "input:T", _factors, "qr"),
    ("DiagPart", "input:T", _diagonal, "diag"),
    ("MatrixDiagPart", "input:T", _diagonal, "diag"),
):
    register(_type, _inputs, _infer, _code, not_differentiable)


# What TensorFlow's savers add to a graph. (minitf's Saver needs no ops.)


@kernel
def restored(prefix, names, slices):
    """The tensors of these names in a checkpoint: a list, or the only one."""
    found = [CheckpointReader(prefix).get_tensor(name) for name in names]
    return found if len(found) > 1 else found[0]


@kernel
def saved(prefix, names, slices, *values):
    """Write a checkpoint with these values under these names."""
    tensors = zip(names, values, strict=True)
    write_checkpoint(os.fsdecode(prefix), {name.decode(): value for name, value in tensors})


@kernel
def united(prefixes, destination):
    """Write one checkpoint with what several have, which are deleted."""
    readers = [CheckpointReader(prefix) for prefix in prefixes]
    names = [(reader, name) for reader in readers for name in reader.get_variable_to_shape_map()]
    tensors = {name: reader.get_tensor(name) for reader, name in names}
    write_checkpoint(os.fsdecode(destination), tensors)
    for prefix in prefixes:
        remove_checkpoint(os.fsdecode(prefix))


@kernel
def shard_name(name, shard, count):
    """The prefix of one of several parts of a checkpoint."""
    return b"%s-%05d-of-%05d" % (name, shard, count)


@kernel
def matches(text, pattern):
    """Whether the regular expression describes the whole text."""
    return np.bool_(re.fullmatch(pattern, text.decode()))


def _match_code(op, text):
    return call("matches", text, repr(op.attrs["pattern"]))


def _join_code(op, *texts):
    separator = op.attrs.get("separator", "").encode()
    return f"{separator!r}.join([{', '.join(map(str, texts))}])"


def _name(op):
    return [(dtypes.string, SCALAR)]


for _type, _inputs, _infer, _code in (
    (
        "RestoreV2",
        "prefix names slices",
        lambda op: [(dtype, UNKNOWN) for dtype in op.attrs["dtypes"]],
        "restored",
    ),
    ("SaveV2", "prefix names slices", lambda op: [], "saved"),
    ("MergeV2Checkpoints", "prefixes destination", lambda op: [], "united"),
    ("ShardedFilename", "name shard:length count:length", _name, "shard_name"),
    ("StringJoin", "inputs:*T", _name, _join_code),
    ("StaticRegexFullMatch", "input", lambda op: [(dtypes.bool, SCALAR)], _match_code),
):
    register(_type, _inputs, _infer, _code, not_differentiable, stateful=True)
