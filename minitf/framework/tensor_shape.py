"""A static shape is what is known of a tensor's shape before anything runs.

An unknown dimension is an object of its own: where the same object stands in two shapes, the two
lengths are equal in every run, though nobody knows them yet. That is how the compiler can tell that
two tensors of shape (?, 1) have the same shape. Stands for tensorflow/python/framework/tensor_shape.py.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any


class UnknownLength:
    """A length that only a run will tell; the same object means the same length."""

    __slots__ = ()


Length = int | UnknownLength


class Dimension:
    """One entry of a static shape; `value` is its length, or None where it is unknown."""

    __slots__ = ("value",)

    def __init__(self, value: int | None):
        try:
            self.value = None if value is None else operator.index(value)
        except TypeError:
            raise TypeError(
                "Dimension value must be integer or None or have an __index__ method, got value "
                f"'{value!r}' with type '{type(value)!r}'."
            ) from None
        if self.value is not None and self.value < 0:
            raise ValueError(f"Dimension {self.value} must be >= 0.")

    def __eq__(self, other: object) -> bool | None:
        other = other.value if isinstance(other, Dimension) else other
        return None if self.value is None or other is None else self.value == other

    def __ne__(self, other: object) -> bool | None:
        equal = self == other
        return None if equal is None else not equal

    def __hash__(self) -> int:
        return hash(self.value)

    def __int__(self) -> int:
        return self.value

    __index__ = __int__

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)

    def __repr__(self) -> str:
        return f"Dimension({self.value})"

    def __add__(self, other: Any) -> Dimension:
        return self._combine(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Dimension:
        return self._combine(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> Dimension:
        return self._combine(other, lambda a, b: a * b)

    def __floordiv__(self, other: Any) -> Dimension:
        return self._combine(other, lambda a, b: a // b)

    __radd__, __rmul__ = __add__, __mul__

    def _combine(self, other: Any, rule: Any) -> Dimension:
        other = other.value if isinstance(other, Dimension) else other
        return Dimension(None if self.value is None or other is None else rule(self.value, other))


class TensorShape:
    """A static shape: of unknown rank, or a list of lengths some of which may be unknown.

    `TensorShape([None, 1])` prints as `(?, 1)`, `TensorShape(None)` as `<unknown>`.
    """

    __slots__ = ("_lengths",)

    def __init__(self, dims: Any = None):
        if isinstance(dims, TensorShape):
            self._lengths = dims._lengths
        elif dims is None:
            self._lengths = None
        elif isinstance(dims, Iterable):
            self._lengths = tuple(_as_length(d) for d in dims)
        else:
            self._lengths = (_as_length(dims),)

    @classmethod
    def of(cls, lengths: tuple[Length, ...]) -> TensorShape:
        """The shape with just these lengths; unknown ones keep their identity."""
        shape = cls.__new__(cls)
        shape._lengths = lengths
        return shape

    @property
    def lengths(self) -> tuple[Length, ...] | None:
        """Each dimension as an int or an UnknownLength; None where the rank is unknown."""
        return self._lengths

    @property
    def rank(self) -> int | None:
        """How many dimensions there are, or None."""
        return None if self._lengths is None else len(self._lengths)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions, or None where the rank is unknown."""
        return None if self._lengths is None else [Dimension(d) for d in self._known()]

    def _known(self) -> list[int | None]:
        return [d if isinstance(d, int) else None for d in self._lengths]

    def as_list(self) -> list[int | None]:
        """The lengths as a list. Raises ValueError where the rank is unknown."""
        if self._lengths is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return self._known()

    def is_fully_defined(self) -> bool:
        """Whether every length is known."""
        return self._lengths is not None and all(isinstance(d, int) for d in self._lengths)

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless every length is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def num_elements(self) -> int | None:
        """How many numbers a tensor of this shape holds, or None where that is unknown."""
        if not self.is_fully_defined():
            return None
        product = 1
        for d in self._lengths:
            product *= d
        return product

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some run could give both tensors the same shape."""
        a, b = self._lengths, TensorShape(other)._lengths
        if a is None or b is None:
            return True
        return len(a) == len(b) and all(
            x == y or not isinstance(x, int) or not isinstance(y, int) for x, y in zip(a, b, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError where no run could give both tensors the same shape."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """What is known when both are true of one tensor. Raises ValueError where they disagree."""
        other = TensorShape(other)
        if other._lengths is None:
            return self
        if self._lengths is None:
            return TensorShape(other.as_list())  # the other's unknown lengths are not this one's
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        pairs = zip(self._lengths, other._lengths, strict=True)
        return TensorShape.of(tuple(b if isinstance(b, int) else a for a, b in pairs))

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of this shape, then those of the other."""
        other = TensorShape(other)
        if self._lengths is None or other._lengths is None:
            return TensorShape(None)
        return TensorShape.of(self._lengths + other._lengths)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have `rank` dimensions. Raises ValueError where it has others."""
        try:
            return self.merge_with([None] * rank)
        except ValueError:
            raise ValueError(f"Shape {self} must have rank {rank}") from None

    def __bool__(self) -> bool:
        return self._lengths is not None

    def __len__(self) -> int:
        if self._lengths is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._lengths)

    def __iter__(self) -> Iterator[Dimension]:
        if self._lengths is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self.dims)

    def __getitem__(self, key: int | slice) -> Dimension | TensorShape:
        if self._lengths is None:
            return TensorShape(None) if isinstance(key, slice) else Dimension(None)
        if isinstance(key, slice):
            return TensorShape.of(self._lengths[key])
        return self.dims[key]

    def __eq__(self, other: object) -> bool:
        try:
            other = TensorShape(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._lengths is None or other._lengths is None:
            return self._lengths is other._lengths
        return self._known() == other._known()

    def __hash__(self) -> int:
        return hash(None if self._lengths is None else tuple(self._known()))

    def __str__(self) -> str:
        if self._lengths is None:
            return "<unknown>"
        inside = ", ".join("?" if d is None else str(d) for d in self._known())
        return f"({inside},)" if len(self._lengths) == 1 else f"({inside})"

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"


def _as_length(dim: Any) -> Length:
    value = Dimension(getattr(dim, "value", dim)).value
    return UnknownLength() if value is None else value


SCALAR = TensorShape.of(())
UNKNOWN = TensorShape(None)


def same_for_certain(a: TensorShape, b: TensorShape) -> bool:
    """Whether two tensors of these static shapes have the same shape in every run."""
    known = a.lengths is not None and a.lengths == b.lengths
    return known or (a is b and a is not UNKNOWN)


def broadcast(a: TensorShape, b: TensorShape) -> TensorShape:
    """The shape of an elementwise result (NumPy's rule). Raises ValueError with the two lengths."""
    if a.lengths == () or a is b:
        return b
    if b.lengths == ():
        return a
    if a.lengths is None or b.lengths is None:
        return TensorShape(None)
    rank = max(len(a.lengths), len(b.lengths))
    padded = [(1,) * (rank - len(s.lengths)) + s.lengths for s in (a, b)]
    return TensorShape.of(tuple(_broadcast_length(x, y) for x, y in zip(*padded, strict=True)))


def _broadcast_length(x: Length, y: Length) -> Length:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if isinstance(x, int) and isinstance(y, int):
        raise ValueError(f"Dimensions must be equal, but are {x} and {y}")
    if isinstance(x, int) or isinstance(y, int):
        return x if isinstance(x, int) else y  # the unknown one is 1 or the same
    return UnknownLength()


def difference(a: TensorShape, b: TensorShape) -> str:
    """What is wrong where two shapes should be compatible and are not."""
    if a.rank != b.rank:
        return f"Shapes must be equal rank, but are {a.rank} and {b.rank}"
    lengths = zip(a.as_list(), b.as_list(), strict=True)
    i, (x, y) = next((i, p) for i, p in enumerate(lengths) if None not in p and p[0] != p[1])
    return (
        f"Dimension {i} in both shapes must be equal, but are {x} and {y}. "
        f"Shapes are {in_message(a)} and {in_message(b)}."
    )


def in_message(shape: TensorShape | tuple[int, ...]) -> str:
    """A shape as TensorFlow's run-time messages write it: `[?,3]`."""
    if isinstance(shape, TensorShape):
        if shape.lengths is None:
            return "<unknown>"
        shape = shape.as_list()
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"
