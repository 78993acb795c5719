"""Softmax, and the losses that take logits: along one axis, shifted so that exp does not overflow.

Stands for the softmax and cross entropy functions of tensorflow/python/ops/nn_ops.py and nn_impl.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import REAL_FLOATS, kernel, register
from minitf.framework.tensor_shape import broadcast, in_message
from minitf.ops import array_ops, axes_ops, gather_ops, math_ops, reduction_ops
from minitf.ops.array_ops import same_as_first
from minitf.ops.shape_ops import shape


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
def sparse_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log(softmax(logits)) at the label of each row."""
    if labels.shape != logits.shape[:-1]:
        shapes = f"logits shape {in_message(logits.shape)} and labels shape {in_message(labels.shape)}"
        raise InvalidArgumentError(None, None, f"logits and labels must have the same first dimension, got {shapes}")
    count = logits.shape[-1]
    for label in np.ravel(labels)[(np.ravel(labels) < 0) | (np.ravel(labels) >= count)]:
        outside = f"{label} which is outside the valid range of [0, {count}). "
        raise ValueError(f"Received a label value of {outside} Label values: {' '.join(map(str, np.ravel(labels)))}")
    return -np.take_along_axis(log_softmax_of(logits), labels[..., None], -1)[..., 0]


def _along(axis: int | None, dim: int | None) -> int:
    """The axis, `dim` being its older name; the last one unless said otherwise."""
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'.")
    axis = dim if axis is None else axis
    return -1 if axis is None else axis


def _infer_softmax(op: Operation) -> list:
    if op.inputs[0].shape.rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    return same_as_first(op)


def _softmax(op_type: str, name: str, rule: Callable) -> Callable:
    """Register an op along an axis; the public function that builds it."""

    def code(op: Operation, x: str) -> str:
        return f"{name}_of({x})" if op.attrs["axis"] == -1 else f"{name}_of({x}, {op.attrs['axis']})"

    def gradient(op: Operation, dy: Tensor) -> list:
        return [lambda: rule(op.outputs[0], dy, lambda x: reduction_ops.reduce_sum(x, op.attrs["axis"], True))]

    register(op_type, "logits:T", _infer_softmax, code, gradient, allowed=REAL_FLOATS)

    def build(logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None) -> Tensor:
        axis, logits = _along(axis, dim), convert_to_tensor(logits)
        rank = logits.shape.rank
        if rank and not -rank <= axis < rank:
            known = f"[-{rank}, {rank}) where {rank} is the number of dimensions in the input"
            raise InvalidArgumentError(None, None, f"`dim` must be in the range {known}. Received: dim={axis}")
        return build_tensor(op_type, logits, name=name, axis=-1 if axis + 1 == rank else axis)

    build.__doc__ = f"{name} along `axis` (once `dim`), the last one unless said otherwise."
    build.__name__ = build.__qualname__ = name
    return build


softmax = _softmax("Softmax", "softmax", lambda y, dy, total: (dy - total(dy * y)) * y)
log_softmax = _softmax("LogSoftmax", "log_softmax", lambda y, dy, total: dy - total(dy) * math_ops.exp(y))


def _explain_cross_entropy(logits: Any, labels: Any) -> str:
    sizes = f"logits_size={in_message(logits.shape)} labels_size={in_message(labels.shape)}"
    return f"logits and labels must be broadcastable: {sizes}"


def _each_row(op: Operation, dy: Tensor, rows: Tensor) -> Tensor:
    """Each row multiplied by the gradient of its loss."""
    return rows * build_tensor("Unreduce", dy, op.inputs[0], -1, keep_dims=False)


register(
    "SoftmaxCrossEntropyWithLogits",
    "features:T labels:T",
    lambda op: [(op.inputs[0].dtype.base_dtype, broadcast(*(t.shape for t in op.inputs))[:-1])],
    "cross_entropy",
    lambda op, dy: [
        lambda: _each_row(op, dy, softmax(op.inputs[0]) - op.inputs[1]),
        lambda: _each_row(op, dy, -log_softmax(op.inputs[0])),
    ],
    explain=_explain_cross_entropy,
    allowed=REAL_FLOATS,
)


def _infer_sparse(op: Operation) -> list:
    logits, labels = (t.shape for t in op.inputs)
    if None not in (labels.rank, logits.rank) and labels.rank != logits.rank - 1:
        received = f"labels.shape={labels} of rank {labels.rank} and logits.shape={logits} of rank {logits.rank}"
        raise ValueError(f"`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: {received}")
    if not labels.is_compatible_with(logits[:-1]):
        received = f"labels.shape={labels} and logits.shape={logits}"
        raise ValueError(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: {received}"
        )
    return [(op.inputs[0].dtype.base_dtype, labels.merge_with(logits[:-1]))]


def _sparse_gradient(op: Operation, dy: Tensor) -> list:
    def dx() -> Tensor:
        logits, labels = op.inputs
        right = gather_ops.one_hot_op(labels, shape(logits)[-1], dtype=logits.dtype)
        return _each_row(op, dy, softmax(logits) - right)

    return [dx, None]


register(
    "SparseSoftmaxCrossEntropyWithLogits",
    "features:T labels:length",
    _infer_sparse,
    "sparse_cross_entropy",
    _sparse_gradient,
    allowed=REAL_FLOATS,
)


def _check_both_given(function: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        received = f"Received: labels={labels} and logits={logits}"
        raise ValueError(f"Both `labels` and `logits` must be provided for {function}{received}")


def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """For each row -sum(labels * log(softmax(logits))): how far the probabilities are from `labels`.

    The gradient flows into both. Raises ValueError where the shapes don't fit.
    """
    axis = _along(axis, dim)
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = math_ops.cast(labels, logits.dtype)
        rank = logits.shape.rank
        if rank and axis % rank != rank - 1:
            order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
            logits, labels = axes_ops.transpose(logits, order), axes_ops.transpose(labels, order)
        each = build_tensor("SoftmaxCrossEntropyWithLogits", logits, labels, name=scope)
        return array_ops.identity(each, name="Reshape_2")


def softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, dim: int = -1, name: str | None = None, axis: int | None = None
) -> Tensor:
    """softmax_cross_entropy_with_logits_v2, but no gradient flows into `labels`."""
    _check_both_given("softmax_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        return softmax_cross_entropy_with_logits_v2(labels, logits, dim if axis is None else axis, name=scope)


def sparse_softmax_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """-log(softmax(logits)) at the place that `labels`, ints of one dimension less, give for each row.

    Raises ValueError where the shapes don't fit, InvalidArgumentError in the run for a label out of range.
    """
    _check_both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    op_type = "SparseSoftmaxCrossEntropyWithLogits"
    with name_scope(name, op_type, [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        if logits.shape.rank == 0:
            raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}`")
        return build_tensor(op_type, logits, labels, name=name if logits.shape.rank == 2 else "Reshape_2")


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """For each element -labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Raises ValueError where the shapes differ.
    """
    _check_both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        if not logits.shape.is_compatible_with(labels.shape):
            shapes = f"({logits.shape} vs {labels.shape})"
            raise ValueError(f"`logits` and `labels` must have the same shape, received {shapes}.")
        zeros = array_ops.zeros_like(logits)
        positive = logits >= zeros
        linear = build_tensor("Select", positive, logits, zeros) - logits * labels
        rest = math_ops.log1p(math_ops.exp(build_tensor("Select", positive, -logits, logits)))
        return math_ops.add(linear, rest, name=scope)
