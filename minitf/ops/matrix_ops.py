"""The product of matrices, transposed or not.

Mirrors matmul of tensorflow/python/ops/math_ops.py and _MatMulGrad of math_grad.py.
"""

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import FLOATS
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, atom, infix, kernel, register
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, broadcast, in_message
from minitf.ops import math_ops
from minitf.ops.elementwise import overload
from minitf.ops.shape_ops import AT_LEAST, axis_in, check_rank, shaped


@shaped
def _product_shape(op: Operation, x: Tensor, y: Tensor) -> TensorShape:
    for tensor in (x, y):
        if op.type == "MatMul":
            check_rank(tensor, 2)
        elif tensor.shape.rank is not None:
            axis_in(-2, tensor.shape.rank, AT_LEAST)
    a, b = x.shape, y.shape
    if None in (a.rank, b.rank):
        return UNKNOWN
    rows, shared = a.lengths[-2:][:: -1 if op.attrs["transpose_a"] else 1]
    other, columns = b.lengths[-2:][:: -1 if op.attrs["transpose_b"] else 1]
    if isinstance(shared, int) and isinstance(other, int) and shared != other:
        raise ValueError(f"Dimensions must be equal, but are {shared} and {other}")
    return broadcast(a[:-2], b[:-2]).concatenate(TensorShape.of((rows, columns)))


KERNELS["swapaxes"] = np.swapaxes


@kernel
def matrix(x):
    """x, which must be a matrix or several: an input of matmul whose rank only the run tells."""
    if np.ndim(x) < 2:
        raise ValueError(f"In[0] and In[1] ndims must be >= 2: {np.ndim(x)}")
    return x


def _factor(x, transpose: bool) -> str:
    if not transpose:
        return x if x.rank else f"matrix({x})"
    return f"{atom(x)}.T" if x.rank == 2 else f"swapaxes({x if x.rank else f'matrix({x})'}, -1, -2)"


def _matmul_gradient(op: Operation, dc: Tensor) -> list:
    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]

    def product(x: Tensor, factors: tuple, number: str) -> Tensor:
        """The gradient of x: summed over the batch along which x was repeated."""
        found = matmul(*factors, name=f"MatMul{number}")
        return (
            found
            if op.type == "MatMul"
            else build_tensor("Unbroadcast", found, x, name=f"Reshape{number}")
        )

    return [
        lambda: product(a, (b, dc, tb, True) if ta else (dc, b, False, not tb), ""),
        lambda: product(b, (dc, a, True, ta) if tb else (a, dc, not ta, False), "_1"),
    ]


for _type, _inputs in (("MatMul", "a:T b:T"), ("BatchMatMulV2", "x:T y:T")):
    register(
        _type,
        _inputs,
        _product_shape,
        lambda op, a, b: infix(
            "@", _factor(a, op.attrs["transpose_a"]), _factor(b, op.attrs["transpose_b"])
        ),
        _matmul_gradient,
        explain=lambda a, b: (
            f"Matrix size-incompatible: In[0]: {in_message(a.shape)}, In[1]: {in_message(b.shape)}"
        ),
        allowed=(*FLOATS, "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    )


def matmul(
    a,
    b,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of a [..., n, k] and b [..., k, m]: [..., n, m].

    A matrix whose `transpose_` is set is transposed first, one whose `adjoint_` is set also conjugated; the
    other flags have no meaning here. Raises ValueError where k differs.
    """
    for which, transpose, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transpose and adjoint:
            given = f"Received `transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. {given}"
            )
    with name_scope(name, "MatMul", [a, b]) as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b", dtype_hint=a.dtype.base_dtype)
        a = math_ops.conj(a) if adjoint_a and a.dtype.is_complex else a
        b = math_ops.conj(b) if adjoint_b and b.dtype.is_complex else b
        op_type = "MatMul" if {a.shape.rank, b.shape.rank} <= {0, 1, 2} else "BatchMatMulV2"
        flags = {
            "transpose_a": bool(transpose_a or adjoint_a),
            "transpose_b": bool(transpose_b or adjoint_b),
        }
        return build_tensor(op_type, a, b, name=scope, **flags)


overload("matmul", matmul)
