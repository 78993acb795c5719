"""Softmax, and the losses that take logits: along one axis, shifted so that exp does not overflow.

Stands for the softmax and cross entropy functions of tensorflow/python/ops/nn_ops.py and nn_impl.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes, registry
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops import array_ops, comparison_ops, math_ops, reduction_ops
from minitf.ops.array_ops import same_as_first
from minitf.ops.math_ops import sigmoid, tanh  # noqa: F401
from minitf.ops.shape_ops import shape as shape_op


@kernel
def softmax_of(x: Any, axis: int = -1) -> Any:
    """exp(x), divided by its sum along `axis`."""
    exps = np.exp(x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf))
    return exps / np.add.reduce(exps, axis, keepdims=True)


@kernel
def log_softmax_of(x: Any, axis: int = -1) -> Any:
    """The logarithm of softmax."""
    shifted = x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))


@kernel
def cross_entropy(logits: Any, labels: Any) -> Any:
    """-sum(labels * log(softmax(logits))) of each row."""
    return -np.add.reduce(labels * log_softmax_of(logits), -1)


@kernel
def one_hot_like(labels: Any, logits: Any) -> Any:
    """For each label a row of the length of a row of `logits`: 1 at the label's place, 0 elsewhere."""
    count = logits.shape[-1]
    if labels.shape != logits.shape[:-1]:
        shown = f"logits shape {in_message(logits.shape)} and labels shape {in_message(labels.shape)}"
        raise InvalidArgumentError(None, None, f"logits and labels must have the same first dimension, got {shown}")
    for label in np.ravel(labels)[(np.ravel(labels) < 0) | (np.ravel(labels) >= count)]:
        shown = " ".join(map(str, np.ravel(labels)))
        raise InvalidArgumentError(
            None,
            None,
            f"Received a label value of {label} which is outside the valid range of [0, {count}).  "
            f"Label values: {shown}",
        )
    return (labels[..., None] == np.arange(count)).astype(logits.dtype)


@kernel
def sparse_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log(softmax(logits)) at the label of each row."""
    rows = one_hot_like(labels, logits)
    return -np.add.reduce(log_softmax_of(logits), -1, where=rows > 0)[()]


def _sum_along(op: Operation, x: Tensor) -> Tensor:
    return reduction_ops.reduce_sum(x, op.attrs["axis"], keepdims=True)


def _infer_softmax(op: Operation) -> list:
    if op.inputs[0].shape.rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    return same_as_first(op)


def _register_softmax(op_type: str, code: str, rule: Callable) -> Callable:
    """Register an op along an axis; the public function that builds it."""
    register(
        op_type,
        "logits:T",
        _infer_softmax,
        lambda op, x: f"{code}({x}" + (f", {op.attrs['axis']})" if op.attrs["axis"] != -1 else ")"),
        lambda op, dy: [lambda: rule(op, op.outputs[0], dy)],
        allowed=registry.REAL_FLOATS,
    )

    def build(logits: Any, axis: int | None = None, name: str | None = None, dim: Any = None) -> Tensor:
        if axis is not None and dim is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'.")
        axis, logits = (next((a for a in (axis, dim) if a is not None), -1), convert_to_tensor(logits))
        rank = logits.shape.rank
        if rank and not -rank <= axis < rank:
            raise InvalidArgumentError(
                None,
                None,
                f"`dim` must be in the range [-{rank}, {rank}) where {rank} is the number of "
                f"dimensions in the input. Received: dim={axis}",
            )
        axis = -1 if axis + 1 == rank else axis
        return build_tensor(op_type, logits, name=name, axis=axis)

    build.__doc__ = f"{code.removesuffix('_of')} along `axis` (once `dim`), the last one unless said otherwise."
    build.__name__ = build.__qualname__ = code.removesuffix("_of")
    return build


softmax = _register_softmax("Softmax", "softmax_of", lambda op, y, dy: (dy - _sum_along(op, dy * y)) * y)
log_softmax = _register_softmax(
    "LogSoftmax", "log_softmax_of", lambda op, y, dy: dy - _sum_along(op, dy) * math_ops.exp(y)
)


def _infer_cross_entropy(op: Operation) -> list:
    features, labels = (t.shape for t in op.inputs)
    both = broadcast(features, labels).lengths
    return [(op.inputs[0].dtype.base_dtype, TensorShape(None) if both is None else TensorShape.of(both[:-1]))]


def _explain_cross_entropy(logits: Any, labels: Any) -> str:
    return (
        f"logits and labels must be broadcastable: logits_size={in_message(np.shape(logits))} "
        f"labels_size={in_message(np.shape(labels))}"
    )


def _each_row(op: Operation, dy: Tensor, rows: Tensor) -> Tensor:
    """Each row multiplied by the gradient of its loss."""
    return rows * build_tensor("Unreduce", dy, op.inputs[0], -1, keep_dims=False)


register(
    "SoftmaxCrossEntropyWithLogits",
    "features:T labels:T",
    _infer_cross_entropy,
    "cross_entropy",
    lambda op, dy: [
        lambda: _each_row(op, dy, softmax(op.inputs[0]) - op.inputs[1]),
        lambda: _each_row(op, dy, -log_softmax(op.inputs[0])),
    ],
    explain=_explain_cross_entropy,
    allowed=registry.REAL_FLOATS,
)
register(
    "OneHotLike",
    "labels:length features",
    lambda op: [(op.inputs[1].dtype.base_dtype, op.inputs[1].shape)],
    "one_hot_like",
    registry.not_differentiable,
)


def _sparse_gradient(op: Operation, dy: Tensor) -> list:
    features, labels = op.inputs
    right = build_tensor("OneHotLike", labels, features)
    return [lambda: _each_row(op, dy, softmax(features) - right), None]


register(
    "SparseSoftmaxCrossEntropyWithLogits",
    "features:T labels:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[1].shape.merge_with(op.inputs[0].shape[:-1]))],
    "sparse_cross_entropy",
    _sparse_gradient,
    allowed=registry.REAL_FLOATS,
)


def precise_form(logits: Tensor) -> Tensor:
    """float16 as float32, in which sums of exponentials keep their digits; others as they are."""
    return math_ops.cast(logits, dtypes.float32) if logits.dtype.base_dtype is dtypes.float16 else logits


def _check_both_given(function: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError(
            f"Both `labels` and `logits` must be provided for {function}Received: labels={labels} and logits={logits}"
        )


def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: int | None = None, name: str | None = None, dim: Any = None
) -> Tensor:
    """For each row -sum(labels * log(softmax(logits))): how far the probabilities are from `labels`.

    The gradient flows into both. Raises ValueError where the shapes don't fit.
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'.")
    axis = next((a for a in (axis, dim) if a is not None), -1)
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels, dtype = convert_to_tensor(labels, name="labels"), logits.dtype.base_dtype
        precise = precise_form(logits)
        labels = math_ops.cast(labels, precise.dtype)
        if axis not in (-1, precise.shape.rank and precise.shape.rank - 1):
            log_p = log_softmax(precise, axis)
            return -reduction_ops.reduce_sum(labels * log_p, axis, name="Reshape_2")
        cost = build_tensor("SoftmaxCrossEntropyWithLogits", precise, labels, name=scope)
        cost = array_ops.reshape_op(cost, shape_op(cost), name="Reshape_2")
        return math_ops.cast(cost, dtype)


def softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, dim: int = -1, name: str | None = None, axis: Any = None
) -> Tensor:
    """softmax_cross_entropy_with_logits_v2, but no gradient flows into `labels`."""
    _check_both_given("softmax_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        axis = dim if axis is None else axis
        return softmax_cross_entropy_with_logits_v2(labels, logits, axis, name=scope)


def sparse_softmax_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """-log(softmax(logits)) at the place that `labels`, ints of one dimension less, give for each row.

    Raises ValueError where the shapes don't fit, InvalidArgumentError in the run for a label out of range.
    """
    _check_both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    op_type = "SparseSoftmaxCrossEntropyWithLogits"
    with name_scope(name, op_type, [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        precise, shapes = precise_form(logits), (labels.shape, logits.shape)
        if logits.shape.rank == 0:
            raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}`")
        if None not in (labels.shape.rank, logits.shape.rank):
            if labels.shape.rank != logits.shape.rank - 1:
                raise ValueError(
                    "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
                    f"labels.shape={shapes[0]} of rank {shapes[0].rank} and logits.shape={shapes[1]} of rank "
                    f"{shapes[1].rank}"
                )
            if not shapes[0].is_compatible_with(shapes[1][:-1]):
                raise ValueError(
                    "`labels.shape` must equal `logits.shape` except for the last dimension. "
                    f"Received: labels.shape={shapes[0]} and logits.shape={shapes[1]}"
                )
        cost = build_tensor(op_type, precise, labels, name=name if logits.shape.rank == 2 else "Reshape_2")
        return math_ops.cast(cost, logits.dtype.base_dtype)


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """For each element -labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Raises ValueError where the shapes differ.
    """
    _check_both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        if not logits.shape.is_compatible_with(labels.shape):
            raise ValueError(
                f"`logits` and `labels` must have the same shape, received ({logits.shape} vs {labels.shape})."
            )
        zeros = array_ops.zeros_like(logits)
        positive = comparison_ops.greater_equal(logits, zeros)
        linear = build_tensor("Select", positive, logits, zeros) - logits * labels
        rest = math_ops.log1p(math_ops.exp(build_tensor("Select", positive, -logits, logits)))
        return math_ops.add(linear, rest, name=scope)
