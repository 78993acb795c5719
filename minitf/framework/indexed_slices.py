"""IndexedSlices are some rows of a tensor, and which rows they are: the gradient of what was gathered.

Stands for tensorflow/python/framework/indexed_slices.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from minitf.framework.dtypes import DType
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import UNKNOWN, TensorShape


class IndexedSlicesValue(NamedTuple):
    """What a run gives for IndexedSlices: three arrays."""

    values: Any
    indices: Any
    dense_shape: Any


class IndexedSlices:
    """A tensor of shape `dense_shape` with `values[k]` in row `indices[k]` and zeros elsewhere.

    Rows of the same index are added. Whatever needs a tensor gets the dense one; that raises ValueError
    without `dense_shape`.
    """

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None):
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    values: Tensor = property(lambda self: self._values, doc="The rows.")
    indices: Tensor = property(lambda self: self._indices, doc="Which rows they are.")
    dense_shape: Tensor | None = property(lambda self: self._dense_shape, doc="The whole shape.")
    name: str = property(lambda self: self._values.name, doc="The name of `values`.")
    op: Operation = property(lambda self: self._values.op, doc="The op of `values`.")
    dtype: DType = property(lambda self: self._values.dtype, doc="The dtype of `values`.")
    graph: Graph = property(lambda self: self._values.graph, doc="The graph they belong to.")
    device: str = property(lambda self: self._values.device, doc="The device asked for.")

    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor, as far as it is known."""
        dense = self._dense_shape
        if dense is None:
            return UNKNOWN
        if dense.op.type == "Const":
            return TensorShape(dense.op.attrs["value"].tolist())
        return dense.op.inputs[0].shape if dense.op.type == "Shape" else UNKNOWN

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    def _as_tensor(self, as_ref: bool = False) -> Tensor:
        if self._dense_shape is None:
            raise ValueError(
                f"Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: {self}"
            )
        dense = build_tensor("UnsortedSegmentSum", self._values, self._indices, self._dense_shape[0])
        dense._shape = self.shape if self.shape.rank else dense.shape
        return dense

    def __str__(self) -> str:
        dense = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{dense})"
