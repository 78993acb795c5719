"""A constant is an op that carries its value; whatever is no tensor becomes one when an op reads it.

Mirrors tensorflow/python/framework/constant_op.py and tensor_util.py.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.graph import Graph, get_default_graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import not_differentiable, register
from minitf.framework.tensor_shape import Dimension, TensorShape


def _infer(op: Operation) -> list:
    return [(op.attrs["dtype"], TensorShape(np.shape(op.attrs["value"])))]


register("Const", "", _infer, None, not_differentiable)


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False) -> Tensor:
    """A tensor that has this value in every run.

    Python floats become float32 and ints int32 (int64 where they don't fit); NumPy arrays keep their
    dtype. With `shape`, a value of fewer elements is filled up with its last one.

    Raises TypeError for a value that `dtype` can't hold, ValueError for None and for a wrong shape.
    """
    if is_tensor(value) or holds_tensor(value):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    with np.errstate(all="ignore"):  # what is too large for the dtype is infinite
        array, dtype = as_array(value, dtype)
    if shape is not None:
        array = _filled_up(array, tuple(TensorShape(shape).as_list()), verify_shape)
    return const_op(get_default_graph(), array, dtype, name)


def const_op(graph: Graph, array, dtype: dtypes.DType, name: str) -> Tensor:
    """A Const op for a value that already is NumPy's."""
    if np.ndim(array):
        array = array.copy()
        array.flags.writeable = False
    elif isinstance(array, np.ndarray):
        array = array[()]
    return graph.create_op("Const", (), {"value": array, "dtype": dtype}, name).outputs[0]


def _filled_up(array: np.ndarray, shape: tuple[int, ...], verify_shape: bool) -> np.ndarray:
    wanted = int(np.prod(shape))
    if verify_shape and array.shape != shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, but got {array.shape}.")
    if array.size > wanted:
        raise ValueError(
            f"Too many elements provided. Takes at most {wanted}, but got {array.size}."
        )
    last = np.append(np.zeros(1, array.dtype), array)[-1:]  # of nothing: 0
    return np.append(array, np.repeat(last, wanted - array.size)).reshape(shape)


def as_array(value, dtype: dtypes.DType | None = None) -> tuple[np.ndarray, dtypes.DType]:
    """`value` as an array, and its dtype, by TensorFlow's rules for Python and NumPy values.

    Raises TypeError for a value that `dtype` can't hold, ValueError for None.
    """
    if value is None:
        raise ValueError("None values not supported.")
    if isinstance(value, Operation):
        raise TypeError(f"can't convert Operation '{value.name}' to Tensor")
    if isinstance(value, Dimension):
        value = value.value if value.value is not None else TensorShape([value])
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        value, dtype = value.as_list(), dtype or dtypes.int32
    of_numpy = isinstance(value, np.ndarray | np.generic)
    if dtype is not None and not of_numpy:
        _check_python_value(value, dtype)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor. {error}"
        ) from None
    if dtype is dtypes.string or array.dtype.kind in "USO":
        return _string_array(value), dtypes.string
    if dtype is None:
        dtype = dtypes.as_dtype(array.dtype) if of_numpy else _default_dtype(array)
    return array.astype(dtype.as_numpy_dtype), dtype


def _default_dtype(array: np.ndarray) -> dtypes.DType:
    fits = array.dtype == np.int64 and (array.astype(np.int32) == array).all()
    return (
        dtypes.int32
        if fits
        else dtypes.float32
        if array.dtype == np.float64
        else dtypes.as_dtype(array.dtype)
    )


def _string_array(value) -> np.ndarray:
    array = np.array(value, dtype=object)
    if not all(isinstance(leaf, str | bytes) for leaf in array.flat):
        advice = "Consider casting elements to a supported type."
        raise TypeError(f"Failed to convert elements of {value} to Tensor. {advice}")
    for i, text in enumerate(array.flat):
        array.flat[i] = text.encode() if isinstance(text, str) else bytes(text)
    return array


def _check_python_value(value, dtype: dtypes.DType) -> None:
    others = {dtypes.bool: [bool, np.bool_], dtypes.string: [str, bytes]}
    types = others.get(dtype, [int, np.integer, Dimension])
    types += [float, np.floating] * (dtype.is_floating or dtype.is_complex)
    types += [complex, np.complexfloating] * dtype.is_complex
    for leaf in _leaves(value):
        if not isinstance(leaf, tuple(types)):
            raise TypeError(
                f"Expected {dtype.name}, but got {leaf} of type '{type(leaf).__name__}'."
            )


def _leaves(value) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.ravel()[:1]
    else:
        yield value


def holds_tensor(value) -> bool:
    """Whether it is a list with tensors or variables in it, at any depth."""
    return isinstance(value, list | tuple) and any(map(is_tensor, _leaves(value)))


def packed(value, dtype: dtypes.DType | None, name: str) -> Tensor:
    """A list with tensors in it as one tensor; its numbers become constants of the tensors' dtype."""
    tensors = [v for v in _leaves(value) if is_tensor(v)]
    dtype = dtype or tensors[0].dtype.base_dtype
    for t in tensors:
        if t.dtype.base_dtype is not dtype:
            held = f"a list containing a tensor of dtype {t.dtype.base_dtype}"
            raise TypeError(f"Cannot convert {held} to {dtype} (Tensor is: {t!r})")
    with tensors[0].graph.name_scope(name) as scope:
        parts = tuple(convert_to_tensor(v, dtype, str(i)) for i, v in enumerate(value))
        return tensors[0].graph.create_op("Pack", parts, {"axis": 0}, scope).outputs[0]


def convert_to_tensor(
    value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None
) -> Tensor:
    """`value` as a tensor: itself, a variable's current value, or a constant.

    With `dtype_hint` (once `preferred_dtype`) that dtype is tried first. Raises ValueError for a
    tensor whose dtype is not `dtype`, and what `constant` raises.
    """
    dtype, given = None if dtype is None else dtypes.as_dtype(dtype).base_dtype, value
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor()
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype.base_dtype is not dtype:
            found = f"Tensor with dtype {value.dtype.name}: {value!r}"
            problem = f"Tensor conversion requested dtype {dtype.name} for {found}"
            if hasattr(given, "initializer"):
                found = f"variable of type '{given.dtype.name}'"
                problem = (
                    f"Incompatible type conversion requested to type '{dtype.name}' for {found}"
                )
            raise ValueError(f"{name}: {problem}" if name else problem)
        return value
    if holds_tensor(value):
        return packed(value, dtype, name or "packed")
    hint = dtype_hint or preferred_dtype
    if dtype is None and hint is not None:
        with suppress(TypeError, ValueError):
            return constant(value, hint, name=name or "Const")
    return constant(value, dtype, name=name or "Const")


def is_tensor(x) -> bool:
    """Whether it is a tensor, a variable or IndexedSlices."""
    return isinstance(x, Tensor) or hasattr(x, "_as_tensor")


def constant_value(tensor: Tensor):
    """The value of a constant tensor (an array or a scalar), or None for any other."""
    return tensor.op.attrs["value"] if tensor.op.type == "Const" else None
