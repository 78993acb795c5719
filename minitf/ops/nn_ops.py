"""`tf.nn`, what neural networks are built of: activations, biases, noise; softmax is in softmax_ops.py.

Stands for tensorflow/python/ops/nn_ops.py, nn_impl.py and nn_grad.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes, registry
from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.namespaces import names_what_is_missing
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import infix, kernel, register
from minitf.framework.tensor_shape import TensorShape, in_message
from minitf.ops import array_ops, comparison_ops, math_ops, matrix_ops, random_ops, reduction_ops
from minitf.ops.array_ops import same_as_first
from minitf.ops.math_ops import sigmoid, tanh  # noqa: F401
from minitf.ops.shape_ops import shape as shape_op
from minitf.ops.softmax_ops import (  # noqa: F401
    log_softmax,
    precise_form,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)

# Activations. A gradient rule reads: input, output, gradient of the output.


def _activation(op_type: str, doc: str, code: Any, rule: Callable, allowed: tuple = registry.REAL_FLOATS) -> Callable:
    """Register an elementwise op; the public function that builds it."""

    def gradient(op: Operation, dy: Tensor) -> list:
        return [lambda: rule(op.inputs[0], op.outputs[0], dy)]

    register(op_type, "features:T", same_as_first, code, gradient, allowed=allowed, weak=True)

    def activation(features: Any, name: str | None = None) -> Tensor:
        return build_tensor(op_type, features, name=name)

    activation.__doc__ = f"{doc}, for each element. Raises TypeError unless x is {', '.join(allowed)}."
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
    "Elu", "x, and exp(x) - 1 where that is negative", "elu_of", lambda x, y, dy: _where(y < 0, dy * (y + 1), dy)
)
softplus = _activation(
    "Softplus", "log(1 + exp(x))", lambda op, x: f"logaddexp({x}, 0)", lambda x, y, dy: dy / (math_ops.exp(-x) + 1)
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
    lambda op, dy: [lambda: build_tensor("ReluGrad", dy, op.inputs[1]), lambda: array_ops.zeros_like(op.inputs[1])],
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


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """value + bias, a vector along the last axis, or along the second for `data_format="NCHW"`.

    Raises ValueError where the lengths differ.
    """
    if data_format is not None and not data_format.startswith("N"):
        raise ValueError(f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}")
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
            convert_to_tensor(v, name=n) for v, n in ((x, "x"), (weights, "weights"), (biases, "biases"))
        )
        return bias_add(matrix_ops.matmul(x, weights), biases, name=scope)


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
                f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={x.dtype}"
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
        precise = precise_form(x)
        mean = reduction_ops.reduce_mean(precise, axes, keepdims=True, name="mean")
        distance = math_ops.squared_difference(precise, array_ops.stop_gradient(mean))
        variance = reduction_ops.reduce_mean(distance, axes, keepdims=True, name="variance")
        if not (keep_dims or keepdims):
            mean = reduction_ops.reduce_mean(mean, axes, name="Squeeze")
            variance = reduction_ops.reduce_mean(variance, axes, name="Squeeze_1")
        return math_ops.cast(mean, x.dtype), math_ops.cast(variance, x.dtype)


__getattr__ = names_what_is_missing("tf.nn")
