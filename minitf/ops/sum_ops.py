"""Sums of several tensors, and of the numbers up to each: what is added one after the other.

Stands for add_n and cumsum of tensorflow/python/ops/math_ops.py.
"""

import functools
from typing import Any

import numpy as np

from minitf.framework import dtypes, errors
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import infix, kernel, quoted, register
from minitf.framework.tensor_shape import in_message, same_for_certain
from minitf.ops import array_ops
from minitf.ops.shape_ops import called, merged, same_as_first, shaped

LONGEST_SUM = 8  # terms written with +; Python's compiler takes no long chains of operators


def _add_n_code(op: Operation, *terms: Any) -> str:
    same = all(same_for_certain(terms[0].shape, term.shape) for term in terms)
    if same and len(terms) <= LONGEST_SUM:
        return functools.reduce(functools.partial(infix, "+"), terms)
    return f"add_same_shapes({quoted(op.name)}, {', '.join(terms)})"


@kernel
def add_same_shapes(name: str, *terms: Any) -> Any:
    """The sum of arrays, which must all have one shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            message = f"Inputs to operation {name} of type AddN must have the same size and shape.  Input 0: "
            message += f"{in_message(terms[0].shape)} != input {i}: {in_message(term.shape)}"
            raise errors.InvalidArgumentError(None, None, message)
    return functools.reduce(np.add, terms)


register(
    "AddN",
    "inputs:*T",
    shaped(lambda op, *terms: merged([t.shape for t in terms])),
    _add_n_code,
    lambda op, dy: [dy] * len(op.inputs),
    allowed=dtypes.NUMBERS,
)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype. Raises ValueError for an empty list."""
    inputs = list(inputs)
    if not inputs or any(t is None for t in inputs):
        wanted = "an iterable of at least one Tensor/IndexedSlices with the same dtype and shape"
        raise ValueError(f"Inputs must be {wanted}.")
    if len(inputs) == 1:
        total = convert_to_tensor(inputs[0])
        return total if name is None else array_ops.identity(total, name)
    return build_tensor("AddN", *(convert_to_tensor(t) for t in inputs), name=name)


@kernel
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The sums of the numbers up to each, itself included unless `exclusive`, from the end in `reverse`."""
    step = -1 if reverse else 1
    x = np.moveaxis(x, axis, 0)[::step]
    x = np.concatenate([np.zeros_like(x[:1]), x[:-1]]) if exclusive else x
    return np.moveaxis(np.cumsum(x, 0, x.dtype)[::step], 0, axis)


register(
    "Cumsum",
    "x:T axis:length",
    same_as_first,
    called("cumsum", exclusive=False, reverse=False),
    lambda op, dy: [lambda: cumsum_op(dy, op.inputs[1], op.attrs["exclusive"], not op.attrs["reverse"]), None],
    explain=lambda x, axis: f"ScanOp: Expected scan axis in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}",
    allowed=dtypes.NUMBERS,
)


def cumsum_op(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The sums of the numbers of x up to each along `axis`.

    `exclusive` leaves that number itself out, `reverse` sums from the end.
    """
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return build_tensor("Cumsum", x, axis, name=scope, exclusive=exclusive, reverse=reverse)
