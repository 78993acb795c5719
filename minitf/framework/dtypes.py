"""A dtype is the element type of a tensor; a `_ref` dtype marks a tensor that can be assigned to.

Mirrors tensorflow/python/framework/dtypes.py.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np


def _of_kind(numpy_kind: type, doc: str) -> property:
    return property(lambda self: issubclass(self.as_numpy_dtype, numpy_kind), doc=doc)


class DType:
    """The element type of a tensor, such as `tf.float32`.

    Each type is a single object, so types can be compared by identity. A variable's own tensor has
    the `_ref` form of its type (`tf.float32_ref`), whose plain form is `base_dtype`.
    """

    __slots__ = ("name", "as_numpy_dtype", "_base")

    def __init__(self, numpy_type: type, name: str | None = None, base: DType | None = None):
        self.as_numpy_dtype = numpy_type
        self.name = name or np.dtype(numpy_type).name
        self._base = base

    base_dtype = property(lambda self: self._base or self, doc="This type without `_ref`.")
    _is_ref_dtype = property(lambda self: self._base is not None)
    _as_ref = property(lambda self: as_dtype(f"{self.base_dtype.name}_ref"))
    is_floating = _of_kind(np.floating, "Whether this is a real floating-point type.")
    is_complex = _of_kind(np.complexfloating, "Whether this is a complex type.")
    is_integer = _of_kind(np.integer, "Whether this is an integer type (bool isn't).")
    is_bool = _of_kind(np.bool_, "Whether this is the boolean type.")

    @property
    def min(self):
        """The smallest value. Raises TypeError if the type is neither real nor integer."""
        return self._limits("minimum").min

    @property
    def max(self):
        """The largest value. Raises TypeError if the type is neither real nor integer."""
        return self._limits("maximum").max

    @property
    def size(self) -> int:
        """The number of bytes per element; 0 for strings, whose length varies."""
        return 0 if self.base_dtype is string else np.dtype(self.as_numpy_dtype).itemsize

    def _limits(self, which: str):
        if not self.is_floating and not self.is_integer:
            raise TypeError(f"Cannot find {which} value of {self} with type {self}.")
        return (np.finfo if self.is_floating else np.iinfo)(self.as_numpy_dtype)

    def is_compatible_with(self, other) -> builtins.bool:
        """Return whether the two types are the same, apart from `_ref`."""
        return self.base_dtype is as_dtype(other).base_dtype

    def __eq__(self, other: object) -> builtins.bool:
        return self is other or not isinstance(other, DType) and self is _find(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __repr__(self) -> str:
        return f"tf.{self.name}"


_NAMES = """
    float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128
"""
NUMERIC = [DType(np.dtype(name).type) for name in _NAMES.split()]
float16, float32, float64, int8, int16, int32, int64, *_others = NUMERIC
uint8, uint16, uint32, uint64, complex64, complex128 = _others
half, double = float16, float64
bool, string = DType(np.bool_, "bool"), DType(object, "string")

# Names of the dtypes that ops accept, in the order in which error messages list them.
REAL_FLOATS = ("bfloat16", "float16", "float32", "float64")
FLOATS = (*REAL_FLOATS, "complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
REALS = (*REAL_FLOATS, *SIGNED, "uint8", "uint16", "uint32", "uint64")
NUMBERS = (*REALS, "complex64", "complex128")
LENGTHS = ("int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")

# What `as_dtype` knows: names, Python types and NumPy types.
_KNOWN: dict[Any, DType] = {"half": float16, "float": float32, "double": float64}
_KNOWN |= {float: float32, builtins.bool: bool, str: string, bytes: string}
_KNOWN |= {np.object_: string, np.str_: string, np.bytes_: string}
for _type in [*NUMERIC, bool, string]:
    _KNOWN |= {_type.name: _type, _type.as_numpy_dtype: _type}
    _KNOWN[f"{_type.name}_ref"] = DType(_type.as_numpy_dtype, f"{_type.name}_ref", base=_type)

_PROTO_NAMES = {"float32": "float", "float64": "double", "float16": "half"}


def proto_name(dtype: DType) -> str:
    """Return the name of a type in TensorFlow's messages and protocol buffers, such as "float"."""
    name = dtype.base_dtype.name
    return _PROTO_NAMES.get(name, name)


def _find(type_value) -> DType | None:
    try:
        if type_value is None or type_value is int or type_value in _KNOWN:
            return _KNOWN.get(type_value)
        return _KNOWN.get(np.dtype(type_value).type)
    except TypeError:
        return None


def as_dtype(type_value) -> DType:
    """Return the DType for a DType, a NumPy or Python type, or a name.

    Raises TypeError if there is none.
    """
    found = type_value if isinstance(type_value, DType) else _find(type_value)
    if found is None:
        raise TypeError(
            f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType."
        )
    return found
