"""The product of matrices, transposed or not.

Stands for matmul of tensorflow/python/ops/math_ops.py and _MatMulGrad of math_grad.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import FLOATS, KERNELS, atom, infix, kernel, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message, same_for_certain
from minitf.ops import math_ops
from minitf.ops.elementwise import overload


def _infer_matmul(op: Operation) -> list:
    a, b = (t.shape for t in op.inputs)
    dtype = op.inputs[0].dtype.base_dtype
    least = "" if op.type == "MatMul" else "at least "
    for shape in (a, b):
        if shape.rank is not None and shape.rank < 2:
            raise ValueError(f"Shape must be {least}rank 2 but is rank {shape.rank}")
    if a.lengths is None or b.lengths is None:
        return [(dtype, TensorShape(None))]
    a_rows, a_columns = a.lengths[-2:][:: -1 if op.attrs["transpose_a"] else 1]
    b_rows, b_columns = b.lengths[-2:][:: -1 if op.attrs["transpose_b"] else 1]
    batch = broadcast(TensorShape.of(a.lengths[:-2]), TensorShape.of(b.lengths[:-2]))
    if isinstance(a_columns, int) and isinstance(b_rows, int) and a_columns != b_rows:
        raise ValueError(f"Dimensions must be equal, but are {a_columns} and {b_rows}")
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

    def summed(gradient: Tensor, x: Tensor, name: str) -> Tensor:
        """Over the batch along which x was repeated."""
        if op.type == "MatMul" or a.shape.rank and same_for_certain(a.shape[:-2], b.shape[:-2]):
            return gradient
        return build_tensor("Unbroadcast", gradient, x, name=name)

    def da() -> Tensor:
        factors = (b, dc, tb, True) if ta else (dc, b, False, not tb)
        return summed(matmul(*factors, name="MatMul"), a, "Reshape")

    def db() -> Tensor:
        factors = (dc, a, True, ta) if tb else (a, dc, not ta, False)
        return summed(matmul(*factors, name="MatMul_1"), b, "Reshape_1")

    return [da, db]


def _explain_matmul(a: Any, b: Any) -> str:
    a, b = np.shape(a), np.shape(b)
    try:
        np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        return f"In[0] and In[1] must have compatible batch dimensions: {in_message(a)} vs. {in_message(b)}"
    return f"Matrix size-incompatible: In[0]: {in_message(a)}, In[1]: {in_message(b)}"


for _type, _inputs in (("MatMul", "a:T b:T"), ("BatchMatMulV2", "x:T y:T")):
    register(
        _type,
        _inputs,
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
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of a [..., n, k] and b [..., k, m]: [..., n, m].

    A matrix whose `transpose_` is set is transposed first, one whose `adjoint_` is set conjugated, too; the
    other flags have no meaning here. Raises ValueError where k differs.
    """
    for which, transpose, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transpose and adjoint:
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
                f"`transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
            )
    with name_scope(name, "MatMul", [a, b]) as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b", dtype_hint=a.dtype.base_dtype)
        a = math_ops.conj(a) if adjoint_a and a.dtype.is_complex else a
        b = math_ops.conj(b) if adjoint_b and b.dtype.is_complex else b
        batch = any(t.shape.rank is None or t.shape.rank > 2 for t in (a, b))
        return build_tensor(
            "BatchMatMulV2" if batch else "MatMul",
            a,
            b,
            name=scope,
            transpose_a=bool(transpose_a or adjoint_a),
            transpose_b=bool(transpose_b or adjoint_b),
        )


overload("matmul", matmul)
