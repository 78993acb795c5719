"""What neural networks are built from: relu, biases, dropout, softmax, and losses of logits.

Mirrors tensorflow/python/ops/nn_ops.py, nn_impl.py and nn_grad.py.
"""

from collections.abc import Callable
from functools import wraps

import numpy as np

from minitf.framework.common_shapes import check_rank, check_rank_at_least, length_of, with_shape_of
from minitf.framework.dtypes import NUMBERS, REAL_FLOATS, REALS
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    build_tensor,
    constant_value,
    convert_to_tensor,
    named,
    renamed,
)
from minitf.framework.operation import Tensor
from minitf.framework.registry import (
    atom,
    call,
    call_code,
    defines,
    infix,
    not_differentiable,
    register,
    same_as_first,
    shaped,
)
from minitf.framework.tensor_shape import (
    SCALAR,
    broadcast,
    check_equal,
    in_message,
    same_for_certain,
)
from minitf.ops.array_ops import identity, reshape, shape, stop_gradient, transpose, zeros_like
from minitf.ops.gather_ops import where_v2
from minitf.ops.kernels import invalid
from minitf.ops.math_ops import add, cast, exp, log1p, sign
from minitf.ops.random_ops import random_uniform
from minitf.ops.reduction_ops import reduce_sum


def activation(op_type, formula, slope, allowed=REAL_FLOATS, code=None) -> Callable:
    """Register an elementwise op, and return the public function that builds it.

    `formula` has `{x}` in place of the input. It is also the op's code, so unless it is a call,
    pass `code`. `slope(x, y)` returns the derivative, given the input and the output.
    """

    def gradient(op, dy):
        return [lambda: dy * slope(op.inputs[0], op.outputs[0])]

    def function(features, name=None):
        return build_tensor(op_type, features, name=name)

    def call_of(op, x):
        return formula.format(x=atom(x))

    code = code or call_of
    register(op_type, "features:T", same_as_first, code, gradient, allowed=allowed, weak=True)
    doc = f"""{formula.format(x="x")}, for each x of `features`.

    Raises TypeError unless their dtype is one of {", ".join(allowed)}."""
    return named(function, op_type.lower(), doc)


relu = activation("Relu", "maximum({x}, 0)", lambda x, y: sign(y), REALS)


def _l2_code(op, x):
    return infix("/", f"sum(square({x}))", "2")


@defines("L2Loss", "t:T", _l2_code, lambda op, dy: [lambda: dy * op.inputs[0]], allowed=REAL_FLOATS)
def _l2_shape(op, t):
    return SCALAR


def l2_loss(t, name=None) -> Tensor:
    """Half the sum of the squares of all elements: a scalar."""
    return build_tensor("L2Loss", t, name=name)


def _bias_gradient(op, dy):
    return [dy, lambda: build_tensor("Unbroadcast", dy, op.inputs[1])]


def _explain_bias(value, bias):
    shapes = f"{in_message(bias.shape)} vs. {in_message(value.shape)}"
    return f"Must provide as many biases as the last dimension of the input tensor: {shapes}"


def _bias_code(op, value, bias):
    certain = value.rank and bias.rank == 1 and same_for_certain(value.shape[-1:], bias.shape)
    return infix("+", value, bias) if certain else call("add_bias", value, bias)


@defines(
    "BiasAdd",
    "value:T bias:T",
    _bias_code,
    _bias_gradient,
    explain=_explain_bias,
    allowed=NUMBERS,
    fixed={"data_format": "NHWC"},
)
def _biased(op, value, bias):
    check_rank_at_least(value, 2)
    check_rank(bias, 1)
    check_equal(length_of(value, -1), length_of(bias, 0))
    return value.shape[:-1].concatenate(value.shape[-1:].merge_with(bias.shape))


def bias_add(value, bias, data_format=None, name=None) -> Tensor:
    """`value` plus `bias`, a vector along the last axis of `value`.

    With a `data_format` such as "NCHW", it is along the second axis instead. Raises ValueError if
    the lengths differ.
    """
    data_format = data_format or "NHWC"
    if not data_format.startswith("N"):
        raise ValueError(
            "`data_format` "
            f"must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
        )
    with name_scope(name, "BiasAdd", [value, bias]) as scope:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, value.dtype.base_dtype, name="bias")
        if data_format.startswith("NC"):
            return add(value, reshape(bias, [-1] + [1] * (value.shape.rank - 2)), name=scope)
        return build_tensor("BiasAdd", value, bias, name=scope)


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None) -> Tensor:
    """x with random elements set to 0, and the others scaled up to keep the expected sum.

    `rate`, or 1 - `keep_prob`, is the probability that an element is dropped. Where `noise_shape`
    has a 1, the elements along that axis are kept or dropped together. Raises ValueError for a rate
    outside [0, 1), or if x is not floating point.
    """
    if isinstance(keep_prob, str):
        raise ValueError(
            "`keep_prob` must be a floating point number or Tensor. "
            f"Received: keep_prob={keep_prob}"
        )
    rate = renamed("rate", rate, "keep_prob", None if keep_prob is None else 1 - keep_prob)
    if rate is None:
        raise ValueError("`rate` must be provided. Received: rate=None")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        dtype = x.dtype.base_dtype
        if not dtype.is_floating:
            raise ValueError(
                "`x.dtype` must be a floating point tensor as `x` will be scaled. "
                f"Received: x_dtype={x.dtype}"
            )
        if isinstance(rate, int | float | np.number) and not 0 <= rate < 1:
            raise ValueError(
                "`rate` must be a scalar tensor or a float in the range [0, 1). "
                f"Received: rate={rate}"
            )
        if rate == 0:
            return x
        if isinstance(rate, Tensor) and rate.dtype.base_dtype is not dtype:
            raise ValueError(
                "`x.dtype` must be compatible with `rate.dtype`. "
                f"Received: x.dtype={x.dtype} and rate.dtype={rate.dtype}"
            )
        if isinstance(noise_shape, list | tuple):
            noise_shape = [
                x.shape[i].value if length is None else length
                for i, length in enumerate(noise_shape)
            ]
        noise_shape = shape(x) if noise_shape is None else noise_shape
        is_kept = random_uniform(noise_shape, dtype=dtype, seed=seed) >= rate
        return with_shape_of(x, where_v2(is_kept, x * (1 / (1 - rate)), 0, "SelectV2"))


# Softmax along one axis. The kernels shift the logits so that exp does not overflow.


def _not_a_scalar(op, logits):
    check_rank_at_least(logits, 1)
    return logits.shape


def _softmax(op_type, name, rule):
    """Register an op that works along one axis, and return the public function that builds it."""

    def gradient(op, dy):
        def total(x):
            return reduce_sum(x, op.attrs["axis"], True)

        return [lambda: rule(op.outputs[0], dy, total)]

    call = call_code(f"{name}_of", axis=-1)

    def code(op, logits):
        return call(op, logits if logits.rank else f"vectors({logits})")

    register(
        op_type,
        "logits:T",
        shaped(_not_a_scalar),
        code,
        gradient,
        allowed=REAL_FLOATS,
        fixed={"axis": -1},
    )

    def function(logits, axis=None, name=None, dim=None):
        axis, logits = renamed("axis", axis, "dim", dim, -1), convert_to_tensor(logits)
        if isinstance(axis, Tensor) and constant_value(axis) is not None:
            axis = constant_value(axis)
        rank = logits.shape.rank
        if rank and not -rank <= axis < rank:
            raise invalid(
                f"`dim` must be in the range [-{rank}, {rank}) where {rank} is the number of "
                f"dimensions in the input. Received: dim={axis}"
            )
        return build_tensor(op_type, logits, name=name, axis=-1 if axis + 1 == rank else axis)

    doc = f"{name} of `logits` along `axis` (formerly `dim`), by default the last one."
    return named(function, name, doc)


softmax = _softmax("Softmax", "softmax", lambda y, dy, total: (dy - total(dy * y)) * y)
log_softmax = _softmax("LogSoftmax", "log_softmax", lambda y, dy, total: dy - total(dy) * exp(y))

# Losses of logits.


def _each_row(op, dy, rows):
    """Each of `rows` multiplied by the gradient of its loss."""
    return rows * build_tensor("Unreduce", dy, op.inputs[0], -1, keep_dims=False)


def _dense_gradient(op, dy):
    logits, labels = op.inputs
    return [
        lambda: _each_row(op, dy, with_shape_of(logits, softmax(logits) - labels)),
        lambda: _each_row(op, dy, -log_softmax(logits)),
    ]


def _explain_dense(logits, labels):
    sizes = f"logits_size={in_message(logits.shape)} labels_size={in_message(labels.shape)}"
    return f"logits and labels must be broadcastable: {sizes}"


_DENSE, _SPARSE = "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"


@defines(
    _DENSE,
    "features:T labels:T",
    "cross_entropy",
    _dense_gradient,
    explain=_explain_dense,
    allowed=REAL_FLOATS,
)
def _rows(op, logits, labels):
    broadcast(logits.shape, labels.shape)
    return logits.shape[:-1]


def _sparse_gradient(op, dy):
    logits, labels = op.inputs

    def slope():
        return softmax(logits) - build_tensor("OneHotLike", logits, labels)

    return [lambda: _each_row(op, dy, slope())]


_SPARSE_INPUTS = "features:T labels:length=Tlabels"
register("OneHotLike", _SPARSE_INPUTS, same_as_first, "one_hot_like", not_differentiable)


@defines(_SPARSE, _SPARSE_INPUTS, "sparse_cross_entropy", _sparse_gradient, allowed=REAL_FLOATS)
def _sparse_rows(op, logits, labels):
    x, y = logits.shape, labels.shape
    if not y.is_compatible_with(x[:-1]):
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. "
            f"Received: labels.shape={y} and logits.shape={x}"
        )
    return y.merge_with(x[:-1])


def _by_name(function: Callable) -> Callable:
    """Refuse arguments without their names, because their order has changed."""

    @wraps(function)
    def loss(*unnamed, labels=None, logits=None, **others):
        if unnamed:
            raise ValueError(
                f"Only call `{function.__name__}` with named arguments (labels=..., logits=..., "
                "...)"
            )
        if labels is None or logits is None:
            raise ValueError(
                f"Both `labels` and `logits` must be provided for {function.__name__}"
                f"Received: labels={labels} and logits={logits}"
            )
        return function(labels, logits, **others)

    return loss


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None) -> Tensor:
    """The cross entropy of each row: -sum(labels * log(softmax(logits))).

    The rows run along `axis` (formerly `dim`), by default the last, which the result doesn't have.
    Only the rows count: `labels` of shape [1, n, c] fit `logits` of shape [n, c].
    Gradients flow into both arguments. Raises ValueError if the shapes don't fit.
    """
    axis = renamed("axis", axis, "dim", dim, -1)
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = cast(labels, logits.dtype)
        rank = logits.shape.rank
        if rank and axis % rank != rank - 1:
            order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
            logits, labels = transpose(logits, order), transpose(labels, order)
        if labels.shape.rank == rank:
            return identity(build_tensor(_DENSE, logits, labels, name=scope), name="Reshape_2")
        rows = [reshape(x, [-1, shape(x)[-1]]) for x in (logits, labels)]
        each = build_tensor(_DENSE, *rows, name=scope)
        return reshape(each, shape(logits)[:-1], name="Reshape_2")


@_by_name
def softmax_cross_entropy_with_logits(
    labels=None, logits=None, dim=-1, name=None, axis=None
) -> Tensor:
    """Like `softmax_cross_entropy_with_logits_v2`, but no gradient flows into `labels`."""
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = stop_gradient(labels, name="labels_stop_gradient")
        axis = dim if axis is None else axis
        return softmax_cross_entropy_with_logits_v2(labels, logits, axis, name=scope)


@_by_name
def sparse_softmax_cross_entropy_with_logits(labels=None, logits=None, name=None) -> Tensor:
    """The cross entropy of each row, given the index of its class: -log(softmax(logits))[label].

    `labels` are integers with the shape of `logits` without its last axis. Raises ValueError if the
    shapes don't fit; a run raises InvalidArgumentError for a label out of range.
    """
    with name_scope(name, _SPARSE, [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        if logits.shape.rank == 0:
            raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}`")
        x, y = logits.shape, labels.shape
        if None not in (x.rank, y.rank) and y.rank != x.rank - 1:
            raise ValueError(
                "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
                f"labels.shape={y} of rank {y.rank} and logits.shape={x} of rank {x.rank}"
            )
        return build_tensor(_SPARSE, logits, labels, name=name if x.rank == 2 else "Reshape_2")


@_by_name
def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None) -> Tensor:
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)), elementwise.

    It is computed so that nothing overflows. Raises ValueError if the shapes differ.
    """
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        if not logits.shape.is_compatible_with(labels.shape):
            raise ValueError(
                "`logits` and `labels` must have the same shape, "
                f"received ({logits.shape} vs {labels.shape})."
            )
        zeros = zeros_like(logits)
        positive = logits >= zeros
        linear = where_v2(positive, logits, zeros) - logits * labels
        return add(linear, log1p(exp(where_v2(positive, -logits, logits))), name=scope)
