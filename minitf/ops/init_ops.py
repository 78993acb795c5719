"""Initializers: objects that, called with a shape, give the first value of a variable.

Each is a function of a shape and some settings; an initializer remembers the settings until it gets the shape.

Mirrors tensorflow/python/ops/init_ops.py.
"""

import inspect
import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from minitf.framework import constant_op
from minitf.framework.dtypes import DType, as_dtype, float32
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import array_ops, axes_ops, random_ops
from minitf.ops.shape_ops import same_as_first


class Initializer:
    """The base: what the constructor takes becomes attributes, which `_check` looks at and `_build` is given."""

    def __init__(self, *values, **named):
        settings = self.__signature__.bind(*values, **named)
        settings.apply_defaults()
        vars(self).update(settings.arguments, dtype=as_dtype(settings.arguments["dtype"]))
        self._check(**vars(self))

    def __call__(self, shape, dtype=None, partition_info=None) -> Tensor:
        """A tensor of this shape; of `self.dtype` unless `dtype` says otherwise."""
        return self._build(shape, **vars(self) | {"dtype": as_dtype(dtype or self.dtype)})

    def get_config(self) -> dict[str, Any]:
        """What to give to the constructor for another one like this."""
        return vars(self) | {"dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """An initializer from what `get_config` gave."""
        return cls(**config)


def _is_float(dtype: DType, **settings) -> None:
    if not dtype.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {dtype}.")


def _is_anything(**settings) -> None:
    """Whatever the settings, they will do."""


def _is_scale(scale: float, mode: str, distribution: str, dtype: DType, **settings) -> None:
    _is_float(dtype)
    if scale <= 0.0:
        raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
    if mode not in ("fan_in", "fan_out", "fan_avg"):
        raise ValueError(
            f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {mode}"
        )
    if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
        known = "('normal', uniform', 'truncated_normal', 'untruncated_normal')"
        raise ValueError(
            f"Argument `distribution` should be one of {known}. Received: {distribution}"
        )


def _initializer(check: Callable[..., None] = _is_float) -> Callable[[Callable], type]:
    """Make a function of a shape and settings a class of initializers; `check` raises for wrong settings."""

    def make(build: Callable[..., Tensor]) -> type:
        settings = list(inspect.signature(build).parameters.values())[1:]
        members = {"__doc__": build.__doc__, "__signature__": inspect.Signature(settings)}
        members |= {"_build": staticmethod(build), "_check": staticmethod(check)}
        name = build.__name__.removesuffix("_initializer")
        return type(name.title().replace("_", ""), (Initializer,), members)

    return make


@_initializer(_is_anything)
def zeros_initializer(shape, dtype=float32):
    """Zeros everywhere."""
    return array_ops.zeros(shape, dtype)


@_initializer(_is_anything)
def ones_initializer(shape, dtype=float32):
    """Ones everywhere."""
    return array_ops.ones(shape, dtype)


@_initializer(_is_anything)
def constant_initializer(shape, value=0, dtype=float32):
    """The same number everywhere, or the numbers of a list in their order, the last one repeated."""
    return constant_op.constant(value, dtype, TensorShape(shape))


@_initializer(_is_anything)
def random_uniform_initializer(shape, minval=0.0, maxval=None, seed=None, dtype=float32):
    """Numbers from [minval, maxval), all as likely."""
    return random_ops.random_uniform(shape, minval, maxval, dtype, seed)


@_initializer()
def random_normal_initializer(shape, mean=0.0, stddev=1.0, seed=None, dtype=float32):
    """Numbers from the normal distribution."""
    return random_ops.random_normal(shape, mean, stddev, dtype, seed)


@_initializer()
def truncated_normal_initializer(shape, mean=0.0, stddev=1.0, seed=None, dtype=float32):
    """Numbers from the normal distribution, those beyond two standard deviations drawn again."""
    return random_ops.truncated_normal(shape, mean, stddev, dtype, seed)


@_initializer()
def uniform_unit_scaling_initializer(shape, factor=1.0, seed=None, dtype=float32):
    """Random numbers that keep the scale of what is multiplied by them."""
    return _scaled(shape, factor**2, math.prod(map(int, shape[:-1])), "uniform", seed, dtype)


@kernel
def orthogonal(x):
    """As many orthogonal columns of length 1 as `x` has, turned at random if `x` is normal (its QR decomposition)."""
    q, r = np.linalg.qr(x)
    return q * np.sign(np.diag(r))


register("Orthogonal", "x:T", same_as_first, "orthogonal", not_differentiable)


@_initializer()
def orthogonal_initializer(shape, gain=1.0, seed=None, dtype=float32):
    """A matrix with orthogonal rows or columns of length `gain`; the last axis is that of the columns.

    Raises ValueError for a vector or a scalar.
    """
    if len(shape) < 2:
        what = "The tensor to initialize, specified by argument `shape` must be at least two-dimensional."
        raise ValueError(f"{what} Received shape={shape}")
    rows, columns = math.prod(shape[:-1]), shape[-1]
    normal = random_ops.random_normal(
        [max(rows, columns), min(rows, columns)], dtype=dtype, seed=seed
    )
    matrix = build_tensor("Orthogonal", normal)
    return gain * array_ops.reshape_op(
        matrix if rows >= columns else axes_ops.transpose_op(matrix), shape
    )


@_initializer(_is_scale)
def variance_scaling_initializer(
    shape, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=float32
):
    """Random numbers whose variance is `scale` over the number of inputs, of outputs, or their mean."""
    return _scaled(shape, scale, _count(shape, mode), distribution, seed, dtype)


@_initializer()
def glorot_uniform_initializer(shape, seed=None, dtype=float32):
    """variance_scaling by the mean of inputs and outputs, all numbers as likely."""
    return _scaled(shape, 1.0, _count(shape, "fan_avg"), "uniform", seed, dtype)


@_initializer()
def glorot_normal_initializer(shape, seed=None, dtype=float32):
    """variance_scaling by the mean of inputs and outputs, numbers from the normal distribution."""
    return _scaled(shape, 1.0, _count(shape, "fan_avg"), "truncated_normal", seed, dtype)


def _by_inputs(scale: float, distribution: str) -> Callable:
    def initializer(seed: int | None = None) -> Initializer:
        return variance_scaling_initializer(scale, "fan_in", distribution, seed)

    initializer.__doc__ = (
        f"variance_scaling by the number of inputs: scale {scale}, {distribution}."
    )
    return initializer


he_normal_initializer, he_uniform_initializer = (
    _by_inputs(2.0, d) for d in ("truncated_normal", "uniform")
)
lecun_normal_initializer, lecun_uniform_initializer = (
    _by_inputs(1.0, d) for d in ("truncated_normal", "uniform")
)


def _count(shape, mode: str) -> float:
    """How many numbers each output is made of, or each input goes to."""
    lengths = TensorShape(shape).as_list()
    *field, inputs, outputs = lengths if len(lengths) > 1 else (lengths or [1]) * 2
    return (
        math.prod(field)
        * {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[mode]
    )


def _scaled(
    shape, scale: float, count: float, distribution: str, seed: int | None, dtype: DType
) -> Tensor:
    """Random numbers of variance scale / count."""
    variance = scale / max(1.0, count)
    if distribution == "uniform":
        limit = math.sqrt(3.0 * variance)
        return random_ops.random_uniform(shape, -limit, limit, dtype, seed)
    if distribution == "untruncated_normal":
        return random_ops.random_normal(shape, 0.0, math.sqrt(variance), dtype, seed)
    kept = 0.87962566103423978  # the standard deviation of a normal distribution cut off at 2
    return random_ops.truncated_normal(shape, 0.0, math.sqrt(variance) / kept, dtype, seed)
