"""The product of matrices, transposed or not.

Stands for matmul of tensorflow/python/ops/math_ops.py and _MatMulGrad of math_grad.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework.errors import InvalidArgumentError
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import FLOATS, KERNELS, atom, infix, kernel, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops.elementwise import overload


def _infer_matmul(op: Operation) -> list:
    a, b = (t.shape for t in op.inputs)
    dtype = op.inputs[0].dtype.base_dtype
    if a.lengths is None or b.lengths is None:
        return [(dtype, TensorShape(None))]
    for shape in (a, b):
        if shape.rank < 2:
            raise ValueError(f"Shape must be rank 2 but is rank {shape.rank}")
    a_rows, a_columns = a.lengths[-2:][:: -1 if op.attrs["transpose_a"] else 1]
    b_rows, b_columns = b.lengths[-2:][:: -1 if op.attrs["transpose_b"] else 1]
    if isinstance(a_columns, int) and isinstance(b_rows, int) and a_columns != b_rows:
        raise ValueError(f"Dimensions must be equal, but are {a_columns} and {b_rows}")
    batch = broadcast(TensorShape.of(a.lengths[:-2]), TensorShape.of(b.lengths[:-2]))
    return [(dtype, batch.concatenate(TensorShape.of((a_rows, b_columns))))]


def _transposed(x: Any, flag: bool) -> str:
    if not flag:
        return x
    return f"{atom(x)}.T" if x.rank == 2 else f"swapaxes({x}, -1, -2)"


KERNELS["swapaxes"] = np.swapaxes


@kernel
def matrix(x: Any, number: int) -> Any:
    """x, which must be a matrix or several: an input of matmul whose rank only the run tells."""
    if np.ndim(x) < 2:
        raise InvalidArgumentError(None, None, f"In[{number}] ndims must be >= 2: {np.ndim(x)}")
    return x


def _matmul_code(op: Operation, a: str, b: str) -> str:
    left, right = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if a.rank is None or b.rank is None:
        a, b = f"matrix({a}, 0)", f"matrix({b}, 1)"
        left, right = (f"swapaxes({m}, -1, -2)" if t else m for m, t in ((a, left), (b, right)))
        return infix("@", left, right)
    return infix("@", _transposed(a, left), _transposed(b, right))


def _matmul_gradient(op: Operation, dc: Tensor) -> list:
    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]

    def da() -> Tensor:
        if ta:
            return matmul(b, dc, transpose_a=tb, transpose_b=True, name="MatMul")
        return matmul(dc, b, transpose_b=not tb, name="MatMul")

    def db() -> Tensor:
        if tb:
            return matmul(dc, a, transpose_a=True, transpose_b=ta, name="MatMul_1")
        return matmul(a, dc, transpose_a=not ta, name="MatMul_1")

    return [da, db]


def _explain_matmul(a: Any, b: Any) -> str:
    a, b = np.shape(a), np.shape(b)
    return f"Matrix size-incompatible: In[0]: {in_message(a)}, In[1]: {in_message(b)}"


register(
    "MatMul",
    "a:T b:T",
    _infer_matmul,
    _matmul_code,
    _matmul_gradient,
    explain=_explain_matmul,
    allowed=(*FLOATS, "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of a [..., n, k] and b [..., k, m]: [..., n, m].

    A matrix whose `transpose_` is set is transposed first. Raises ValueError where k differs.
    """
    flags = {"transpose_a": bool(transpose_a), "transpose_b": bool(transpose_b)}
    return build_tensor("MatMul", a, b, name=name, **flags)


overload("matmul", matmul)
