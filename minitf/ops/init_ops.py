"""Initializers: objects that return the first value of a variable when called with a shape.

The constructor takes the settings, and `numbers` makes a tensor according to them.

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
    """The base class of all initializers."""

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None) -> Tensor:
        """A tensor of this shape, with the dtype `self.dtype` unless `dtype` is given."""
        return self.numbers(shape, as_dtype(dtype or self.dtype))

    def get_config(self) -> dict:
        """The constructor's arguments for another initializer like this one."""
        return vars(self) | {"dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict) -> Self:
        """An initializer from what `get_config` returned."""
        return cls(**config)


class FloatInitializer(Initializer):
    """The base class of initializers that raise ValueError unless their dtype is a float."""

    def __init__(self, seed=None, dtype=float32):
        self.seed = seed
        super().__init__(dtype)
        if not self.dtype.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {self.dtype}."
            )


class Zeros(Initializer):
    """Zeros everywhere."""

    numbers = staticmethod(zeros)


class Ones(Initializer):
    """Ones everywhere."""

    numbers = staticmethod(ones)


class Constant(Initializer):
    """The same number everywhere, or the numbers in a list, of which the last one is repeated."""

    def __init__(self, value=0, dtype=float32):
        self.value = value
        super().__init__(dtype)

    def numbers(self, shape, dtype):
        return constant(self.value, dtype, TensorShape(shape))


class RandomUniform(Initializer):
    """Random numbers, uniform in [minval, maxval); see `tf.random_uniform`."""

    def __init__(self, minval=0.0, maxval=None, seed=None, dtype=float32):
        self.minval, self.maxval, self.seed = minval, maxval, seed
        super().__init__(dtype)

    def numbers(self, shape, dtype):
        return random_uniform(shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormal(FloatInitializer):
    """Random numbers from a normal distribution."""

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=float32):
        self.mean, self.stddev = mean, stddev
        super().__init__(seed, dtype)

    def numbers(self, shape, dtype):
        return random_normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Like RandomNormal, but numbers beyond two standard deviations are drawn again."""

    def numbers(self, shape, dtype):
        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


class VarianceScaling(FloatInitializer):
    """Random numbers with the variance `scale / n`, which keeps the scale of a layer's outputs.

    By `mode`, n is the number of inputs ("fan_in"), of outputs ("fan_out"), or the mean of both
    ("fan_avg"). The distribution is "truncated_normal" (or "normal", the same),
    "untruncated_normal" or "uniform". Raises ValueError for other values of either, or a scale that
    is not positive.
    """

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
            # A quote is missing, as in TensorFlow.
            raise ValueError(
                "Argument `distribution` should be one of ('normal', uniform', "
                f"'truncated_normal', 'untruncated_normal'). Received: {distribution}"
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
    """Random numbers with the variance scale / count."""
    variance = scale / max(1.0, count)
    if distribution == "uniform":
        limit = math.sqrt(3.0 * variance)
        return random_uniform(shape, -limit, limit, dtype, seed)
    if distribution == "untruncated_normal":
        return random_normal(shape, 0.0, math.sqrt(variance), dtype, seed)
    kept = 0.87962566103423978  # the standard deviation of a normal distribution truncated at 2
    return truncated_normal(shape, 0.0, math.sqrt(variance) / kept, dtype, seed)


class GlorotUniform(FloatInitializer):
    """VarianceScaling by the mean of inputs and outputs, with a uniform distribution."""

    def numbers(self, shape, dtype):
        return VarianceScaling(1.0, "fan_avg", "uniform", self.seed).numbers(shape, dtype)


class GlorotNormal(GlorotUniform):
    """VarianceScaling by the mean of inputs and outputs, with a truncated normal distribution."""

    def numbers(self, shape, dtype):
        return VarianceScaling(1.0, "fan_avg", seed=self.seed).numbers(shape, dtype)


zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer = RandomUniform, RandomNormal
truncated_normal_initializer = TruncatedNormal
variance_scaling_initializer = VarianceScaling
glorot_uniform_initializer, glorot_normal_initializer = GlorotUniform, GlorotNormal
