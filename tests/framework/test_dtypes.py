"""Dtypes: one object for each type, found by any of its names."""

import numpy as np
import pytest

import minitf as tf
from minitf.framework import dtypes

NUMERIC = [tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64]
NUMERIC += [tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.complex64, tf.complex128, tf.bool]


@pytest.mark.parametrize("dtype", NUMERIC)
def test_a_dtype_is_found_by_every_name_it_has(dtype):
    numpy = dtype.as_numpy_dtype
    for name in (dtype, dtype.name, numpy, np.dtype(numpy)):
        assert tf.as_dtype(name) is dtype
        assert dtype == name
    assert dtype != "nothing"
    assert dtype.size == np.dtype(numpy).itemsize
    assert repr(dtype) == f"tf.{dtype.name}"
    assert str(dtype) == f"<dtype: '{dtype.name}'>"


@pytest.mark.parametrize("dtype", NUMERIC)
def test_a_variable_has_the_ref_form_of_its_dtype(dtype):
    v = tf.Variable(np.zeros(2, dtype.as_numpy_dtype))
    assert v.dtype.name == f"{dtype.name}_ref"
    assert v.dtype.base_dtype is dtype
    assert v.dtype != dtype
    assert dtype.is_compatible_with(v.dtype) and v.dtype.is_compatible_with(dtype)
    assert v.value().dtype is dtype
    assert v.dtype.as_numpy_dtype is dtype.as_numpy_dtype


@pytest.mark.parametrize("dtype", NUMERIC)
def test_a_dtype_knows_its_kind_and_limits(dtype):
    kind = np.dtype(dtype.as_numpy_dtype).kind
    assert dtype.is_floating == (kind == "f")
    assert dtype.is_integer == (kind in "iu")
    assert dtype.is_complex == (kind == "c")
    assert dtype.is_bool == (kind == "b")
    if kind == "c":
        with pytest.raises(TypeError):
            _ = dtype.max
    elif kind in "iu":
        info = np.iinfo(dtype.as_numpy_dtype)
        assert (dtype.min, dtype.max) == (info.min, info.max)


def test_python_types_are_names_too():
    assert tf.as_dtype(float) is tf.float32
    assert tf.as_dtype(bool) is tf.bool
    assert tf.as_dtype(str) is tf.string
    assert tf.as_dtype("double") is tf.float64 is tf.double
    assert tf.as_dtype("half") is tf.float16 is tf.half


@pytest.mark.parametrize("wrong", ["floaty", None, object(), 99.5, [1], dtypes])
def test_what_names_no_dtype_is_refused(wrong):
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        tf.as_dtype(wrong)
