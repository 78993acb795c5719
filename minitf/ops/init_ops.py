"""Initializers: objects that, called with a shape, give the first value of a variable.

What the constructor takes are settings; `numbers` makes a tensor with these settings.

Mirrors tensorflow/python/ops/init_ops.py.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from minitf.framework.dtypes import DType, as_dtype, float32
from minitf.framework.op_def_library import constant
from minitf.framework.operation import Tensor
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.array_ops import ones, zeros
from minitf.ops.random_ops import random_normal, random_uniform, truncated_normal

settings = partial(dataclass, eq=False, repr=False)


class Initializer:
    """The base of all initializers."""

    def __post_init__(self) -> None:
        self.dtype = as_dtype(self.dtype)

    def __call__(self, shape, dtype=None, partition_info=None) -> Tensor:
        """A tensor of this shape; of `self.dtype` unless `dtype` says otherwise."""
        return self.numbers(shape, as_dtype(dtype or self.dtype))

    def get_config(self) -> dict:
        """The arguments with which the constructor gives another one like this."""
        return vars(self) | {"dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict) -> Self:
        """An initializer from what `get_config` returned."""
        return cls(**config)


class FloatInitializer(Initializer):
    """An initializer of floats. The constructor raises ValueError for any other dtype."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.dtype.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {self.dtype}."
            )


@settings
class Zeros(Initializer):
    """Zeros everywhere."""

    dtype: DType = float32

    def numbers(self, shape, dtype):
        return zeros(shape, dtype)


@settings
class Ones(Initializer):
    """Ones everywhere."""

    dtype: DType = float32

    def numbers(self, shape, dtype):
        return ones(shape, dtype)


@settings
class Constant(Initializer):
    """The same number everywhere, or the numbers of a list, the last one repeated."""

    value: Any = 0
    dtype: DType = float32

    def numbers(self, shape, dtype):
        return constant(self.value, dtype, TensorShape(shape))


@settings
class RandomUniform(Initializer):
    """Numbers from [minval, maxval), all equally likely."""

    minval: Any = 0.0
    maxval: Any = None
    seed: int | None = None
    dtype: DType = float32

    def numbers(self, shape, dtype):
        return random_uniform(shape, self.minval, self.maxval, dtype, self.seed)


@settings
class RandomNormal(FloatInitializer):
    """Numbers from the normal distribution."""

    mean: Any = 0.0
    stddev: Any = 1.0
    seed: int | None = None
    dtype: DType = float32

    def numbers(self, shape, dtype):
        return random_normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Numbers from the normal distribution, those beyond two standard deviations drawn again."""

    def numbers(self, shape, dtype):
        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


@settings
class VarianceScaling(FloatInitializer):
    """Random numbers of variance `scale` over the number of inputs, outputs, or their mean."""

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"
    seed: int | None = None
    dtype: DType = float32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {self.scale}")
        modes = ("fan_in", "fan_out", "fan_avg")
        if self.mode not in modes:
            raise ValueError(f"Argument `mode` should be one of {modes}. Received: {self.mode}")
        if self.distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            # With TensorFlow's missing quote.
            known = "('normal', uniform', 'truncated_normal', 'untruncated_normal')"
            raise ValueError(
                f"Argument `distribution` should be one of {known}. Received: {self.distribution}"
            )

    def numbers(self, shape, dtype):
        lengths = TensorShape(shape).as_list()
        *field, inputs, outputs = lengths if len(lengths) > 1 else (lengths or [1]) * 2
        counts = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}
        count = math.prod(field) * counts[self.mode]
        return scaled(shape, self.scale, count, self.distribution, self.seed, dtype)


def scaled(
    shape, scale: float, count: float, distribution: str, seed: int | None, dtype: DType
) -> Tensor:
    """Random numbers of variance scale / count."""
    variance = scale / max(1.0, count)
    if distribution == "uniform":
        limit = math.sqrt(3.0 * variance)
        return random_uniform(shape, -limit, limit, dtype, seed)
    if distribution == "untruncated_normal":
        return random_normal(shape, 0.0, math.sqrt(variance), dtype, seed)
    kept = 0.87962566103423978  # the standard deviation of a normal distribution cut off at 2
    return truncated_normal(shape, 0.0, math.sqrt(variance) / kept, dtype, seed)


@settings
class GlorotUniform(FloatInitializer):
    """VarianceScaling by the mean of inputs and outputs, all numbers equally likely."""

    seed: int | None = None
    dtype: DType = float32

    def numbers(self, shape, dtype):
        return VarianceScaling(1.0, "fan_avg", "uniform", self.seed).numbers(shape, dtype)


class GlorotNormal(GlorotUniform):
    """VarianceScaling by the mean of inputs and outputs, numbers from the normal distribution."""

    def numbers(self, shape, dtype):
        return VarianceScaling(1.0, "fan_avg", seed=self.seed).numbers(shape, dtype)


zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer = RandomUniform, RandomNormal
truncated_normal_initializer = TruncatedNormal
variance_scaling_initializer = VarianceScaling
glorot_uniform_initializer, glorot_normal_initializer = GlorotUniform, GlorotNormal
