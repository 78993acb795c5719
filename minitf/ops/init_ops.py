"""Initializers: objects that, called with a shape, give the first value of a variable.

What the constructor takes are settings; `numbers` makes a tensor with these settings.

Mirrors tensorflow/python/ops/init_ops.py.
"""

import math
from typing import Self

from minitf.framework.dtypes import DType, as_dtype, float32
from minitf.framework.op_def_library import constant
from minitf.framework.operation import Tensor
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.array_ops import ones, zeros
from minitf.ops.random_ops import random_normal, random_uniform, truncated_normal


class Initializer:
    """The base of all initializers."""

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)

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

    def __init__(self, seed=None, dtype=float32):
        self.seed = seed
        super().__init__(dtype)
        if not self.dtype.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {self.dtype}."
            )


class Zeros(Initializer):
    """Zeros everywhere."""

    def numbers(self, shape, dtype):
        return zeros(shape, dtype)


class Ones(Initializer):
    """Ones everywhere."""

    def numbers(self, shape, dtype):
        return ones(shape, dtype)


class Constant(Initializer):
    """The same number everywhere, or the numbers of a list, the last one repeated."""

    def __init__(self, value=0, dtype=float32):
        self.value = value
        super().__init__(dtype)

    def numbers(self, shape, dtype):
        return constant(self.value, dtype, TensorShape(shape))


class RandomUniform(Initializer):
    """Numbers from [minval, maxval), all equally likely."""

    def __init__(self, minval=0.0, maxval=None, seed=None, dtype=float32):
        self.minval, self.maxval, self.seed = minval, maxval, seed
        super().__init__(dtype)

    def numbers(self, shape, dtype):
        return random_uniform(shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormal(FloatInitializer):
    """Numbers from the normal distribution."""

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=float32):
        self.mean, self.stddev = mean, stddev
        super().__init__(seed, dtype)

    def numbers(self, shape, dtype):
        return random_normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Numbers from the normal distribution, those beyond two standard deviations drawn again."""

    def numbers(self, shape, dtype):
        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


class VarianceScaling(FloatInitializer):
    """Random numbers of variance `scale` over the number of inputs, outputs, or their mean."""

    def __init__(
        self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=float32
    ):
        self.scale, self.mode, self.distribution = scale, mode, distribution
        super().__init__(seed, dtype)
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        modes = ("fan_in", "fan_out", "fan_avg")
        if mode not in modes:
            raise ValueError(f"Argument `mode` should be one of {modes}. Received: {mode}")
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            # With TensorFlow's missing quote.
            known = "('normal', uniform', 'truncated_normal', 'untruncated_normal')"
            raise ValueError(
                f"Argument `distribution` should be one of {known}. Received: {distribution}"
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


class GlorotUniform(FloatInitializer):
    """VarianceScaling by the mean of inputs and outputs, all numbers equally likely."""

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
