"""Sums of several tensors, and of the numbers up to each: what is added one after the other.

Stands for add_n, accumulate_n and cumsum of tensorflow/python/ops/math_ops.py.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, NUMBERS, infix, kernel, quoted, register
from minitf.framework.tensor_shape import TensorShape, difference, in_message, same_for_certain
from minitf.ops.array_ops import identity


def _cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The sums of the numbers up to each, itself included unless `exclusive`, from the end in `reverse`."""
    step = -1 if reverse else 1
    x = np.moveaxis(x, axis, 0)[::step]
    x = np.concatenate([np.zeros_like(x[:1]), x[:-1]]) if exclusive else x
    return np.moveaxis(np.cumsum(x, 0, x.dtype)[::step], 0, axis)


KERNELS["cumsum"] = _cumsum


def _cumsum_code(op: Operation, x: str, axis: Any) -> str:
    flags = "".join(f", {flag}=True" for flag in ("exclusive", "reverse") if op.attrs[flag])
    return f"cumsum({x}, {axis}{flags})"


register(
    "Cumsum",
    "x:T axis:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[0].shape)],
    _cumsum_code,
    lambda op, dy: [lambda: cumsum(dy, op.inputs[1], op.attrs["exclusive"], not op.attrs["reverse"]), None],
    explain=lambda x, axis: f"ScanOp: Expected scan axis in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}",
    allowed=NUMBERS,
)


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The sums of the numbers of x up to each along `axis`.

    `exclusive` leaves that number itself out, `reverse` sums from the end.
    """
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return build_tensor("Cumsum", x, axis, name=scope, exclusive=exclusive, reverse=reverse)


def _infer_add_n(op: Operation) -> list:
    shape = op.inputs[0].shape
    for i, term in enumerate(op.inputs[1:]):
        if not shape.is_compatible_with(term.shape):
            problem = difference(shape, term.shape)
            raise ValueError(f"{problem}\n\tFrom merging shape {i} with other shapes.")
        shape = shape.merge_with(term.shape)
    return [(op.inputs[0].dtype.base_dtype, shape)]


LONGEST_SUM = 8  # terms written with +; Python's compiler takes no long chains of operators


def _add_n_code(op: Operation, *terms: Any) -> str:
    same = all(same_for_certain(terms[0].shape, term.shape) for term in terms)
    if same and len(terms) <= LONGEST_SUM:
        return functools.reduce(lambda a, b: infix("+", a, b), terms)
    return f"add_same_shapes({quoted(op.name)}, {', '.join(terms)})"


@kernel
def add_same_shapes(name: str, *terms: Any) -> Any:
    """The sum of arrays, which must all have one shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            raise InvalidArgumentError(
                None,
                None,
                f"Inputs to operation {name} of type AddN must have the same size and shape.  "
                f"Input 0: {in_message(terms[0].shape)} != input {i}: {in_message(term.shape)}",
            )
    return functools.reduce(np.add, terms)


register(
    "AddN",
    "inputs:*T",
    _infer_add_n,
    _add_n_code,
    lambda op, dy: [dy] * len(op.inputs),
    allowed=NUMBERS,
    simplify=lambda result, first, *others: None if others else first,
)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype. Raises ValueError for an empty list."""
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(
            "inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    return build_tensor("AddN", *(convert_to_tensor(t) for t in inputs), name=name)


def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """`add_n`, which checks `shape` and `tensor_dtype` and gives the only one of one tensor itself."""
    wrong = ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if not inputs or not isinstance(inputs, list | tuple):
        raise wrong
    inputs = [convert_to_tensor(t) for t in inputs]
    dtype = inputs[0].dtype.base_dtype
    if any(t.dtype.base_dtype is not dtype for t in inputs):
        raise wrong
    shape = TensorShape(shape)
    for t in inputs:
        shape = shape.merge_with(t.shape)
    if tensor_dtype is not None and as_dtype(tensor_dtype) is not dtype:
        raise TypeError(
            f"The `tensor_dtype` argument is {as_dtype(tensor_dtype)}, but `input` is of type {dtype}. "
            "These must be equal. Try casting the input to the desired type."
        )
    if len(inputs) == 1:
        return inputs[0] if name is None else identity(inputs[0], name=name)
    return add_n(inputs, name=name)
