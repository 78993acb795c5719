"""Building blocks that few networks use: activations, batch normalization, top_k, initializers.

Mirrors these functions of tensorflow/python/ops/nn_ops.py, nn_impl.py and init_ops.py.
"""

import math
from collections import namedtuple

import numpy as np

from minitf.extras.arrays import rsqrt, squared_difference
from minitf.framework.common_shapes import (
    check_rank,
    check_rank_at_least,
    check_scalar,
    known_count,
    length_of,
)
from minitf.framework.dtypes import LENGTHS, REALS, float32, int32
from minitf.framework.dtypes import bool as bool_
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    build,
    build_tensor,
    check_allowed,
    constant,
    convert_to_tensor,
    renamed,
)
from minitf.framework.operation import Tensor
from minitf.framework.registry import (
    KERNELS,
    call,
    infix,
    kernel,
    no_gradient,
    not_differentiable,
    plain_attr,
    register,
    same_as_first,
    shaped,
)
from minitf.framework.tensor_shape import TensorShape, check_equal, in_message
from minitf.ops.array_ops import (
    expand_dims,
    reshape,
    shape,
    squeeze,
    stop_gradient,
    transpose,
    zeros_like,
)
from minitf.ops.gather_ops import one_hot, where_v2
from minitf.ops.init_ops import FloatInitializer, VarianceScaling, scaled
from minitf.ops.kernels import invalid
from minitf.ops.math_ops import (
    abs,
    cast,
    equal,
    exp,
    matmul,
    maximum,
    multiply,
    negative,
    sigmoid,
    sign,
    square,
)
from minitf.ops.nn_ops import activation, bias_add, relu
from minitf.ops.random_ops import random_normal
from minitf.ops.reduction_ops import reduce_mean, reduce_sum

# Activations.


def _softsign_code(op, x):
    return infix("/", x, infix("+", "1", f"abs({x})"))


KERNELS["logaddexp"] = np.logaddexp
_RELU6, _ELU = "minimum(maximum({x}, 0), 6)", "where({x} < 0, expm1({x}), {x})"
relu6 = activation("Relu6", _RELU6, lambda x, y: sign(y * (6 - y)), REALS)
elu = activation("Elu", _ELU, lambda x, y: exp(-relu(-x)))
softplus = activation("Softplus", "logaddexp({x}, 0)", lambda x, y: sigmoid(x))
softsign = activation(
    "Softsign", "{x} / (1 + abs({x}))", lambda x, y: 1 / square(1 + abs(x)), code=_softsign_code
)


def log_sigmoid(x, name=None) -> Tensor:
    """log(sigmoid(x)), elementwise."""
    with name_scope(name, "LogSigmoid", [x]) as scope:
        return negative(softplus(negative(x)), name=scope)


def leaky_relu(features, alpha=0.2, name=None) -> Tensor:
    """x where x is positive, and alpha * x elsewhere, elementwise; integers become float32."""
    with name_scope(name, "LeakyRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        check_allowed("features", features.dtype.base_dtype, REALS)
        features = cast(features, float32) if features.dtype.is_integer else features
        if isinstance(alpha, int | float | np.number):
            alpha = float(np.float32(alpha))  # even for a double, because it is an attribute
        slope = where_v2(features > 0, constant(1, features.dtype.base_dtype), alpha, "SelectV2")
        return multiply(features, slope, name=scope)


def xw_plus_b(x, weights, biases, name=None) -> Tensor:
    """matmul(x, weights) + biases."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        return bias_add(matmul(x, weights), biases, name=scope)


def relu_layer(x, weights, biases, name=None) -> Tensor:
    """relu(matmul(x, weights) + biases)."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as scope:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return relu(bias_add(matmul(x, weights), biases), name=scope)


# Normalization and statistics.


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None) -> tuple[Tensor, Tensor]:
    """The mean and the variance of x along `axes`. `shift` is ignored."""
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "moments", [x, axes]):
        x = convert_to_tensor(x, name="x")
        mean = reduce_mean(x, axes, True, name="mean")
        squares = squared_difference(x, stop_gradient(mean))
        variance = reduce_mean(squares, axes, True, name="variance")
        return (mean, variance) if keepdims else (squeeze(mean, axes), squeeze(variance, axes))


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None) -> Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset.

    `scale` and `offset` may be None.
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        factor = rsqrt(variance + variance_epsilon)
        factor = factor if scale is None else factor * scale
        return x * factor + (-mean * factor if offset is None else offset - mean * factor)


def batch_norm_with_global_normalization(
    t=None,
    m=None,
    v=None,
    beta=None,
    gamma=None,
    variance_epsilon=None,
    scale_after_normalization=None,
    name=None,
    input=None,
    mean=None,
    variance=None,
) -> Tensor:
    """The older form of `batch_normalization`.

    `gamma` is used only if `scale_after_normalization` is true.
    """
    x, mean = renamed("input", input, "t", t), renamed("mean", mean, "m", m)
    variance = renamed("variance", variance, "v", v)
    scale = gamma if scale_after_normalization else None
    return batch_normalization(x, mean, variance, beta, scale, variance_epsilon, name)


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None) -> Tensor:
    """x divided by its L2 norm along `axis`, or by sqrt(epsilon) if that is larger."""
    axis = renamed("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        squares = reduce_sum(square(x), axis, True)
        return multiply(x, rsqrt(maximum(squares, epsilon)), name=scope)


def _window_sums(x, radius):
    """For each number, the sum of those at most so many places from it along the last axis."""
    count = np.shape(x)[-1]
    radius = min(radius, count)
    padded = np.pad(x, [(0, 0)] * (np.ndim(x) - 1) + [(radius, radius)])
    return sum(padded[..., start : start + count] for start in range(2 * radius + 1))


@kernel
def local_norm(x, radius, bias, alpha, beta):
    """x / (bias + alpha * sum of the squares of its neighbours along the last axis) ** beta."""
    return x / (bias + alpha * _window_sums(x * x, radius)) ** beta


@kernel
def local_norm_gradient(dy, x, y, radius, bias, alpha, beta):
    """The gradient of `local_norm`, given that of its result `y`."""
    total = bias + alpha * _window_sums(x * x, radius)
    return dy / total**beta - 2 * alpha * beta * x * _window_sums(dy * y / total, radius)


def _norm_code(function):
    def code(op, *inputs):
        return call(function, *inputs, *(repr(op.attrs[name]) for name in _NORM))

    return code


_NORM = {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5}


@shaped
def _of_pictures(op, *tensors):
    check_rank(tensors[-1], 4)
    return tensors[0].shape


def _lrn_gradient(op, dy):
    return [lambda: build_tensor("LRNGrad", dy, op.inputs[0], op.outputs[0], **op.attrs)]


register("LRN", "input:T", _of_pictures, _norm_code("local_norm"), _lrn_gradient, defaults=_NORM)
register(
    "LRNGrad",
    "input_grads:T input_image:T output_image:T",
    _of_pictures,
    _norm_code("local_norm_gradient"),
    no_gradient,
    defaults=_NORM,
)


def local_response_normalization(
    input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None
) -> Tensor:
    """Pictures divided by a norm of each number's neighbours in other channels.

        input / (bias + alpha * sum of squares) ** beta

    The sum is over the channels at most `depth_radius` away. `input` has the shape [batch, rows,
    columns, channels] and is float32 or float16: raises ValueError or TypeError for any other.
    """
    input = convert_to_tensor(input, name="input")
    check_allowed("input", input.dtype.base_dtype, ("float16", "bfloat16", "float32"))
    attrs = {"bias": bias, "alpha": alpha, "beta": beta}
    for argument, value in attrs.items():
        if not isinstance(value, int | float | np.number):
            raise TypeError(f"Expected float for argument '{argument}' not {value!r}.")
        attrs[argument] = float(value)
    if depth_radius < 0:
        raise invalid(f"depth_radius = {depth_radius} larger than int max")
    return build_tensor("LRN", input, name=name, depth_radius=int(depth_radius), **attrs)


lrn = local_response_normalization


def zero_fraction(value, name=None) -> Tensor:
    """The fraction of elements that are 0: a float32 scalar."""
    with name_scope(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        number = value.dtype.is_floating or value.dtype.is_integer
        zeros = equal(value, 0 if number else zeros_like(value))
        return reduce_mean(cast(zeros, float32), name="fraction")


@kernel
def is_in_top_k(x, targets, k):
    """Whether the number at each row's target is among the `k` largest of the row."""
    if np.ndim(k):
        raise invalid(f"k must be 0-D, got shape {in_message(np.shape(k))}")
    if np.ndim(x) != 2:
        raise invalid("predictions must be 2-dimensional")
    if np.ndim(targets) != 1:
        raise invalid("targets must be 1-dimensional")
    if len(x) != len(targets):
        raise invalid(
            f"First dimension of predictions {len(x)} must match length of targets {len(targets)}"
        )
    known = np.isfinite(x).all(1) & (targets >= 0) & (targets < np.shape(x)[1])
    if not known.any():
        return known
    wanted = np.take_along_axis(x, np.where(known, targets, 0)[:, None], 1)
    return known & ((x > wanted).sum(1) < k)


def _infer_in_top_k(op):
    x, targets, _ = op.inputs
    check_rank(x, 2)
    check_rank(targets, 1)
    check_equal(length_of(x, 0), length_of(targets, 0))
    return [(bool_, x.shape[:1].merge_with(targets.shape))]


_IN_TOP_K = "predictions:float32 targets:T k:T"
register("InTopKV2", _IN_TOP_K, _infer_in_top_k, "is_in_top_k", no_gradient, allowed=LENGTHS)


def in_top_k(predictions, targets, k, name=None) -> Tensor:
    """Whether each row of `predictions` has its target among its `k` largest: a vector of bools.

    `targets` are class indices, one per row. The answer is False for a target out of range and for
    a row with an infinite number or NaN. Raises TypeError unless `predictions` are float32,
    ValueError if the shapes don't fit.
    """
    with name_scope(name, "in_top_k"):
        return build_tensor("InTopKV2", predictions, targets, k, name=name)


@kernel
def largest(x, k):
    """The `k` largest of each row, sorted, and their indices; of equal numbers, the first ones."""
    if np.ndim(k):
        raise invalid(f"k must be scalar, got shape {in_message(np.shape(k))}")
    if k < 0:
        raise invalid(f"Need k >= 0, got {k}")
    if not np.ndim(x):
        raise invalid("input must be >= 1-D, got shape []")
    if np.shape(x)[-1] < k:
        count = np.shape(x)[-1]
        raise invalid(f"input must have at least k columns. Had {count}, needed {k}")
    places = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1][..., :k]
    places = np.shape(x)[-1] - 1 - places
    return np.take_along_axis(x, places, -1), places.astype(np.int32)


def _infer_top_k(op):
    check_scalar(op.inputs[1])
    x, k = op.inputs[0], known_count(op.inputs[1])
    check_rank_at_least(x, 1)
    columns = length_of(x, -1)
    if None not in (k, columns) and columns < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {columns}")
    found = TensorShape(None) if x.shape.rank is None else x.shape[:-1].concatenate([k])
    return [(x.dtype.base_dtype, found), (int32, found)]


def _top_k_gradient(op, dy, _):
    x, places = op.inputs[0], op.outputs[1]
    chosen = one_hot(places, shape(x)[-1], dtype=dy.dtype)
    return [lambda: reduce_sum(expand_dims(dy, -1) * chosen, -2)]


TopKV2 = namedtuple("TopKV2", "values indices")
register("TopKV2", "input:T k:length=Tk", _infer_top_k, "largest", _top_k_gradient, allowed=REALS)


def top_k(input, k=1, sorted=True, name=None) -> TopKV2:
    """The `k` largest numbers along the last axis, the largest first, and their int32 indices.

        values, indices = tf.nn.top_k([1, 5, 3], k=2)  # [5, 3] and [1, 2]

    Of equal numbers, the first one comes first. `sorted` is ignored. Raises ValueError if the last
    axis is shorter than `k`.
    """
    sorted = plain_attr("sorted", sorted)
    return TopKV2(*build("TopKV2", input, k, name=name).outputs)


# Initializers.


class UniformUnitScaling(FloatInitializer):
    """Uniform random numbers, in a range that depends on the shape.

    An input times a matrix of them has `factor` times the input's scale, so by default the same.
    """

    def __init__(self, factor=1.0, seed=None, dtype=float32):
        self.factor = factor
        super().__init__(seed, dtype)

    def numbers(self, shape, dtype):
        """A tensor of this shape and dtype."""
        inputs = math.prod(map(int, shape[:-1]))
        return scaled(shape, self.factor**2, inputs, "uniform", self.seed, dtype)


@kernel
def orthogonal(x):
    """A matrix with orthogonal columns of length 1, uniformly distributed if `x` is normal."""
    q, r = np.linalg.qr(x)
    return q * np.sign(np.diag(r))


register("Orthogonal", "x:T", same_as_first, "orthogonal", not_differentiable)


class Orthogonal(FloatInitializer):
    """A matrix with orthogonal rows or columns, whichever are fewer, of length `gain`.

    With more than two axes, the last one counts as the columns, and all others as the rows. Raises
    ValueError for fewer than two axes.
    """

    def __init__(self, gain=1.0, seed=None, dtype=float32):
        self.gain = gain
        super().__init__(seed, dtype)

    def numbers(self, shape, dtype):
        """A tensor of this shape and dtype."""
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize, specified by argument `shape` must be at least "
                f"two-dimensional. Received shape={shape}"
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        sides = [max(rows, columns), min(rows, columns)]
        matrix = build_tensor("Orthogonal", random_normal(sides, dtype=dtype, seed=self.seed))
        return self.gain * reshape(matrix if rows >= columns else transpose(matrix), shape)


uniform_unit_scaling_initializer, orthogonal_initializer = UniformUnitScaling, Orthogonal


def he_normal_initializer(seed=None):
    """VarianceScaling by the number of inputs, with scale 2 and a truncated normal distribution."""
    return VarianceScaling(2.0, seed=seed)


def he_uniform_initializer(seed=None):
    """VarianceScaling by the number of inputs, with scale 2 and a uniform distribution."""
    return VarianceScaling(2.0, distribution="uniform", seed=seed)


def lecun_normal_initializer(seed=None):
    """VarianceScaling by the number of inputs, with scale 1 and a truncated normal distribution."""
    return VarianceScaling(seed=seed)


def lecun_uniform_initializer(seed=None):
    """VarianceScaling by the number of inputs, with scale 1 and a uniform distribution."""
    return VarianceScaling(distribution="uniform", seed=seed)
