"""Sums of products of elements: `einsum`, whose axes have letters, and `tensordot`.

Mirrors tensorflow/python/ops/special_math_ops.py and these functions of math_ops.py.
"""

import math
import re
import string

import numpy as np

from minitf.extras.arrays import eye, reduce_prod
from minitf.framework import dtypes
from minitf.framework.common_shapes import axis_in, with_shape_of
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, convert_to_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import call, kernel, quoted, register, shaped
from minitf.framework.tensor_shape import (
    UNKNOWN,
    TensorShape,
    UnknownLength,
    broadcast,
    check_equal,
    in_message,
)
from minitf.ops.array_ops import expand_dims, ones, rank, reshape, shape, transpose
from minitf.ops.array_ops import range as range_
from minitf.ops.gather_ops import boolean_mask, gather, where_v2
from minitf.ops.kernels import invalid
from minitf.ops.math_ops import matmul, not_equal
from minitf.ops.reduction_ops import reduce_all
from minitf.ops.slicing_ops import concat, stack

_TERM = r"[a-zA-Z]*(?:\.\.\.)?[a-zA-Z]*"
_EQUATION = re.compile(rf"{_TERM}(?:,{_TERM})*(?:->{_TERM})?")


def _terms(equation: str) -> tuple[list[str], str]:
    """Return the labels of each input and those of the output."""
    inputs, _, output = equation.partition("->")
    return inputs.split(","), output


def _letters(terms) -> str:
    return "".join(terms).replace(".", "")


def _complete(equation: str, count: int) -> tuple[list[str], str]:
    """Return the terms of a user's equation. Raises ValueError unless it fits so many inputs."""
    equation = equation.replace(" ", "")
    if not _EQUATION.fullmatch(equation):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    inputs, output = _terms(equation)
    if len(inputs) != count:
        words = f'Got {count} inputs for equation "{equation}", expecting {len(inputs)}'
        raise ValueError(words)
    letters = _letters(inputs)
    if "->" not in equation:
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
        output = "".join(["..." * ("..." in equation), *once])
    for letter in _letters(output):
        if letter not in letters:
            raise ValueError(
                f"Output subscripts contain the label {letter} not present in the input subscripts."
            )
        if output.count(letter) > 1:
            raise ValueError(
                f"Output subscripts contain a label appearing more than once: {equation}"
            )
    return inputs, output


# The op, which has one or two inputs.


def _split(term: str, lengths) -> tuple[dict, tuple]:
    """Return the length of each letter, and the lengths that an ellipsis stands for."""
    before, ellipsis, after = term.partition("...")
    least = len(before) + len(after)
    if len(lengths) < least or not ellipsis and len(lengths) > least:
        kind = "at least rank" if ellipsis else "rank"
        raise ValueError(f"Shape must be {kind} {least} but is rank {len(lengths)}")
    stop = len(lengths) - len(after)
    pairs = [*zip(before, lengths, strict=False), *zip(after, lengths[stop:], strict=True)]
    found = {}
    for letter, length in pairs:
        _note(found, letter, length)
    return found, tuple(lengths[len(before) : stop])


def _note(found: dict, letter: str, length) -> None:
    old = found.setdefault(letter, length)
    check_equal(old, length)
    if isinstance(length, int):
        found[letter] = length


@shaped
def _product_shape(op, *tensors):
    inputs, output = _terms(op.attrs["equation"])
    found, hidden = {}, TensorShape([])
    for term, tensor in zip(inputs, tensors, strict=True):
        if tensor.shape.rank is None:
            hidden = UNKNOWN if "..." in term else hidden
            continue
        lengths, more = _split(term, tensor.shape.lengths)
        for letter, length in lengths.items():
            _note(found, letter, length)
        hidden = broadcast(hidden, TensorShape.of(more))
    if "..." not in output and hidden.rank:
        raise ValueError(f"Shape must be at most rank 0 but is rank {hidden.rank}")
    parts = []
    for part in output.partition("..."):
        lengths = (found.get(letter, UnknownLength()) for letter in part)
        parts.append(hidden if part == "..." else TensorShape.of(tuple(lengths)))
    return parts[0].concatenate(parts[1]).concatenate(parts[2])


def _places(term: str) -> list[tuple[str, int]]:
    """Return the letters, each with its axis, which is counted from the end behind an ellipsis."""
    return [
        (letter, place - len(term) if "..." in term[:place] else place)
        for place, letter in enumerate(term)
        if letter != "."
    ]


@kernel
def einsum_of(equation, *arrays):
    """`np.einsum`, which doesn't repeat an axis of length 1 to fit another."""
    lengths = {}
    for i, (term, array) in enumerate(zip(_terms(equation)[0], arrays, strict=True)):
        count = len(_letters([term]))
        if np.ndim(array) < count or "..." not in term and np.ndim(array) > count:
            raise invalid(f"Expected input {i} to have rank {count} but got: {np.ndim(array)}")
        for letter, axis in _places(term):
            found, wanted = np.shape(array)[axis], lengths.setdefault(letter, np.shape(array)[axis])
            if found != wanted:
                words = (
                    f"of the input shaped {in_message(np.shape(array))} but got dimension {found}"
                )
                place = axis % np.ndim(array)
                raise invalid(f"Expected dimension {wanted} at axis {place} {words}")
    return np.einsum(equation, *arrays, optimize=len(arrays) > 1)[()]


def _code(op, *arrays):
    return call("einsum_of", quoted(op.attrs["equation"]), *arrays)


def _gradient(op, dy):
    inputs, output = _terms(op.attrs["equation"])
    return [lambda i=i: _of_input(op, dy, inputs, output, i) for i in range(len(inputs))]


def _of_input(op, dy, inputs: list[str], output: str, i: int) -> Tensor:
    """The sum of the products of `dy` and the other inputs, over what isn't in this input."""
    x, term = op.inputs[i], inputs[i]
    terms = [output, *(t for j, t in enumerate(inputs) if j != i)]
    factors = [dy, *(t for j, t in enumerate(op.inputs) if j != i)]
    wanted, unused = "", [c for c in string.ascii_letters if c not in _letters([*inputs, output])]
    lengths = shape(x)
    for place, letter in enumerate(term):
        if letter == ".":
            wanted += letter
            continue
        axis = place - len(term) if "..." in term[:place] else place
        if letter in wanted:  # a diagonal: the rest of the matrix has no gradient
            other = unused.pop()
            factors.append(eye(lengths[axis], dtype=x.dtype.base_dtype))
            terms.append(letter + other)
            letter = other
        elif letter not in _letters(terms):  # the input was summed over it
            factors.append(ones(stack([lengths[axis]]), x.dtype.base_dtype))
            terms.append(letter)
        wanted += letter
    letters = _letters([wanted])
    if not any("..." in t for t in terms):
        return with_shape_of(x, _product(terms, factors, letters))
    # In front are axes that this input may lack, or have with the length 1.
    is_in_order = wanted in (letters, f"...{letters}")
    like = x if is_in_order else _product([wanted], [x], f"...{letters}")
    found = build_tensor("Unbroadcast", _product(terms, factors, f"...{letters}"), like)
    return found if is_in_order else _product([f"...{letters}"], [found], wanted)


def _product(terms: list[str], factors: list[Tensor], output: str) -> Tensor:
    """The product of the factors, two by two, summed over all labels that aren't in the output."""
    while len(factors) > 2:
        needed = _letters([*terms[2:], output])
        both = dict.fromkeys(c for c in _letters(terms[:2]) if c in needed)
        kept = "".join(["..." * any("..." in t for t in terms[:2]), *both])
        product = _product(terms[:2], factors[:2], kept)
        terms, factors = [kept, *terms[2:]], [product, *factors[2:]]
    return build_tensor("Einsum", *factors, equation=f"{','.join(terms)}->{output}")


register(
    "Einsum",
    "inputs:*T",
    _product_shape,
    _code,
    _gradient,
    allowed=dtypes.NUMBERS,
    defaults={"equation": ""},
)


def einsum(equation, *inputs, **kwargs) -> Tensor:
    """The sum of products of elements that an equation describes, with a letter for each axis.

        tf.einsum("ij,jk->ik", a, b)  # the product of two matrices
        tf.einsum("ii->", a)  # the sum of a diagonal
        tf.einsum("...ij,...jk->...ik", a, b)  # products of matrices in any number of batches

    It sums over the letters that the output doesn't have. Without "->", the output has the letters
    that occur once, in alphabetical order. The inputs must have the same dtype, a number's. Three
    inputs or more are multiplied from the left to the right.

    Raises ValueError if the equation is wrong or doesn't fit the inputs, TypeError for a keyword
    argument other than `name`, `optimize` and `greedy` (the last two are ignored).
    """
    name = kwargs.pop("name", None)
    others = [key for key in kwargs if key not in ("optimize", "greedy")]
    if others:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(others)}. Valid arguments: name, "
            "optimize, greedy."
        )
    with name_scope(name, "einsum", [equation, inputs]):
        values = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], list | tuple) else inputs
        terms, output = _complete(equation, len(values))
        return _product(terms, [convert_to_tensor(value) for value in values], output)


# Tensordot.


def _axes_of(a: Tensor, b: Tensor, axes) -> tuple:
    """Return the axes of each tensor that are summed over. Raises ValueError if they can't be."""
    if isinstance(axes, int | np.integer):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        if a.shape.rank is None:
            return range_(rank(a) - axes, rank(a)), list(range(axes))
        if axes > a.shape.rank:
            raise ValueError(
                f"`axes` must not be larger than the number of dimensions of tensor {a}.  Received "
                f"{axes}, vs tensor dimensions {a.shape.rank}."
            )
        return list(range(a.shape.rank - axes, a.shape.rank)), list(range(axes))
    if isinstance(axes, Tensor):
        return axes[0], axes[1]
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    of_a, of_b = ([n] if isinstance(n, int | np.integer) else list(n) for n in axes)
    if len(of_a) != len(of_b):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(of_a)} != {len(of_b)}."
        )
    return of_a, of_b


def _as_matrix(x: Tensor, axes, is_left: bool) -> tuple:
    """Return `x` as a matrix, in which the last axis (of the left factor) or the first one (of the
    right one) runs over `axes`, and its other lengths: a list or, if some are unknown, a tensor.
    """
    count = x.shape.rank
    if count is None or isinstance(axes, Tensor):
        axes, places = convert_to_tensor(axes, dtypes.int32), range_(rank(x))
        axes = where_v2(axes < 0, axes + rank(x), axes)
        free = boolean_mask(places, reduce_all(not_equal(expand_dims(places, 1), axes), 1))
    else:
        axes = [axis_in(axis, count, _NO_AXIS) for axis in axes]
        free = [axis for axis in range(count) if axis not in axes]
        sides = [[x.shape.as_list()[axis] for axis in part] for part in (free, axes)]
        if None not in sides[0] + sides[1]:
            order = [*free, *axes] if is_left else [*axes, *free]
            x = x if order == sorted(order) else transpose(x, order)
            lengths = [math.prod(side) for side in sides][:: 1 if is_left else -1]
            return (x if x.shape.as_list() == lengths else reshape(x, lengths)), sides[0]
    free, axes = (convert_to_tensor(part, dtypes.int32) for part in (free, axes))
    order = concat([free, axes] if is_left else [axes, free], 0)
    lengths = gather(shape(x), free)
    sides = [reduce_prod(lengths), reduce_prod(gather(shape(x), axes))]
    matrix = reshape(transpose(x, order), stack(sides[:: 1 if is_left else -1]))
    return matrix, lengths


def _free_shape(x: Tensor, axes) -> TensorShape:
    """Return the static shape of what stays of `x`."""
    if x.shape.rank is None or isinstance(axes, Tensor):
        return UNKNOWN
    axes = [axis % x.shape.rank for axis in axes]
    return TensorShape([n for i, n in enumerate(x.shape.as_list()) if i not in axes])


def tensordot(a, b, axes, name=None) -> Tensor:
    """The sum of products of elements of `a` and `b` along some of their axes.

        tf.tensordot(a, b, 1)  # over the last axis of a and the first one of b, as in matmul
        tf.tensordot(a, b, 2)  # over the last two axes of a and the first two of b
        tf.tensordot(a, b, [[0, 2], [1, 0]])  # over axis 0 of a with 1 of b, and 2 with 0

    The result has the other axes of `a`, then those of `b`. Raises ValueError if the axes don't
    fit.
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, a.dtype.base_dtype, name="b")
        of_a, of_b = _axes_of(a, b, axes)
        left, before = _as_matrix(a, of_a, True)
        right, after = _as_matrix(b, of_b, False)
        product = matmul(left, right)
        if isinstance(before, list) and isinstance(after, list):
            return (
                product
                if product.shape == before + after
                else reshape(product, before + after, name=scope)
            )
        lengths = [convert_to_tensor(part, dtypes.int32) for part in (before, after)]
        result = reshape(product, concat(lengths, 0), name=scope)
        result.set_shape(_free_shape(a, of_a).concatenate(_free_shape(b, of_b)))
        return result


_NO_AXIS = "axis {axis} is out of bounds for a tensor of rank {rank}"
