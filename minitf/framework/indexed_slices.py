"""IndexedSlices are some rows of a tensor and their numbers: the gradient of what was gathered.

Mirrors tensorflow/python/framework/indexed_slices.py.
"""

from typing import Any, NamedTuple, Self

from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.framework.tensor_shape import UNKNOWN, TensorShape


class IndexedSlicesValue(NamedTuple):
    """What a run gives for IndexedSlices: three arrays."""

    values: Any
    indices: Any
    dense_shape: Any = None


class IndexedSlices:
    """A tensor of shape `dense_shape` with `values[k]` in row `indices[k]` and zeros elsewhere.

    Rows of the same index are added. Whatever needs a tensor gets the dense one; that raises
    ValueError without `dense_shape`.
    """

    def __init__(self, values: Tensor, indices: Tensor, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape
        self.name, self.op, self.dtype = values.name, values.op, values.dtype
        self.graph, self.device = values.graph, values.device

    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor, as far as it is known."""
        source = None if self.dense_shape is None else self.dense_shape.op
        if source is not None and source.type == "Const":
            return TensorShape(source.attrs["value"])
        return source.inputs[0].shape if source is not None and source.type == "Shape" else UNKNOWN

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    def _as_tensor(self, as_ref=False) -> Tensor:
        if self.dense_shape is None:
            raise ValueError(
                f"Tensor conversion requested for IndexedSlices without dense_shape: {self}"
            )
        dense = build_tensor("UnsortedSegmentSum", self.values, self.indices, self.dense_shape[0])
        dense._shape = self.shape if self.shape.rank else dense.shape
        return dense

    def __neg__(self) -> Self:
        return IndexedSlices(build_tensor("Neg", self.values), self.indices, self.dense_shape)

    def __str__(self) -> str:
        dense = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{dense})"
