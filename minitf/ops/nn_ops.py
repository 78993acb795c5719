"""What neural networks are built of: activations, and the losses that take logits.

Stands for tensorflow/python/ops/nn_ops.py, nn_impl.py and nn_grad.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes, registry
from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.missing import names_what_is_missing
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import infix, kernel, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops import array_ops, comparison_ops, math_ops, matrix_ops, random_ops, reduction_ops
from minitf.ops.array_ops import same_as_first
from minitf.ops.math_ops import sigmoid, tanh  # noqa: F401
from minitf.ops.shape_ops import shape as shape_op

# Activations. A gradient rule reads: input, output, gradient of the output.


def _activation(
    op_type: str, doc: str, code: Any, rule: Callable, allowed: tuple = registry.REAL_FLOATS
) -> Callable:
    """Register an elementwise op; the public function that builds it."""

    def gradient(op: Operation, dy: Tensor) -> list:
        return [lambda: rule(op.inputs[0], op.outputs[0], dy)]

    register(op_type, "features:T", same_as_first, code, gradient, allowed=allowed, weak=True)

    def activation(features: Any, name: str | None = None) -> Tensor:
        return build_tensor(op_type, features, name=name)

    activation.__doc__ = (
        f"{doc}, for each element. Raises TypeError unless x is {', '.join(allowed)}."
    )
    activation.__name__ = activation.__qualname__ = op_type.lower()
    return activation


def _where(condition: Tensor, x: Any, y: Any) -> Tensor:
    return build_tensor("Select", condition, x, y)


def _positive(x: Tensor) -> Tensor:
    return comparison_ops.greater(x, constant(0, x.dtype.base_dtype))


@kernel
def elu_of(x: Any) -> Any:
    """x, and exp(x) - 1 where that is negative."""
    return np.where(x < 0, np.expm1(x), x)[()]


relu = _activation(
    "Relu",
    "max(x, 0)",
    lambda op, x: f"maximum({x}, 0)",
    lambda x, y, dy: build_tensor("ReluGrad", dy, y),
    registry.REALS,
)
relu6 = _activation(
    "Relu6",
    "min(max(x, 0), 6)",
    lambda op, x: f"minimum(maximum({x}, 0), 6)",
    lambda x, y, dy: _where(y < 6, build_tensor("ReluGrad", dy, y), array_ops.zeros_like(dy)),
    registry.REALS,
)
elu = _activation(
    "Elu",
    "x, and exp(x) - 1 where that is negative",
    "elu_of",
    lambda x, y, dy: _where(y < 0, dy * (y + 1), dy),
)
softplus = _activation(
    "Softplus",
    "log(1 + exp(x))",
    lambda op, x: f"logaddexp({x}, 0)",
    lambda x, y, dy: dy / (math_ops.exp(-x) + 1),
)
softsign = _activation(
    "Softsign",
    "x / (1 + |x|)",
    lambda op, x: f"{registry.atom(x)} / (1 + abs({x}))",
    lambda x, y, dy: dy / math_ops.square(1 + math_ops.abs(x)),
)
registry.KERNELS["logaddexp"] = np.logaddexp

register(
    "ReluGrad",
    "gradients:T features:T",
    same_as_first,
    lambda op, dy, y: infix("*", dy, infix(">", y, "0")),
    lambda op, dy: [
        lambda: build_tensor("ReluGrad", dy, op.inputs[1]),
        lambda: array_ops.zeros_like(op.inputs[1]),
    ],
)
register(
    "LeakyRelu",
    "features:T",
    same_as_first,
    lambda op, x: f"where({infix('>', x, '0')}, {x}, {infix('*', repr(op.attrs['alpha']), x)})",
    lambda op, dy: [lambda: _where(_positive(op.inputs[0]), dy, dy * op.attrs["alpha"])],
    allowed=registry.REAL_FLOATS,
)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x, and alpha * x where that is negative, for each element; ints become float32."""
    with name_scope(name, "LeakyRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = math_ops.cast(features, dtypes.float32)
        return build_tensor("LeakyRelu", features, name=scope, alpha=float(alpha))


register(
    "L2Loss",
    "t:T",
    lambda op: [(op.inputs[0].dtype.base_dtype, TensorShape([]))],
    lambda op, x: infix("/", f"sum(square({x}))", "2"),
    lambda op, dy: [lambda: dy * op.inputs[0]],
    allowed=registry.REAL_FLOATS,
)


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of the squares of all elements."""
    return build_tensor("L2Loss", t, name=name)


# A bias for each channel.


def _infer_bias_add(op: Operation) -> list:
    value, bias = (t.shape for t in op.inputs)
    if value.rank is not None and value.rank < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {value.rank}")
    if bias.rank not in (None, 1):
        raise ValueError(f"Shape must be rank 1 but is rank {bias.rank}")
    if value.lengths and bias.lengths:
        lengths = value.lengths[-1], bias.lengths[0]
        if all(isinstance(d, int) for d in lengths) and lengths[0] != lengths[1]:
            raise ValueError(f"Dimensions must be equal, but are {lengths[0]} and {lengths[1]}")
        last = lengths[1] if isinstance(lengths[1], int) else lengths[0]
        value = TensorShape.of((*value.lengths[:-1], last))
    return [(op.inputs[0].dtype.base_dtype, value)]


register(
    "BiasAdd",
    "value:T bias:T",
    _infer_bias_add,
    "+",
    lambda op, dy: [dy, lambda: build_tensor("Unbroadcast", dy, op.inputs[1])],
    explain=lambda x, bias: (
        "Must provide as many biases as the last dimension of the input tensor: "
        f"{in_message(np.shape(bias))} vs. {in_message(np.shape(x))}"
    ),
    allowed=registry.NUMBERS,
)


def bias_add(
    value: Any, bias: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """value + bias, a vector along the last axis, or along the second for `data_format="NCHW"`.

    Raises ValueError where the lengths differ.
    """
    if data_format is not None and not data_format.startswith("N"):
        raise ValueError(
            f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
        )
    with name_scope(name, "BiasAdd", [value, bias]) as scope:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, value.dtype.base_dtype, name="bias")
        if data_format is not None and data_format.startswith("NC"):
            bias = array_ops.reshape_op(bias, [-1] + [1] * (value.shape.rank - 2))
            return math_ops.add(value, bias, name=scope)
        return build_tensor("BiasAdd", value, bias, name=scope)


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """matmul(x, weights) + biases."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        x, weights, biases = (
            convert_to_tensor(v, name=n)
            for v, n in ((x, "x"), (weights, "weights"), (biases, "biases"))
        )
        return bias_add(matrix_ops.matmul(x, weights), biases, name=scope)


# Softmax and its cross entropies: along one axis, by the shift that keeps exp from overflowing.


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
        shown = (
            f"logits shape {in_message(logits.shape)} and labels shape {in_message(labels.shape)}"
        )
        raise InvalidArgumentError(
            None, None, f"logits and labels must have the same first dimension, got {shown}"
        )
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

    def build(
        logits: Any, axis: int | None = None, name: str | None = None, dim: Any = None
    ) -> Tensor:
        if axis is not None and dim is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'.")
        axis, logits = (
            next((a for a in (axis, dim) if a is not None), -1),
            convert_to_tensor(logits),
        )
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

    build.__doc__ = (
        f"{code.removesuffix('_of')} along `axis` (once `dim`), the last one unless said otherwise."
    )
    build.__name__ = build.__qualname__ = code.removesuffix("_of")
    return build


softmax = _register_softmax(
    "Softmax", "softmax_of", lambda op, y, dy: (dy - _sum_along(op, dy * y)) * y
)
log_softmax = _register_softmax(
    "LogSoftmax", "log_softmax_of", lambda op, y, dy: dy - _sum_along(op, dy) * math_ops.exp(y)
)


def _infer_cross_entropy(op: Operation) -> list:
    features, labels = (t.shape for t in op.inputs)
    both = broadcast(features, labels).lengths
    return [
        (
            op.inputs[0].dtype.base_dtype,
            TensorShape(None) if both is None else TensorShape.of(both[:-1]),
        )
    ]


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
    lambda op: [
        (op.inputs[0].dtype.base_dtype, op.inputs[1].shape.merge_with(op.inputs[0].shape[:-1]))
    ],
    "sparse_cross_entropy",
    _sparse_gradient,
    allowed=registry.REAL_FLOATS,
)


def _precise(logits: Tensor) -> Tensor:
    return (
        math_ops.cast(logits, dtypes.float32)
        if logits.dtype.base_dtype is dtypes.float16
        else logits
    )


def _check_both_given(function: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError(
            f"Both `labels` and `logits` must be provided for {function}Received: labels={labels} and "
            f"logits={logits}"
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
        precise = _precise(logits)
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


def sparse_softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """-log(softmax(logits)) at the place that `labels`, ints of one dimension less, give for each row.

    Raises ValueError where the shapes don't fit, InvalidArgumentError in the run for a label out of range.
    """
    _check_both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    op_type = "SparseSoftmaxCrossEntropyWithLogits"
    with name_scope(name, op_type, [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        precise, shapes = _precise(logits), (labels.shape, logits.shape)
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
        cost = build_tensor(
            op_type, precise, labels, name=name if logits.shape.rank == 2 else "Reshape_2"
        )
        return math_ops.cast(cost, logits.dtype.base_dtype)


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """For each element -labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Raises ValueError where the shapes differ.
    """
    _check_both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        if not logits.shape.is_compatible_with(labels.shape):
            raise ValueError(
                f"`logits` and `labels` must have the same shape, received ({logits.shape} vs "
                f"{labels.shape})."
            )
        zeros = array_ops.zeros_like(logits)
        positive = comparison_ops.greater_equal(logits, zeros)
        linear = _where(positive, logits, zeros) - logits * labels
        rest = math_ops.log1p(math_ops.exp(_where(positive, -logits, logits)))
        return math_ops.add(linear, rest, name=scope)


# Noise, and statistics.


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """x with each element set to 0 with probability `rate` (1 - `keep_prob`), the rest scaled up to make up.

    Where `noise_shape` has a 1, a whole axis is kept or dropped together. Raises ValueError for a rate
    outside [0, 1).
    """
    if keep_prob is not None and rate is not None:
        raise ValueError("Cannot specify both 'keep_prob' and 'rate'.")
    try:
        rate = rate if keep_prob is None else 1 - keep_prob
    except TypeError:
        raise ValueError(
            f"`keep_prob` must be a floating point number or Tensor. Received: keep_prob={keep_prob}"
        ) from None
    if rate is None:
        raise ValueError("`rate` must be provided. Received: rate=None")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
                f"x_dtype={x.dtype}"
            )
        if isinstance(rate, int | float):
            if not 0 <= rate < 1:
                raise ValueError(
                    f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
                )
            if rate == 0:
                return x
            kept = math_ops.multiply(x, constant(1 / (1 - rate), x.dtype.base_dtype), name="Mul")
        else:
            rate = convert_to_tensor(rate, name="rate")
            if rate.dtype.base_dtype is not x.dtype.base_dtype:
                raise ValueError(
                    f"`x.dtype` must be compatible with `rate.dtype`. Received: x.dtype={x.dtype} and "
                    f"rate.dtype={rate.dtype}"
                )
            kept = x / (1 - rate)
        if isinstance(noise_shape, list | tuple) and x.shape.rank == len(noise_shape):
            known = zip(noise_shape, x.shape.as_list(), strict=True)
            noise_shape = [d if n is None else n for n, d in known]
        noise_shape = shape_op(x) if noise_shape is None else noise_shape
        noise = random_ops.random_uniform(noise_shape, dtype=x.dtype.base_dtype, seed=seed)
        zero = constant(0, x.dtype.base_dtype)
        return build_tensor("SelectV2", comparison_ops.greater_equal(noise, rate), kept, zero)


def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance of x along `axes`. (`shift` has no effect.)"""
    with name_scope(name, "moments", [x, axes]):
        x = convert_to_tensor(x, name="x")
        precise = _precise(x)
        mean = reduction_ops.reduce_mean(precise, axes, keepdims=True, name="mean")
        distance = math_ops.squared_difference(precise, array_ops.stop_gradient(mean))
        variance = reduction_ops.reduce_mean(distance, axes, keepdims=True, name="variance")
        if not (keep_dims or keepdims):
            mean = reduction_ops.reduce_mean(mean, axes, name="Squeeze")
            variance = reduction_ops.reduce_mean(variance, axes, name="Squeeze_1")
        return math_ops.cast(mean, x.dtype), math_ops.cast(variance, x.dtype)


__getattr__ = names_what_is_missing("tf.nn")
