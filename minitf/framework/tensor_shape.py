"""A static shape is what is known about a tensor's shape before a run.

Each unknown dimension is an object. If two shapes share that object, their lengths are equal in
every run, even though neither is known yet. This is how the compiler can tell that two tensors of
shape (?, 1) have the same shape.

Mirrors tensorflow/python/framework/tensor_shape.py.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator

import numpy as np


class UnknownLength:
    """A length that is known only during a run; the same object means the same length.

    A length computed from it is a different one.
    """

    def _computed(self, other) -> UnknownLength:
        return UnknownLength()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _computed
    __floordiv__ = __rfloordiv__ = _computed


Length = int | UnknownLength


def _if_known(rule: Callable, result: Callable = lambda value: value) -> Callable:
    """Return an operator of Dimension: `result(rule(a, b))`, or `result(None)` if one is None."""

    def operation(self: Dimension, other):
        other = getattr(other, "value", other)
        if other is not None and not hasattr(other, "__index__"):
            return NotImplemented
        return result(None if self.value is None or other is None else rule(self.value, other))

    return operation


class Dimension:
    """One entry of a static shape; `value` is its length, or None if that is unknown."""

    __slots__ = ("value",)

    def __init__(self, value):
        value = getattr(value, "value", value)
        if value is not None and not hasattr(value, "__index__"):
            raise TypeError(
                "Dimension value must be integer or None or have an __index__ method, got value "
                f"'{value!r}' with type '{type(value)!r}'."
            )
        self.value = None if value is None else operator.index(value)
        if self.value is not None and self.value < 0:
            raise ValueError(f"Dimension {self.value} must be >= 0.")

    __eq__, __ne__ = _if_known(operator.eq), _if_known(operator.ne)
    __lt__, __le__ = _if_known(operator.lt), _if_known(operator.le)
    __gt__, __ge__ = _if_known(operator.gt), _if_known(operator.ge)

    def __truediv__(self, other) -> None:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', please "
            "use // instead"
        )

    def is_compatible_with(self, other) -> bool:
        """Return whether the two lengths could be equal in some run."""
        return (self == Dimension(other)) is not False

    def assert_is_compatible_with(self, other) -> None:
        """Raise ValueError if the two lengths differ in every run."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other) -> Dimension:
        """Return whichever of the two is known. Raises ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other if self.value is None else self)

    def __hash__(self) -> int:
        return hash(self.value)

    def __index__(self) -> int:
        return self.value

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        """Let NumPy build an array from a list of dimensions."""
        return np.array(self.value)

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)

    def __repr__(self) -> str:
        return f"Dimension({self.value})"


def _both_ways(rule: Callable) -> tuple[Callable, Callable]:
    """Return the operators for a Dimension on the left and on the right."""
    return _if_known(rule, Dimension), _if_known(lambda a, b: rule(b, a), Dimension)


Dimension.__add__, Dimension.__radd__ = _both_ways(operator.add)
Dimension.__sub__, Dimension.__rsub__ = _both_ways(operator.sub)
Dimension.__mul__, Dimension.__rmul__ = _both_ways(operator.mul)
Dimension.__floordiv__, Dimension.__rfloordiv__ = _both_ways(operator.floordiv)
Dimension.__mod__, Dimension.__rmod__ = _both_ways(operator.mod)


class TensorShape:
    """A static shape: a list of lengths, some of which may be unknown, or a shape of unknown rank.

    `TensorShape([None, 1])` prints as `(?, 1)`, `TensorShape(None)` as `<unknown>`. `lengths` holds
    each dimension as an int or an UnknownLength, or is None if the rank is unknown.
    """

    __slots__ = ("lengths",)

    def __init__(self, dims):
        self.lengths: tuple[Length, ...] | None = getattr(dims, "lengths", None)
        if isinstance(dims, str):  # probably two arguments swapped
            raise TypeError(
                f"Failed to convert '{dims!r}' to a shape: '{dims[:1]!r}'could not be converted "
                "to a dimension. A shape should either be single dimension (e.g. 10), or an "
                "iterable of dimensions (e.g. [1, 10, None])."
            )
        if dims is not None and not isinstance(dims, TensorShape):
            dims = [Dimension(d).value for d in (dims if isinstance(dims, Iterable) else [dims])]
            self.lengths = tuple(UnknownLength() if d is None else d for d in dims)

    @classmethod
    def of(cls, lengths: tuple[Length, ...]) -> TensorShape:
        """Return the shape with exactly these lengths; unknown ones keep their identity."""
        shape = cls(None)
        shape.lengths = lengths
        return shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
        return None if self.lengths is None else len(self.lengths)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions, or None if the rank is unknown."""
        return None if self.lengths is None else [Dimension(d) for d in self.as_list()]

    def as_list(self) -> list[int | None]:
        """Return the lengths, each an int or None. Raises ValueError if the rank is unknown."""
        if self.lengths is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return [d if isinstance(d, int) else None for d in self.lengths]

    def is_fully_defined(self) -> bool:
        """Return whether every length is known."""
        return self.lengths is not None and None not in self.as_list()

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError unless every length is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def num_elements(self) -> int | None:
        """Return the number of elements, or None unless every length is known."""
        return math.prod(self.lengths) if self.is_fully_defined() else None

    def is_compatible_with(self, other) -> bool:
        """Return whether the two shapes could be equal in some run."""
        other = TensorShape(other)
        if self.lengths is None or other.lengths is None:
            return True
        pairs = zip(self.as_list(), other.as_list(), strict=False)
        return self.rank == other.rank and all(None in pair or pair[0] == pair[1] for pair in pairs)

    def assert_is_compatible_with(self, other) -> None:
        """Raise ValueError if the two shapes differ in every run."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other) -> TensorShape:
        """Return the shape that combines what both shapes say.

        Raises ValueError if they contradict each other.
        """
        other = TensorShape(other)
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        if other.lengths is None:
            return self
        if self.lengths is None:
            return TensorShape(other.as_list())  # its unknown lengths need not be the other's
        pairs = zip(self.lengths, other.lengths, strict=True)
        return TensorShape.of(tuple(b if isinstance(b, int) else a for a, b in pairs))

    def concatenate(self, other) -> TensorShape:
        """Return the dimensions of this shape followed by those of the other."""
        a, b = self.lengths, TensorShape(other).lengths
        return TensorShape(None) if a is None or b is None else TensorShape.of(a + b)

    __add__ = concatenate

    def __radd__(self, other) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def most_specific_compatible_shape(self, other) -> TensorShape:
        """Return the most specific shape that is compatible with both."""
        other = TensorShape(other)
        if self.rank is None or self.rank != other.rank:
            return UNKNOWN
        pairs = zip(self.as_list(), other.as_list(), strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def with_rank(self, rank: int) -> TensorShape:
        """Return this shape with `rank` dimensions. Raises ValueError if it has another rank."""
        self._check(self.rank in (None, rank), f"rank {rank}")
        return self.merge_with([None] * rank)

    assert_has_rank = with_rank

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return this shape. Raises ValueError if it has fewer than `rank` dimensions."""
        return self._check(self.rank is None or self.rank >= rank, f"rank at least {rank}")

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return this shape. Raises ValueError if it has more than `rank` dimensions."""
        return self._check(self.rank is None or self.rank <= rank, f"rank at most {rank}")

    def assert_same_rank(self, other) -> None:
        """Raise ValueError if the two are known to have different ranks."""
        other = TensorShape(other)
        if other.rank is not None and self.rank not in (None, other.rank):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def _check(self, fits: bool, must_have: str) -> TensorShape:
        if not fits:
            raise ValueError(f"Shape {self} must have {must_have}")
        return self

    def __bool__(self) -> bool:
        return self.lengths is not None

    def __len__(self) -> int:
        if self.lengths is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self.lengths)

    def __iter__(self) -> Iterator[Dimension]:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, key: int | slice) -> Dimension | TensorShape:
        if isinstance(key, slice):
            return TensorShape(None) if self.lengths is None else TensorShape.of(self.lengths[key])
        return Dimension(None) if self.lengths is None else self.dims[key]

    def _key(self) -> tuple[int | None, ...] | None:
        """Return a key that is equal for shapes with the same known lengths."""
        return None if self.lengths is None else tuple(self.as_list())

    def __eq__(self, other: object) -> bool:
        try:
            return self._key() == TensorShape(other)._key()
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        if self.lengths is None:
            return "<unknown>"
        return f"({', '.join(map(str, self.dims))}{',' * (self.rank == 1)})"

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"


SCALAR = TensorShape.of(())
UNKNOWN = TensorShape(None)


def same_for_certain(a: TensorShape, b: TensorShape) -> bool:
    """Return whether two tensors of these static shapes have the same shape in every run."""
    known = a.lengths is not None and a.lengths == b.lengths
    return known or (a is b and a is not UNKNOWN)


def broadcast(a: TensorShape, b: TensorShape) -> TensorShape:
    """Return the static shape of an elementwise result, by NumPy's broadcasting rules.

    Raises ValueError if two lengths can't be broadcast.
    """
    if b.lengths == () or same_for_certain(a, b):
        return a
    if a.lengths == ():
        return b
    if a.lengths is None or b.lengths is None:
        return TensorShape(None)  # a new object, as it may differ from every other shape
    rank = max(len(a), len(b))
    padded = [(1,) * (rank - len(s)) + s.lengths for s in (a, b)]
    return TensorShape.of(tuple(map(_broadcast_length, *padded)))


def _broadcast_length(x: Length, y: Length) -> Length:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    check_equal(x, y)
    known = [n for n in (x, y) if isinstance(n, int)]
    # An unknown length beside a known one must be 1 or equal to it (TensorFlow leaves 0 open).
    return known[0] if known and known[0] else UnknownLength()


def check_equal(x: Length | None, y: Length | None) -> None:
    """Raise ValueError, with the message that ops have, if two lengths are known and differ."""
    if isinstance(x, int) and isinstance(y, int) and x != y:
        raise ValueError(f"Dimensions must be equal, but are {x} and {y}")


def check_compatible(a: TensorShape, b: TensorShape) -> None:
    """Raise ValueError, with the message that ops have, if the shapes differ in every run."""
    if a.is_compatible_with(b):
        return
    if a.rank != b.rank:
        raise ValueError(f"Shapes must be equal rank, but are {a.rank} and {b.rank}")
    pairs = enumerate(zip(a.as_list(), b.as_list(), strict=True))
    i, (x, y) = next((i, p) for i, p in pairs if None not in p and p[0] != p[1])
    raise ValueError(
        f"Dimension {i} in both shapes must be equal, but are {x} and {y}. "
        f"Shapes are {in_message(a)} and {in_message(b)}."
    )


def in_message(shape: TensorShape | tuple[int, ...]) -> str:
    """Return a shape as TensorFlow's run-time messages write it, such as `[?,3]`."""
    dims = TensorShape(shape).dims
    return "?" if dims is None else f"[{','.join(map(str, dims))}]"
