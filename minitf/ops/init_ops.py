"""Initializers: objects that, called with a shape, give the first value of a variable.

Stands for tensorflow/python/ops/init_ops.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant
from minitf.framework.dtypes import as_dtype
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import array_ops, random_ops


class Initializer:
    """The base: what is given to the constructor becomes attributes, and calling asks `_value(shape, "
    "dtype)`."""

    settings: dict[str, Any] = {}
    only_floats = True

    def __init__(self, *values: Any, **named: Any):
        names = [*self.settings, "dtype"]
        if len(values) > len(names) or not named.keys() <= set(names[len(values) :]):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names)}")
        given = {**self.settings, "dtype": dtypes.float32} | dict(zip(names, values, strict=False)) | named
        vars(self).update(given, dtype=as_dtype(given["dtype"]))
        if self.only_floats and not self.dtype.is_floating:
            raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {self.dtype}.")

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A tensor of this shape; of `self.dtype` unless `dtype` says otherwise."""
        return self._value(shape, self.dtype if dtype is None else as_dtype(dtype))

    def get_config(self) -> dict[str, Any]:
        """What to give to the constructor for another one like this."""
        return {name: getattr(self, name) for name in self.settings} | {"dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
        return cls(**config)


def _initializer(name: str, value: Callable, only_floats: bool = True, **settings: Any) -> type:
    """A class of initializers: `value(self, shape, dtype)` builds the tensor."""
    arguments = ", ".join(f"{k}={v!r}" for k, v in settings.items())
    doc = f"Called with a shape, gives a tensor: {name}({arguments})."
    members = {"settings": settings, "only_floats": only_floats, "_value": value, "__doc__": doc}
    return type(name, (Initializer,), members)


Zeros = _initializer("Zeros", lambda self, shape, dtype: array_ops.zeros(shape, dtype), False)
Ones = _initializer("Ones", lambda self, shape, dtype: array_ops.ones(shape, dtype), False)


class Constant(Initializer):
    """The same number everywhere, or the numbers of a list in their order, the last one repeated."""

    settings = {"value": 0}
    only_floats = False

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False):
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value={value} of type: {type(value).__name__}. Expected "
                "Python scalar, list or tuple of values, or numpy.ndarray."
            )
        super().__init__(value, dtype)
        self._verify_shape = verify_shape

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: Any = None) -> Tensor:
        """Raises TypeError if `verify_shape` and the value has another shape, ValueError if it has "
        "too many numbers."""
        verify = self._verify_shape if verify_shape is None else verify_shape
        return constant(self.value, dtype or self.dtype, TensorShape(shape), verify_shape=verify)


RandomUniform = _initializer(
    "RandomUniform",
    lambda self, shape, dtype: random_ops.random_uniform(shape, self.minval, self.maxval, dtype, self.seed),
    False,
    minval=0.0,
    maxval=None,
    seed=None,
)
RandomNormal = _initializer(
    "RandomNormal",
    lambda self, shape, dtype: random_ops.random_normal(shape, self.mean, self.stddev, dtype, self.seed),
    mean=0.0,
    stddev=1.0,
    seed=None,
)
TruncatedNormal = _initializer(
    "TruncatedNormal",
    lambda self, shape, dtype: random_ops.truncated_normal(shape, self.mean, self.stddev, dtype, self.seed),
    mean=0.0,
    stddev=1.0,
    seed=None,
)


def _fans(shape: Any) -> tuple[int, int]:
    """How many numbers each output is made of, and each input goes to."""
    lengths = [int(d) for d in (shape.as_list() if isinstance(shape, TensorShape) else shape)]
    if len(lengths) < 2:
        return (*lengths, 1)[0], (*lengths, 1)[0]
    field = math.prod(lengths[:-2])
    return lengths[-2] * field, lengths[-1] * field


class VarianceScaling(Initializer):
    """Random numbers whose variance is `scale` over the number of inputs, outputs, or their mean."""

    settings = {"scale": 1.0, "mode": "fan_in", "distribution": "truncated_normal", "seed": None}

    def __init__(self, *values: Any, **named: Any):
        super().__init__(*values, **named)
        if self.scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {self.scale}")
        if self.mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(
                f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {self.mode}"
            )
        if self.distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "Argument `distribution` should be one of ('normal', uniform', 'truncated_normal', "
                f"'untruncated_normal'). Received: {self.distribution}"
            )

    def _value(self, shape: Any, dtype: Any) -> Tensor:
        inputs, outputs = _fans(shape)
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[self.mode]
        variance = self.scale / max(1.0, count)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random_ops.random_uniform(shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random_ops.random_normal(shape, 0.0, math.sqrt(variance), dtype, self.seed)
        kept = 0.87962566103423978  # the standard deviation of a normal distribution cut off at 2
        return random_ops.truncated_normal(shape, 0.0, math.sqrt(variance) / kept, dtype, self.seed)


def _scaling(name: str, scale: float, mode: str, distribution: str) -> type:
    """VarianceScaling with all chosen but the seed and the dtype."""

    class Scaling(VarianceScaling):
        settings = {"seed": None}
        only_floats = False

        def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32):
            vars(self).update(scale=scale, mode=mode, distribution=distribution)
            super().__init__(seed, dtype)

    Scaling.__name__ = Scaling.__qualname__ = name
    Scaling.__doc__ = f"VarianceScaling with scale={scale}, mode={mode!r}, distribution={distribution!r}."
    return Scaling


GlorotUniform = _scaling("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaling("GlorotNormal", 1.0, "fan_avg", "truncated_normal")


def _uniform_unit_scaling(self: Any, shape: Any, dtype: Any) -> Tensor:
    inputs = math.prod(float(d) for d in list(shape)[:-1])
    limit = math.sqrt(3.0 / max(1.0, inputs)) * self.factor
    return random_ops.random_uniform(shape, -limit, limit, dtype, self.seed)


UniformUnitScaling = _initializer("UniformUnitScaling", _uniform_unit_scaling, factor=1.0, seed=None)


@kernel
def orthogonal(x: Any) -> Any:
    """The orthonormal part of a matrix, the longer side kept: rows or columns at right angles."""
    q, r = np.linalg.qr(x if x.shape[0] >= x.shape[1] else x.T)
    q = (q * np.sign(np.diagonal(r))).astype(x.dtype)
    return q if x.shape[0] >= x.shape[1] else q.T


register("Orthogonal", "x:T", array_ops.same_as_first, "orthogonal", not_differentiable)


def _orthogonal(self: Any, shape: Any, dtype: Any) -> Tensor:
    if len(shape) < 2:
        raise ValueError(
            "The tensor to initialize, specified by argument `shape` must be at least "
            f"two-dimensional. Received shape={shape}"
        )
    flat = [math.prod(shape[:-1]), shape[-1]]
    q = build_tensor("Orthogonal", random_ops.random_normal(flat, dtype=dtype, seed=self.seed))
    return array_ops.reshape_op(q, shape) * self.gain


Orthogonal = _initializer("Orthogonal", _orthogonal, gain=1.0, seed=None)
