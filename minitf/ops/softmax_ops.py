"""Softmax, and the losses that take logits: along one axis, shifted so that exp does not overflow.

Mirrors the softmax and cross entropy functions of tensorflow/python/ops/nn_ops.py and nn_impl.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import REAL_FLOATS
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops import array_ops, axes_ops, math_ops, reduction_ops
from minitf.ops.shape_ops import called, defines, renamed, same_as_first, shaped, with_shape_of


@kernel
def softmax_of(x, axis: int = -1):
    """exp(x), divided by its sum along `axis`."""
    exps = np.exp(x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf))
    return exps / np.add.reduce(exps, axis, keepdims=True)


@kernel
def log_softmax_of(x, axis: int = -1):
    """The logarithm of softmax."""
    shifted = x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))


@kernel
def cross_entropy(logits, labels):
    """-sum(labels * log(softmax(logits))) of each row of `logits`, for which a single row of labels is repeated."""
    repeated = labels if labels.shape == logits.shape else np.broadcast_to(labels, logits.shape)
    return -np.add.reduce(repeated * log_softmax_of(logits), -1)


@kernel
def one_hot_like(logits, labels):
    """For each label a row of the length of a row of `logits`: 1 at the label's place, 0 elsewhere."""
    count, flat = logits.shape[-1], np.ravel(labels)
    if labels.shape != logits.shape[:-1]:
        shapes = (
            f"logits shape {in_message(logits.shape)} and labels shape {in_message(labels.shape)}"
        )
        raise InvalidArgumentError(
            None, None, f"logits and labels must have the same first dimension, got {shapes}"
        )
    for label in flat[(flat < 0) | (flat >= count)]:
        outside = f"{label} which is outside the valid range of [0, {count})"
        raise ValueError(
            f"Received a label value of {outside}.  Label values: {' '.join(map(str, flat))}"
        )
    return (labels[..., None] == np.arange(count)).astype(logits.dtype)


@kernel
def sparse_cross_entropy(logits, labels):
    """-log(softmax(logits)) at the label of each row."""
    return -np.add.reduce(log_softmax_of(logits), -1, where=one_hot_like(logits, labels) > 0)[()]


def _along(axis: int | None, dim: int | None) -> int:
    """The axis, `dim` being its older name; the last one unless said otherwise."""
    axis = renamed("axis", axis, "dim", dim)
    return -1 if axis is None else axis


def _not_a_scalar(op: Operation, logits: Tensor) -> TensorShape:
    if logits.shape.rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    return logits.shape


def _softmax(op_type: str, name: str, rule: Callable) -> Callable:
    """Register an op along an axis; the public function that builds it."""

    def gradient(op: Operation, dy: Tensor) -> list:
        return [
            lambda: rule(
                op.outputs[0], dy, lambda x: reduction_ops.reduce_sum(x, op.attrs["axis"], True)
            )
        ]

    code = called(f"{name}_of", axis=-1)
    register(op_type, "logits:T", shaped(_not_a_scalar), code, gradient, allowed=REAL_FLOATS)

    def build(
        logits, axis: int | None = None, name: str | None = None, dim: int | None = None
    ) -> Tensor:
        axis, logits = _along(axis, dim), convert_to_tensor(logits)
        rank = logits.shape.rank
        if rank and not -rank <= axis < rank:
            known = f"[-{rank}, {rank}) where {rank} is the number of dimensions in the input"
            raise InvalidArgumentError(
                None, None, f"`dim` must be in the range {known}. Received: dim={axis}"
            )
        return build_tensor(op_type, logits, name=name, axis=-1 if axis + 1 == rank else axis)

    return named(
        build, name, f"{name} along `axis` (once `dim`), the last one unless said otherwise."
    )


softmax = _softmax("Softmax", "softmax", lambda y, dy, total: (dy - total(dy * y)) * y)
log_softmax = _softmax(
    "LogSoftmax", "log_softmax", lambda y, dy, total: dy - total(dy) * math_ops.exp(y)
)


def _each_row(op: Operation, dy: Tensor, rows: Tensor) -> Tensor:
    """Each row multiplied by the gradient of its loss."""
    return rows * build_tensor("Unreduce", dy, op.inputs[0], -1, keep_dims=False)


def _dense_gradient(op: Operation, dy: Tensor) -> list:
    logits, labels = op.inputs
    return [
        lambda: _each_row(op, dy, with_shape_of(logits, softmax(logits) - labels)),
        lambda: _each_row(op, dy, -log_softmax(logits)),
    ]


def _explain(logits, labels) -> str:
    sizes = f"logits_size={in_message(logits.shape)} labels_size={in_message(labels.shape)}"
    return f"logits and labels must be broadcastable: {sizes}"


_DENSE, _SPARSE = "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"


@defines(
    _DENSE,
    "features:T labels:T",
    "cross_entropy",
    _dense_gradient,
    explain=_explain,
    allowed=REAL_FLOATS,
)
def _rows(op: Operation, logits: Tensor, labels: Tensor) -> TensorShape:
    broadcast(logits.shape, labels.shape)
    return logits.shape[:-1]


def _sparse_gradient(op: Operation, dy: Tensor) -> list:
    return [
        lambda: _each_row(op, dy, softmax(op.inputs[0]) - build_tensor("OneHotLike", *op.inputs)),
        None,
    ]


register(
    "OneHotLike", "features:T labels:length", same_as_first, "one_hot_like", not_differentiable
)


@defines(
    _SPARSE,
    "features:T labels:length",
    "sparse_cross_entropy",
    _sparse_gradient,
    allowed=REAL_FLOATS,
)
def _sparse_rows(op: Operation, logits: Tensor, labels: Tensor) -> TensorShape:
    x, y = logits.shape, labels.shape
    if not y.is_compatible_with(x[:-1]):
        words = "`labels.shape` must equal `logits.shape` except for the last dimension."
        raise ValueError(f"{words} Received: labels.shape={y} and logits.shape={x}")
    return y.merge_with(x[:-1])


def _check_both_given(function: str, labels, logits) -> None:
    if labels is None or logits is None:
        received = f"Received: labels={labels} and logits={logits}"
        raise ValueError(f"Both `labels` and `logits` must be provided for {function}{received}")


def softmax_cross_entropy_with_logits_v2(
    labels, logits, axis: int | None = None, name: str | None = None, dim: int | None = None
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
            logits, labels = (
                axes_ops.transpose_op(logits, order),
                axes_ops.transpose_op(labels, order),
            )
        each = build_tensor(_DENSE, logits, labels, name=scope)
        return array_ops.identity(each, name="Reshape_2")


def softmax_cross_entropy_with_logits(
    labels=None, logits=None, dim: int = -1, name: str | None = None, axis: int | None = None
) -> Tensor:
    """softmax_cross_entropy_with_logits_v2, but no gradient flows into `labels`."""
    _check_both_given("softmax_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        return softmax_cross_entropy_with_logits_v2(
            labels, logits, dim if axis is None else axis, name=scope
        )


def sparse_softmax_cross_entropy_with_logits(
    labels=None, logits=None, name: str | None = None
) -> Tensor:
    """-log(softmax(logits)) at the place that `labels`, ints of one dimension less, give for each row.

    Raises ValueError where the shapes don't fit, InvalidArgumentError in the run for a label out of range.
    """
    _check_both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    with name_scope(name, _SPARSE, [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        if logits.shape.rank == 0:
            raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}`")
        x, y = logits.shape, labels.shape
        if None not in (x.rank, y.rank) and y.rank != x.rank - 1:
            received = f"labels.shape={y} of rank {y.rank} and logits.shape={x} of rank {x.rank}"
            raise ValueError(
                f"`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: {received}"
            )
        return build_tensor(
            _SPARSE, logits, labels, name=name if logits.shape.rank == 2 else "Reshape_2"
        )


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name: str | None = None) -> Tensor:
    """For each element -labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Raises ValueError where the shapes differ.
    """
    _check_both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        if not logits.shape.is_compatible_with(labels.shape):
            shapes = f"{logits.shape} vs {labels.shape}"
            raise ValueError(
                f"`logits` and `labels` must have the same shape, received ({shapes})."
            )
        zeros = array_ops.zeros_like(logits)
        positive = logits >= zeros
        linear = build_tensor("Select", positive, logits, zeros) - logits * labels
        rest = math_ops.log1p(math_ops.exp(build_tensor("Select", positive, -logits, logits)))
        return math_ops.add(linear, rest, name=scope)
