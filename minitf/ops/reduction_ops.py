"""Reductions turn many numbers into one: sums, means and extremes along axes. Also add_n.

Mirrors the reduce_ functions, argmax and add_n of tensorflow/python/ops/math_ops.py, and their
gradients in math_grad.py.
"""

import functools
from collections.abc import Callable

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import axis_in, check_rank, merged, of_rank
from minitf.framework.op_def_library import (
    build_tensor,
    check_allowed,
    constant_value,
    convert_to_tensor,
    holds_tensor,
    is_tensor,
    named,
    renamed,
)
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    atom,
    call,
    defines,
    infix,
    no_gradient,
    not_differentiable,
    quoted,
    register,
    shaped,
)
from minitf.framework.tensor_shape import SCALAR, TensorShape, in_message, same_for_certain
from minitf.ops.array_ops import identity, rank, size
from minitf.ops.math_ops import cast, equal

# Shapes and code.


def _without(shape, axes, keep, words):
    """`shape` without `axes`, or with length 1 there if `keep`.

    Raises ValueError, with the message `words`, for an axis out of range.
    """
    if shape.rank is None or axes is None:
        return of_rank(shape.rank if keep else None)
    axes = {axis_in(axis, shape.rank, words) for axis in np.ravel(axes)}
    kept = ((i, d) for i, d in enumerate(shape.lengths) if keep or i not in axes)
    return TensorShape.of(tuple(1 if i in axes else d for i, d in kept))


@shaped
def _reduced(op, x, axis):
    if (axis.shape.rank or 0) > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {axis.shape.rank}")
    words = "Invalid reduction dimension {axis} for input with {rank} dimensions."
    return _without(x.shape, constant_value(axis), op.attrs["keep_dims"], words)


def _explain(x, axis):
    axes = np.ravel(axis).tolist()
    wrong = [a for a in axes if not -np.ndim(x) <= a < np.ndim(x)]
    if not wrong:
        places = [a % np.ndim(x) for a in axes]
        twice = [a for i, a in enumerate(places) if a in places[:i]]
        words = "Invalid reduction arguments: Axes contains duplicate dimension"
        return f"{words}: {twice[0]}" if twice else None
    return f"Invalid reduction dimension ({wrong[0]} for input with {np.ndim(x)} dimension(s)"


def _axis_code(op, x, axis):
    """The end of a kernel's arguments, such as `, axis=0, keepdims=True`, without defaults."""
    keep = ", keepdims=True" if op.attrs["keep_dims"] else ""
    if axis.constant is None:
        return f", axis=tuple({atom(axis)}.ravel()){keep}"
    axes = tuple(int(a) for a in np.ravel(axis.constant))
    if axes and x.rank and sorted(a + x.rank if a < 0 else a for a in axes) == list(range(x.rank)):
        return keep
    return f", axis={axes[0] if len(axes) == 1 else axes}{keep}"


# Gradients.


def _unreduce_code(op, gradient, x, axis):
    return f"unreduce({gradient}, {x}{_axis_code(op, x, axis)})"


def _unreduce_gradient(op, dy):
    return [lambda: again(op, "Sum", dy, op.inputs[2])]


@defines(
    "Unreduce",
    "gradient:T x:T axis:length",
    _unreduce_code,
    _unreduce_gradient,
    view=True,
    spreads=0,
)
def _unreduced(op, gradient, x, axis):
    return x.shape


def again(op: Operation, op_type: str, *inputs: Tensor) -> Tensor:
    """A reduction of type `op_type` with the `keep_dims` of the reduction `op`."""
    return build_tensor(op_type, *inputs, keep_dims=op.attrs["keep_dims"])


def spread(op: Operation, gradient: Tensor) -> Tensor:
    """The `gradient` of the output of the reduction `op`, repeated to the shape of its input."""
    return again(op, "Unreduce", gradient, *op.inputs)


def _of_mean(op, dy):
    count = size(op.inputs[0]) // size(op.outputs[0])
    return spread(op, dy / cast(count, dy.dtype))


def _of_extreme(op, dy):
    """If several numbers tie for the extreme, they share the gradient evenly."""
    share = cast(equal(op.inputs[0], spread(op, op.outputs[0])), dy.dtype)
    return share / spread(op, again(op, "Sum", share, op.inputs[1])) * spread(op, dy)


# The public functions.


_ABOUT_AXES = """

    `axis` is an int or a list of ints; None means all axes. With `keepdims`, reduced axes stay,
    with length 1. `reduction_indices` and `keep_dims` are older names of the two. Raises ValueError
    if an axis is out of range.
"""


def public(name, doc, build) -> Callable:
    """The public function of a reduction. `build(x, axis, keepdims, name)` builds its ops."""

    def reduce(
        input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None
    ):
        axis = renamed("axis", axis, "reduction_indices", reduction_indices)
        keepdims = bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
        return build(input_tensor, axis, keepdims, name)

    return named(reduce, name, doc + _ABOUT_AXES)


def _over_no_axes(result, x, axis):
    return x if axis.constant is not None and not np.size(axis.constant) else None


def reduction(op_type, kernel, gradient, doc, allowed=dtypes.NUMBERS, kind="T") -> Callable:
    """Register a reduction, and return the public function that builds it."""

    def rule(op, dy):
        return [lambda: gradient(op, dy)]

    def code(op, x, axis):
        return f"{kernel}({x}{_axis_code(op, x, axis)})"

    register(
        op_type,
        f"input:{kind} reduction_indices:length=Tidx",
        _reduced,
        code,
        rule if gradient else no_gradient,
        simplify=_over_no_axes,
        explain=_explain,
        allowed=allowed,
        defaults={"keep_dims": False},
    )

    def build(x, axis, keep, name):
        if kind == "T" or is_tensor(x) or holds_tensor(x):
            x = convert_to_tensor(x, name=f"{op_type}/input")
        axes = _all_axes(x) if axis is None else axis
        result = build_tensor(op_type, x, axes, name=name, keep_dims=keep)
        if axis is None and not keep:
            result._shape = SCALAR  # even if the rank of x is unknown
        return result

    return public(f"reduce_{op_type.lower()}", doc, build)


def _all_axes(x):
    known = x.shape.rank if isinstance(x, Tensor) else np.ndim(x)
    if known is not None:
        return convert_to_tensor(np.arange(known, dtype=np.int32))
    return build_tensor("Range", 0, rank(x), 1, name="range")


_MEAN = "The mean along `axis`, in the dtype of the input; for integers, the fraction is dropped."
reduce_sum = reduction("Sum", "sum", spread, "The sum along `axis`, in the dtype of the input.")
reduce_mean = reduction("Mean", "mean", _of_mean, _MEAN)
reduce_max = reduction("Max", "amax", _of_extreme, "The largest number along `axis`.", dtypes.REALS)
reduce_min = reduction(
    "Min", "amin", _of_extreme, "The smallest number along `axis`.", dtypes.REALS
)
reduce_all = reduction(
    "All", "all", None, "Whether all elements along `axis` are true.", (), "bool"
)
reduce_any = reduction("Any", "any", None, "Whether any element along `axis` is true.", (), "bool")


# The indices of the largest and the smallest numbers.


_NO_AXIS = "Dimension ({axis}) must be in the range [-{rank}, {rank}), where {rank} is the number"
_NO_AXIS += " of dimensions in the input."


def _infer_arg(op):
    shape, axis = op.inputs[0].shape, constant_value(op.inputs[1])
    check_rank(op.inputs[1], 0)
    if shape.rank in (0, 1):  # the run checks the axis
        found = SCALAR
    elif shape.rank and axis is None:
        found = of_rank(shape.rank - 1)
    else:
        found = _without(shape, axis, False, _NO_AXIS)
    return [(op.attrs["output_type"], found)]


def _explain_arg(x, axis):
    if np.ndim(axis):
        return f"dim must be a scalar, but received tensor of shape: {in_message(np.shape(axis))}"
    if -np.ndim(x) <= axis < np.ndim(x):
        return f"Reduction axis {axis} is empty in shape {in_message(np.shape(x))}"
    return f"Expected dimension in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


def _arg(op_type, which):
    def code(op, x, axis):
        found, dtype = f"{op_type.lower()}({x}, {axis})", op.attrs["output_type"]
        return found if dtype is dtypes.int64 else f"{dtype.name}({found})"

    register(
        op_type,
        "input:T dimension:length=Tidx",
        _infer_arg,
        code,
        not_differentiable,
        explain=_explain_arg,
        allowed=(*dtypes.REALS, "bool"),
        defaults={"output_type": dtypes.int64},
    )

    def arg(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
        axis = renamed("axis", axis, "dimension", dimension, 0)
        if op_type == "ArgMax" and isinstance(axis, np.ndarray | np.generic):
            raise TypeError(f"axis tensor dtypes {axis.dtype} is not supported")
        if op_type == "ArgMax" and not (isinstance(axis, int) or is_tensor(axis)):
            raise TypeError("axis must be int or Tensor with integer datatype")
        dtype = dtypes.as_dtype(output_type)
        check_allowed("output_type", dtype, ("int16", "uint16", "int32", "int64"))
        return build_tensor(op_type, input, axis, name=name, output_type=dtype)

    doc = f"""The index of the {which} number along `axis` (formerly `dimension`), by default 0.

    It is int64 unless `output_type` is given. If numbers tie, the first one counts. Raises
    ValueError if `axis` is out of range."""
    return named(arg, op_type.lower(), doc)


argmax = _arg("ArgMax", "largest")
argmin = _arg("ArgMin", "smallest")


# The sum of several tensors.

LONGEST_SUM = 8  # terms written with +, because Python can't compile very long chains


def _add_n_code(op, *terms):
    same = all(same_for_certain(terms[0].shape, term.shape) for term in terms)
    if same and len(terms) <= LONGEST_SUM:
        return functools.reduce(functools.partial(infix, "+"), terms)
    return call("add_same_shapes", quoted(op.name), *terms)


def _add_n_gradient(op, dy):
    return [dy] * len(op.inputs)


@defines("AddN", "inputs:*T", _add_n_code, _add_n_gradient, allowed=dtypes.NUMBERS)
def _common_shape(op, *terms):
    return merged([t.shape for t in terms])


def add_n(inputs, name=None) -> Tensor:
    """The sum of a list of tensors with the same shape and dtype.

    Raises ValueError if the list is empty or the shapes differ.
    """
    inputs = list(inputs)
    if not inputs or any(t is None for t in inputs):
        raise ValueError(
            "Inputs must be "
            "an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    if len(inputs) == 1:
        total = convert_to_tensor(inputs[0])
        return total if name is None else identity(total, name)
    return build_tensor("AddN", *(convert_to_tensor(t) for t in inputs), name=name)
