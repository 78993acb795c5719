"""Reductions make one number of many: sums, means and extremes along axes; and one tensor of many: add_n.

Mirrors the reduce_ functions, add_n and cumsum of tensorflow/python/ops/math_ops.py and their gradients.
"""

import functools
from collections.abc import Callable

import numpy as np

from minitf.framework import dtypes, errors
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, check_allowed, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    KERNELS,
    atom,
    call,
    infix,
    kernel,
    not_differentiable,
    quoted,
    register,
)
from minitf.framework.tensor_shape import SCALAR, TensorShape, in_message, same_for_certain
from minitf.ops import array_ops, comparison_ops, math_ops, shape_ops
from minitf.ops.shape_ops import called, defines, merged, renamed, same_as_first

# The kernels.


def _usual(dtype: np.dtype, keepdims: bool) -> tuple:
    return dtype, None, keepdims


def _along_axes(name: str, function: Callable, more: Callable = _usual) -> None:
    """Let the kernel `name` be a function of NumPy's, which is given `more(dtype, keepdims)`."""

    def reduce(x, axis=None, keepdims: bool = False):
        if axis is not None and not x.ndim and axis != ():  # NumPy alone would take 0 and -1
            raise np.exceptions.AxisError(axis, 0)
        return function(x, axis, *more(x.dtype, keepdims))

    KERNELS[name] = reduce


def _or_limit(which: str) -> Callable:
    """The extreme of no numbers is the other end of what there is."""

    def more(dtype: np.dtype, keepdims: bool) -> tuple:
        infinite = -np.inf if which == "min" else np.inf
        return (
            dtype,
            None,
            keepdims,
            infinite if dtype.kind == "f" else getattr(np.iinfo(dtype), which),
        )

    return more


for _name, _ufunc in {
    "sum": np.add,
    "prod": np.multiply,
    "all": np.logical_and,
    "any": np.logical_or,
}.items():
    _along_axes(_name, _ufunc.reduce)
_along_axes("amax", np.maximum.reduce, _or_limit("min"))
_along_axes("amin", np.minimum.reduce, _or_limit("max"))
_along_axes("argmax", np.argmax, lambda dtype, keepdims: ())
_along_axes("argmin", np.argmin, lambda dtype, keepdims: ())
KERNELS["tuple"] = tuple


@kernel
def mean(x, axis=None, keepdims: bool = False):
    """The mean along `axis`, in the dtype of `x`; that of whole numbers loses its fraction."""
    total = KERNELS["sum"](
        x.astype(np.float64) if x.dtype.kind in "iu" else x, axis, keepdims=keepdims
    )
    count = np.size(x) // max(np.size(total), 1)
    return (total / total.dtype.type(count)).astype(x.dtype)


@kernel
def unreduce(gradient, x, axis=None, keepdims: bool = False):
    """The gradient of a reduction, repeated along the axes of `x` that were reduced."""
    if axis is not None and not keepdims and np.ndim(gradient):
        axes = tuple(int(a) for a in np.atleast_1d(axis))
        gradient = np.expand_dims(gradient, axes)
    return np.broadcast_to(gradient, x.shape)[()]


# Shapes and code.


def _without(shape: TensorShape, axes, keep: bool, words: str) -> TensorShape:
    """The shape without these axes, or with length 1 there. Raises ValueError for an axis that it does not have."""
    if shape.rank is None or axes is None:
        return shape_ops.of_rank(shape.rank if keep else None)
    axes = {shape_ops.axis_in(axis, shape.rank, words) for axis in np.ravel(axes)}
    return TensorShape.of(
        tuple(1 if i in axes else d for i, d in enumerate(shape.lengths) if keep or i not in axes)
    )


def _infer(op: Operation) -> list:
    x, keep = op.inputs[0], op.attrs["keep_dims"]
    words = "Invalid reduction dimension {axis} for input with {rank} dimensions."
    return [(x.dtype.base_dtype, _without(x.shape, constant_value(op.inputs[1]), keep, words))]


def _explain(x, axis) -> str | None:
    wrong = [a for a in np.ravel(axis) if not -np.ndim(x) <= a < np.ndim(x)]
    return (
        f"Invalid reduction dimension ({wrong[0]} for input with {np.ndim(x)} dimension(s)"
        if wrong
        else None
    )


def axis_code(op: Operation, x, axis) -> str:
    """`, axis=0, keepdims=True`, without what is the default: all axes, none of them kept."""
    keep = ", keepdims=True" if op.attrs["keep_dims"] else ""
    if axis.constant is None:
        return f", axis=tuple({atom(axis)}.ravel()){keep}"
    axes = tuple(int(a) for a in np.ravel(axis.constant))
    if axes and x.rank and sorted(a + x.rank if a < 0 else a for a in axes) == list(range(x.rank)):
        return keep
    return f", axis={axes[0] if len(axes) == 1 else axes}{keep}"


# Gradients.


def _unreduce_code(op: Operation, gradient: str, x, axis) -> str:
    return f"unreduce({gradient}, {x}{axis_code(op, x, axis)})"


def _unreduce_gradient(op: Operation, dy: Tensor) -> list:
    return [lambda: _again(op, "Sum", dy, op.inputs[2]), None, None]


@defines(
    "Unreduce",
    "gradient:T x:T axis:length",
    _unreduce_code,
    _unreduce_gradient,
    view=True,
    spreads=0,
)
def _unreduced(op: Operation, gradient: Tensor, x: Tensor, axis: Tensor) -> TensorShape:
    return x.shape


def _again(op: Operation, op_type: str, *inputs: Tensor) -> Tensor:
    """An op of this type that keeps axes as `op` does."""
    return build_tensor(op_type, *inputs, keep_dims=op.attrs["keep_dims"])


def _spread(op: Operation, gradient: Tensor) -> Tensor:
    """`gradient` of a reduction's output repeated over its input."""
    return _again(op, "Unreduce", gradient, *op.inputs)


def _of_mean(op: Operation, dy: Tensor) -> Tensor:
    count = shape_ops.size_of(op.inputs[0]) // shape_ops.size_of(op.outputs[0])
    return _spread(op, dy / math_ops.cast(count, dy.dtype))


def _of_extreme(op: Operation, dy: Tensor) -> Tensor:
    """Where several numbers are the extreme one, they share the gradient evenly."""
    share = math_ops.cast(comparison_ops.equal(op.inputs[0], _spread(op, op.outputs[0])), dy.dtype)
    return share / _spread(op, _again(op, "Sum", share, op.inputs[1])) * _spread(op, dy)


def _of_prod(op: Operation, dy: Tensor) -> Tensor:
    """Each number's slope is the product of the others: 0 where one of these is 0."""
    x, axis = op.inputs
    one = array_ops.ones_like(x)
    is_zero = comparison_ops.equal(x, one - one)
    zeros = math_ops.cast(is_zero, x.dtype)
    others = build_tensor("Select", is_zero, one, x)
    others = _spread(op, _again(op, "Prod", others, axis)) / others
    alone = comparison_ops.equal(_spread(op, _again(op, "Sum", zeros, axis)), zeros)
    return _spread(op, dy) * build_tensor("Select", alone, others, one - one)


# What there is to call.


_ABOUT_AXES = """

    `axis` is an int or a list of ints, None for all axes; `keepdims` leaves reduced axes at length 1.
    `reduction_indices` and `keep_dims` are the older names of the two. Raises ValueError for an axis that
    `input_tensor` does not have.
"""


def _public(name: str, doc: str, build: Callable) -> Callable:
    """The function `name`; `build(x, axis, keepdims, name)` makes its result."""

    def reduce(
        input_tensor,
        axis=None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices=None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        axis = renamed("axis", axis, "reduction_indices", reduction_indices)
        return build(
            input_tensor, axis, bool(renamed("keepdims", keepdims, "keep_dims", keep_dims)), name
        )

    return named(reduce, name, doc + _ABOUT_AXES)


def _reduction(
    op_type: str,
    function: str,
    gradient: Callable | None,
    doc: str,
    allowed: tuple = dtypes.NUMBERS,
    kind: str = "T",
) -> Callable:
    """Register a reduction, and give the public function that builds it."""

    def rule(op: Operation, dy: Tensor) -> list:
        return [lambda: gradient(op, dy), None]

    def code(op: Operation, x: str, axis) -> str:
        return f"{function}({x}{axis_code(op, x, axis)})"

    inputs = f"input:{kind} reduction_indices:length"
    rule = rule if gradient else not_differentiable
    register(op_type, inputs, _infer, code, rule, explain=_explain, allowed=allowed)

    def build(x, axis, keep: bool, name: str | None) -> Tensor:
        x = convert_to_tensor(x, name=f"{op_type}/input")
        result = build_tensor(
            op_type, x, _all_axes(x) if axis is None else axis, name=name, keep_dims=keep
        )
        if axis is None and not keep:
            result._shape = SCALAR  # whatever the rank of x
        return result

    return _public(f"reduce_{op_type.lower()}", doc, build)


def _all_axes(x: Tensor) -> Tensor:
    if x.shape.rank is not None:
        return convert_to_tensor(np.arange(x.shape.rank, dtype=np.int32))
    return build_tensor("Range", 0, shape_ops.rank(x), 1, name="range")


def _logsumexp(x, axis, keep: bool, name: str | None) -> Tensor:
    with name_scope(name, "ReduceLogSumExp", [x]) as scope:
        largest = reduce_max(x, axis, True)
        largest = array_ops.stop_gradient(
            build_tensor("SelectV2", math_ops.is_finite(largest), largest, 0)
        )
        logarithm = math_ops.log(
            reduce_sum(math_ops.exp(math_ops.subtract(x, largest)), axis, keep)
        )
        if not keep:
            largest = array_ops.reshape_op(largest, shape_ops.shape(logarithm))
        return math_ops.add(logarithm, largest, name=scope)


reduce_sum = _reduction("Sum", "sum", _spread, "The sum along `axis`, in the dtype of the input.")
reduce_mean = _reduction(
    "Mean", "mean", _of_mean, "The mean along `axis`; that of whole numbers loses its fraction."
)
reduce_prod = _reduction(
    "Prod", "prod", _of_prod, "The product along `axis`, in the dtype of the input."
)
reduce_max = _reduction(
    "Max", "amax", _of_extreme, "The largest number along `axis`.", dtypes.REALS
)
reduce_min = _reduction(
    "Min", "amin", _of_extreme, "The smallest number along `axis`.", dtypes.REALS
)
reduce_all = _reduction(
    "All", "all", None, "Whether all truth values along `axis` are true.", (), "bool"
)
reduce_any = _reduction(
    "Any", "any", None, "Whether any truth value along `axis` is true.", (), "bool"
)
reduce_logsumexp = _public(
    "reduce_logsumexp", "log(sum(exp(input_tensor))), which no number overflows.", _logsumexp
)


# Where the largest and the smallest numbers are.


def _infer_arg(op: Operation) -> list:
    shape, axis = op.inputs[0].shape, constant_value(op.inputs[1])
    shape_ops.check_rank(op.inputs[1], 0)
    if shape.rank and axis is None:
        return [(op.attrs["output_type"], shape_ops.of_rank(shape.rank - 1))]
    words = "Dimension ({axis}) must be in the range [-{rank}, {rank}), where {rank} is the number of dimensions in the input."  # noqa: E501
    return [(op.attrs["output_type"], _without(shape, axis, False, words))]


def _explain_arg(x, axis) -> str:
    if -np.ndim(x) <= axis < np.ndim(x):
        return f"Reduction axis {axis} is empty in shape {in_message(np.shape(x))}"
    return f"Expected dimension in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


def _arg(op_type: str, doc: str) -> Callable:
    def code(op: Operation, x: str, axis: str) -> str:
        found, dtype = f"{op_type.lower()}({x}, {axis})", op.attrs["output_type"]
        return found if dtype is dtypes.int64 else f"{dtype.name}({found})"

    rules = {"explain": _explain_arg, "allowed": (*dtypes.REALS, "bool")}
    register(op_type, "input:T dimension:length", _infer_arg, code, not_differentiable, **rules)

    def arg(
        input, axis=None, name: str | None = None, dimension=None, output_type=dtypes.int64
    ) -> Tensor:
        axis = renamed("axis", axis, "dimension", dimension)
        dtype = dtypes.as_dtype(output_type)
        check_allowed("output_type", dtype, ("int16", "uint16", "int32", "int64"))
        return build_tensor(
            op_type, input, 0 if axis is None else axis, name=name, output_type=dtype
        )

    more = "An int64 unless `output_type` says otherwise. Raises ValueError for an axis that `input` does not have."
    return named(
        arg, op_type.lower(), f"{doc} along `axis` (once `dimension`), by default 0.\n\n{more}"
    )


argmax_op = _arg("ArgMax", "The place of the largest number")
argmin_op = _arg("ArgMin", "The place of the smallest number")


def arg_max(input, dimension, output_type=dtypes.int64, name: str | None = None) -> Tensor:
    """`tf.argmax`, by its older name."""
    return argmax_op(input, dimension, name, output_type=output_type)


def arg_min(input, dimension, output_type=dtypes.int64, name: str | None = None) -> Tensor:
    """`tf.argmin`, by its older name."""
    return argmin_op(input, dimension, name, output_type=output_type)


# Sums of several tensors, and of the numbers up to each.

LONGEST_SUM = 8  # terms written with +; Python's compiler takes no long chains of operators


def _add_n_code(op: Operation, *terms) -> str:
    same = all(same_for_certain(terms[0].shape, term.shape) for term in terms)
    if same and len(terms) <= LONGEST_SUM:
        return functools.reduce(functools.partial(infix, "+"), terms)
    return call("add_same_shapes", quoted(op.name), *terms)


@kernel
def add_same_shapes(name: str, *terms):
    """The sum of arrays, which must all have one shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            message = f"Inputs to operation {name} of type AddN must have the same size and shape.  Input 0: "
            message += f"{in_message(terms[0].shape)} != input {i}: {in_message(term.shape)}"
            raise errors.InvalidArgumentError(None, None, message)
    return functools.reduce(np.add, terms)


@defines(
    "AddN", "inputs:*T", _add_n_code, lambda op, dy: [dy] * len(op.inputs), allowed=dtypes.NUMBERS
)
def _common_shape(op: Operation, *terms: Tensor) -> TensorShape:
    return merged([t.shape for t in terms])


def add_n(inputs, name: str | None = None) -> Tensor:
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
def cumsum(x, axis=0, exclusive: bool = False, reverse: bool = False):
    """The sums of the numbers up to each, itself included unless `exclusive`, from the end in `reverse`."""
    step = -1 if reverse else 1
    x = np.moveaxis(x, axis, 0)[::step]
    x = np.concatenate([np.zeros_like(x[:1]), x[:-1]]) if exclusive else x
    return np.moveaxis(np.cumsum(x, 0, x.dtype)[::step], 0, axis)


def _cumsum_gradient(op: Operation, dy: Tensor) -> list:
    return [
        lambda: cumsum_op(dy, op.inputs[1], op.attrs["exclusive"], not op.attrs["reverse"]),
        None,
    ]


def _explain_cumsum(x, axis) -> str:
    return f"ScanOp: Expected scan axis in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


_CUMSUM = {"code": called("cumsum", exclusive=False, reverse=False), "gradient": _cumsum_gradient}
register(
    "Cumsum",
    "x:T axis:length",
    same_as_first,
    **_CUMSUM,
    explain=_explain_cumsum,
    allowed=dtypes.NUMBERS,
)


def cumsum_op(
    x, axis=0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The sums of the numbers of x up to each along `axis`.

    `exclusive` leaves that number itself out, `reverse` sums from the end.
    """
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return build_tensor("Cumsum", x, axis, name=scope, exclusive=exclusive, reverse=reverse)
