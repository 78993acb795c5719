"""What neural networks are built of: activations, biases, noise; softmax is in softmax_ops.py.

Mirrors tensorflow/python/ops/nn_ops.py, nn_impl.py and nn_grad.py.
"""

from collections import namedtuple
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.dtypes import NUMBERS, REAL_FLOATS, REALS, float32, int32
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build, build_tensor, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, Code, atom, infix, kernel, register
from minitf.framework.tensor_shape import SCALAR, TensorShape, in_message
from minitf.ops import array_ops, axes_ops, comparison_ops, math_ops, reduction_ops, shape_ops
from minitf.ops.gather_ops import gather, one_hot_op
from minitf.ops.matrix_ops import matmul
from minitf.ops.random_ops import random_uniform
from minitf.ops.shape_ops import check_rank, defines, renamed, same_as_first

# Activations. A slope is made of input and output.


def _activation(op_type: str, code: str, slope: Callable, allowed: tuple = REAL_FLOATS) -> Callable:
    """Register an elementwise op, whose `code` is that of x; the public function that builds it."""

    def gradient(op: Operation, dy: Tensor) -> list:
        return [lambda: dy * slope(op.inputs[0], op.outputs[0])]

    def activation(features, name: str | None = None) -> Tensor:
        return build_tensor(op_type, features, name=name)

    def code_of(op: Operation, x: Code) -> Code | str:
        return reduce(partial(infix, "/"), [part.format(x=atom(x)) for part in code.split(" / ")])

    register(op_type, "features:T", same_as_first, code_of, gradient, allowed=allowed, weak=True)
    doc = f"{code.format(x='x')}, for each x of `features`. Raises TypeError unless they are {', '.join(allowed)}."
    return named(activation, op_type.lower(), doc)


KERNELS["logaddexp"] = np.logaddexp
relu = _activation("Relu", "maximum({x}, 0)", lambda x, y: math_ops.sign(y), REALS)
relu6 = _activation(
    "Relu6", "minimum(maximum({x}, 0), 6)", lambda x, y: math_ops.sign(y * (6 - y)), REALS
)
elu = _activation("Elu", "where({x} < 0, expm1({x}), {x})", lambda x, y: math_ops.exp(-relu(-x)))
softplus = _activation("Softplus", "logaddexp({x}, 0)", lambda x, y: math_ops.sigmoid(x))
softsign = _activation(
    "Softsign", "{x} / (1 + abs({x}))", lambda x, y: 1 / math_ops.square(1 + math_ops.abs(x))
)


def log_sigmoid(x, name: str | None = None) -> Tensor:
    """log(sigmoid(x)), for each element."""
    with name_scope(name, "LogSigmoid", [x]) as scope:
        return math_ops.negative(softplus(math_ops.negative(x)), name=scope)


def leaky_relu(features, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x, and alpha * x where that is negative, for each element; ints become float32."""
    with name_scope(name, "LeakyRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        features = math_ops.cast(features, float32) if features.dtype.is_integer else features
        slope = build_tensor(
            "SelectV2", features > 0, constant(1, features.dtype.base_dtype), alpha
        )
        return math_ops.multiply(features, slope, name=scope)


def _l2_code(op: Operation, x: str) -> str:
    return infix("/", f"sum(square({x}))", "2")


@defines("L2Loss", "t:T", _l2_code, lambda op, dy: [lambda: dy * op.inputs[0]], allowed=REAL_FLOATS)
def _l2_shape(op: Operation, t: Tensor) -> TensorShape:
    return SCALAR


def l2_loss(t, name: str | None = None) -> Tensor:
    """Half the sum of the squares of all elements."""
    return build_tensor("L2Loss", t, name=name)


# A bias for each channel.


def _bias_gradient(op: Operation, dy: Tensor) -> list:
    return [dy, lambda: build_tensor("Unbroadcast", dy, op.inputs[1])]


def _explain_bias(value, bias) -> str:
    shapes = f"{in_message(bias.shape)} vs. {in_message(value.shape)}"
    return f"Must provide as many biases as the last dimension of the input tensor: {shapes}"


@defines("BiasAdd", "value:T bias:T", "+", _bias_gradient, explain=_explain_bias, allowed=NUMBERS)
def _biased(op: Operation, value: Tensor, bias: Tensor) -> TensorShape:
    if value.shape.rank is not None and value.shape.rank < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {value.shape.rank}")
    check_rank(bias, 1)
    last = value.shape[-1:]
    if not last.is_compatible_with(bias.shape):
        raise ValueError(f"Dimensions must be equal, but are {last[0]} and {bias.shape[0]}")
    return value.shape[:-1].concatenate(last.merge_with(bias.shape))


def bias_add(value, bias, data_format: str | None = None, name: str | None = None) -> Tensor:
    """value + bias, a vector along the last axis, or along the second for `data_format="NCHW"`.

    Raises ValueError where the lengths differ.
    """
    if not (data_format or "NHWC").startswith("N"):
        raise ValueError(
            f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
        )
    with name_scope(name, "BiasAdd", [value, bias]) as scope:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, value.dtype.base_dtype, name="bias")
        if (data_format or "NHWC").startswith("NC"):
            return math_ops.add(
                value, array_ops.reshape_op(bias, [-1] + [1] * (value.shape.rank - 2)), name=scope
            )
        return build_tensor("BiasAdd", value, bias, name=scope)


def xw_plus_b(x, weights, biases, name: str | None = None) -> Tensor:
    """matmul(x, weights) + biases."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        return bias_add(matmul(x, weights), biases, name=scope)


# Rows, and what is known of many numbers.


def embedding_lookup(
    params,
    ids,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm=None,
) -> Tensor:
    """The rows of `params` (or of the only tensor in that list) with the numbers `ids`: tf.gather.

    The other arguments have no meaning here.
    """
    with name_scope(name, "embedding_lookup", [params, ids]) as scope:
        (table,) = params if isinstance(params, list | tuple) else [params]
        return array_ops.identity(gather(table, ids, name=scope))


def moments(
    x, axes, shift=None, name: str | None = None, keep_dims=None, keepdims=None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance of x along `axes`. `shift` has no meaning here."""
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "moments", [x, axes]):
        x = convert_to_tensor(x, name="x")
        mean = reduction_ops.reduce_mean(x, axes, True, name="mean")
        squares = math_ops.squared_difference(x, array_ops.stop_gradient(mean))
        variance = reduction_ops.reduce_mean(squares, axes, True, name="variance")
        return (
            (mean, variance)
            if keepdims
            else (axes_ops.squeeze_op(mean, axes), axes_ops.squeeze_op(variance, axes))
        )


def batch_normalization(
    x, mean, variance, offset, scale, variance_epsilon, name: str | None = None
) -> Tensor:
    """x with its mean and variance taken out: (x - mean) / sqrt(variance + epsilon) * scale + offset.

    `scale` and `offset` may be None.
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        factor = math_ops.rsqrt(variance + variance_epsilon)
        factor = factor if scale is None else factor * scale
        return x * factor + (-mean * factor if offset is None else offset - mean * factor)


def l2_normalize(x, axis=None, epsilon: float = 1e-12, name: str | None = None, dim=None) -> Tensor:
    """x divided by its length along `axis`, which counts as sqrt(epsilon) at least."""
    axis = renamed("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        squares = reduction_ops.reduce_sum(math_ops.square(x), axis, True)
        return math_ops.multiply(x, math_ops.rsqrt(math_ops.maximum(squares, epsilon)), name=scope)


def in_top_k(predictions, targets, k, name: str | None = None) -> Tensor:
    """Whether the prediction for the class that `targets` says is among the `k` largest of its row."""
    with name_scope(name, "in_top_k"):
        predictions = convert_to_tensor(predictions)
        wanted = gather(predictions, axes_ops.expand_dims(targets, -1), batch_dims=1)
        larger = reduction_ops.reduce_sum(math_ops.cast(predictions > wanted, int32), -1)
        return comparison_ops.less(larger, k, name=name or "InTopKV2")


@kernel
def largest(x, k: int) -> tuple[Any, Any]:
    """The `k` largest of each row, the largest first, of equal ones the first; and their places."""
    if np.shape(x)[-1] < k:
        raise InvalidArgumentError(
            None, None, f"input must have at least k columns. Had {np.shape(x)[-1]}, needed {k}"
        )
    places = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1][..., :k]
    places = np.shape(x)[-1] - 1 - places
    return np.take_along_axis(x, places, -1), places.astype(np.int32)


def _infer_top_k(op: Operation) -> list:
    x, k = op.inputs[0], shape_ops.known_number(op.inputs[1])
    if x.shape.rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if None not in (x.shape.rank, k) and (x.shape[-1].value or k) < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {x.shape[-1]}")
    shape = (
        TensorShape(None)
        if x.shape.rank is None
        else x.shape[:-1].concatenate(k if k is None else int(k))
    )
    return [(x.dtype.base_dtype, shape), (int32, shape)]


def _top_k_gradient(op: Operation, dy: Tensor, _) -> list:
    x, places = op.inputs[0], op.outputs[1]
    chosen = one_hot_op(places, shape_ops.shape(x)[-1], dtype=dy.dtype)
    return [lambda: reduction_ops.reduce_sum(axes_ops.expand_dims(dy, -1) * chosen, -2), None]


TopKV2 = namedtuple("TopKV2", "values indices")
register("TopKV2", "input:T k:length", _infer_top_k, "largest", _top_k_gradient, allowed=REALS)


def top_k(input, k=1, sorted: bool = True, name: str | None = None) -> TopKV2:
    """The `k` largest numbers along the last axis, the largest first, and their places (int32)."""
    return TopKV2(*build("TopKV2", input, k, name=name).outputs)


def zero_fraction(value, name: str | None = None) -> Tensor:
    """How many of the elements are 0, as a part of all."""
    with name_scope(name, "zero_fraction", [value]):
        zeros = comparison_ops.equal(convert_to_tensor(value, name="value"), 0)
        return reduction_ops.reduce_mean(math_ops.cast(zeros, float32), name="fraction")


# Noise.


def dropout(
    x, keep_prob=None, noise_shape=None, seed=None, name: str | None = None, rate=None
) -> Tensor:
    """x with each element set to 0 with probability `rate` (1 - `keep_prob`), the rest scaled up to make up.

    Where `noise_shape` has a 1, a whole axis is kept or dropped together. Raises ValueError for a rate
    outside [0, 1).
    """
    if isinstance(keep_prob, str):
        raise ValueError(
            f"`keep_prob` must be a floating point number or Tensor. Received: keep_prob={keep_prob}"
        )
    rate = renamed("rate", rate, "keep_prob", None if keep_prob is None else 1 - keep_prob)
    if rate is None:
        raise ValueError("`rate` must be provided. Received: rate=None")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        dtype = x.dtype.base_dtype
        if not dtype.is_floating:
            received = f"Received: x_dtype={x.dtype}"
            raise ValueError(
                f"`x.dtype` must be a floating point tensor as `x` will be scaled. {received}"
            )
        if isinstance(rate, int | float | np.number) and not 0 <= rate < 1:
            raise ValueError(
                f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
            )
        if rate == 0:
            return x
        if isinstance(rate, Tensor) and rate.dtype.base_dtype is not dtype:
            received = f"Received: x.dtype={x.dtype} and rate.dtype={rate.dtype}"
            raise ValueError(f"`x.dtype` must be compatible with `rate.dtype`. {received}")
        if isinstance(noise_shape, list | tuple):
            noise_shape = [
                x.shape[i].value if length is None else length
                for i, length in enumerate(noise_shape)
            ]
        noise_shape = shape_ops.shape(x) if noise_shape is None else noise_shape
        is_kept = random_uniform(noise_shape, dtype=dtype, seed=seed) >= rate
        return shape_ops.with_shape_of(
            x, build_tensor("SelectV2", is_kept, x * (1 / (1 - rate)), 0)
        )
