"""A dtype names what the numbers of a tensor are; a `_ref` dtype says that they can be assigned.

Stands for tensorflow/python/framework/dtypes.py.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np


class DType:
    """The element type of a tensor, such as `tf.float32`.

    There is one object for each type, so that types compare by identity. A variable's own tensor has
    the `_ref` form of its type (`tf.float32_ref`); `base_dtype` is the plain form.
    """

    __slots__ = ("name", "as_numpy_dtype", "_base")

    def __init__(self, name: str, as_numpy_dtype: type, base: DType | None = None):
        self.name = name
        self.as_numpy_dtype = as_numpy_dtype
        self._base = base

    @property
    def base_dtype(self) -> DType:
        """This type without `_ref`."""
        return self._base or self

    @property
    def _is_ref_dtype(self) -> builtins.bool:
        return self._base is not None

    @property
    def _as_ref(self) -> DType:
        return self if self._is_ref_dtype else _REF_TYPES[self.name]

    @property
    def is_floating(self) -> builtins.bool:
        """Whether this is a type of real, not complex, floating point numbers."""
        return issubclass(self.as_numpy_dtype, np.floating)

    @property
    def is_complex(self) -> builtins.bool:
        """Whether this is a type of complex numbers."""
        return issubclass(self.as_numpy_dtype, np.complexfloating)

    @property
    def is_integer(self) -> builtins.bool:
        """Whether this is a type of whole numbers (bool is not one)."""
        return issubclass(self.as_numpy_dtype, np.integer)

    @property
    def is_bool(self) -> builtins.bool:
        """Whether this is the type of truth values."""
        return self.as_numpy_dtype is np.bool_

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        """True: every type here has a NumPy type."""
        return True

    @property
    def size(self) -> int:
        """Bytes an element takes; 0 for strings, whose length varies."""
        return 0 if self.base_dtype is string else np.dtype(self.as_numpy_dtype).itemsize

    @property
    def min(self) -> Any:
        """The smallest value. Raises TypeError for a type without an order."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """The largest value. Raises TypeError for a type without an order."""
        return self._limit("max")

    def _limit(self, which: str) -> Any:
        if self.is_floating:
            return getattr(np.finfo(self.as_numpy_dtype), which)
        if self.is_integer:
            return getattr(np.iinfo(self.as_numpy_dtype), which)
        if self.is_bool:
            return which == "max"
        raise TypeError(f"Cannot find {which}imum value of {self}.")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether the two are the same but for `_ref`."""
        return self.base_dtype is as_dtype(other).base_dtype

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if isinstance(other, DType) or other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __repr__(self) -> str:
        return f"tf.{self.name}"


float16 = half = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = double = DType("float64", np.float64)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
bool = DType("bool", np.bool_)
string = DType("string", np.object_)

_TYPES = [float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64]
_TYPES += [complex64, complex128, bool, string]
NUMBERS = [t for t in _TYPES if t not in (bool, string)]
_REF_TYPES = {t.name: DType(f"{t.name}_ref", t.as_numpy_dtype, base=t) for t in _TYPES}

_BY_NAME = {t.name: t for t in [*_TYPES, *_REF_TYPES.values()]}
_BY_NAME |= {"half": float16, "float": float32, "double": float64}
_BY_NUMPY_TYPE = {t.as_numpy_dtype: t for t in _TYPES} | {np.str_: string, np.bytes_: string}
_BY_PYTHON_TYPE = {float: float32, builtins.bool: bool, object: string}
_BY_PYTHON_TYPE |= {str: string, bytes: string}

# What TensorFlow's messages call a type.
PROTO_NAMES = {"float32": "float", "float64": "double", "float16": "half"}


def as_dtype(type_value: Any) -> DType:
    """The DType that `type_value` names: a DType, a NumPy or Python type, or a name.

    Raises TypeError where there is none.
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, str) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    if isinstance(type_value, type) and type_value in _BY_PYTHON_TYPE:
        return _BY_PYTHON_TYPE[type_value]
    try:
        if type_value is not None and type_value is not int:
            return _BY_NUMPY_TYPE[np.dtype(type_value).type]
    except (TypeError, KeyError):
        pass
    raise TypeError(f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType.")
