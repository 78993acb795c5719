"""What each op gives, in plain NumPy: the slow and obvious way, which shares no code with minitf's kernels.

The interpreter runs graphs with it, and the tests of the registry compare each op with it. Where
an op must fail, so does its function. `Doubtful` is for what TensorFlow may do in two ways.
"""

import math

import numpy as np

from minitf.framework.common_shapes import index_of


class Doubtful(Exception):
    """Whether the run fails depends on what is dropped."""


def demand(holds):
    """Fail unless it holds."""
    if not holds:
        raise ValueError


# What an optimizer's update makes of its inputs: the new values of the variables among them.


def _momentum(var, a, lr, g, mu):
    a = a * mu + g
    return [var - lr * a, a]


def _nesterov(var, a, lr, g, mu):
    a = a * mu + g
    return [var - lr * (g + mu * a), a]


def _adagrad(var, a, lr, g):
    a = a + g * g
    return [var - lr * g / np.sqrt(a), a]


def _rms(var, ms, mom, lr, rho, momentum, eps, g):
    ms = ms + (g * g - ms) * (1 - rho)
    mom = mom * momentum + lr * g / np.sqrt(ms + eps)
    return [var - mom, ms, mom]


def _centered(var, mg, ms, mom, lr, rho, momentum, eps, g):
    ms = ms + (g * g - ms) * (1 - rho)
    mg = mg + (g - mg) * (1 - rho)
    mom = mom * momentum + lr * g / np.sqrt(ms - mg * mg + eps)
    return [var - mom, mg, ms, mom]


def _adam(var, m, v, p1, p2, lr, b1, b2, eps, g):
    m = m + (g - m) * (1 - b1)
    v = v + (g * g - v) * (1 - b2)
    rate = lr * np.sqrt(1 - p2) / (1 - p1)
    return [var - rate * m / (np.sqrt(v) + eps), m, v]


def _adadelta(var, a, u, lr, rho, eps, g):
    a = a + (g * g - a) * (1 - rho)
    update = np.sqrt((u + eps) / (a + eps)) * g
    return [var - lr * update, a, u + (update * update - u) * (1 - rho)]


def _ftrl(var, a, z, g, lr, l1, l2, power):
    z = z + g - ((a + g * g) ** -power - a**-power) / lr * var
    a = a + g * g
    var = (np.sign(z) * l1 - z) / (a**-power / lr + 2 * l2)
    return [np.where(np.abs(z) <= l1, 0, var), a, z]


def _proximal(var, lr, l1, l2, g):
    moved = var - lr * g
    shrunk = np.maximum(np.abs(moved) - lr * l1, 0)
    return [np.sign(moved) * shrunk / (1 + lr * l2)]


def _proximal_adagrad(var, accum, lr, l1, l2, grad):
    accum = accum + grad**2
    return [*_proximal(var, lr / np.sqrt(accum), l1, l2, grad), accum]


def _dual_averaging(var, total, squares, grad, lr, l1, l2, steps):
    total, squares = total + grad, squares + grad**2
    pull = np.sign(total) * np.maximum(np.abs(total) - l1 * steps, 0)
    return [-lr * pull / (l2 * steps * lr + np.sqrt(squares)), total, squares]


RULES = {
    "ApplyMomentum": _momentum,
    "Nesterov": _nesterov,
    "ApplyAdagrad": _adagrad,
    "ApplyRMSProp": _rms,
    "ApplyCenteredRMSProp": _centered,
    "ApplyAdam": _adam,
    "ApplyAdadelta": _adadelta,
    "ApplyFtrl": _ftrl,
    "ApplyProximalGradientDescent": _proximal,
    "ApplyProximalAdagrad": _proximal_adagrad,
    "ApplyAdagradDA": _dual_averaging,
}


# Shapes.


def _reshape(x, dims):
    demand(dims.ndim == 1 and np.all(dims >= -1))
    return x.reshape(dims)


def _fill(dims, value):
    demand(value.ndim == 0)
    return np.full(dims, value)


def _unbroadcast(gradient, like):
    if np.broadcast_shapes(gradient.shape, like.shape) != gradient.shape:
        # It, or what it is the gradient of, was fed with another shape. TensorFlow may reshape it, or fail.
        raise Doubtful(f"{gradient.shape} is no shape that {like.shape} was broadcast to")
    while gradient.ndim > like.ndim:
        gradient = gradient.sum(0)
    for axis, length in enumerate(like.shape):
        if length == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient


def _axes(axis, x):
    """The axes that are meant, counted from the start."""
    axes = np.ravel(axis)
    demand(np.all((-x.ndim <= axes) & (axes < x.ndim)))
    return tuple(int(a) % x.ndim for a in axes)


def _unreduce(op, gradient, x, axis):
    axes = _axes(axis, x)
    if not op.attrs["keep_dims"]:
        gradient = np.expand_dims(gradient, tuple(set(axes)))
    return np.broadcast_to(gradient, x.shape)


def _reduce(function):
    def reduce(op, x, axis):
        axes = _axes(axis, x)
        demand(len(set(axes)) == len(axes))
        return function(x, axis=axes, keepdims=op.attrs["keep_dims"])

    return reduce


def _mean(x, axis, keepdims):
    return x.sum(axis, keepdims=keepdims) / math.prod(x.shape[a] for a in axis)


# Parts.


def _slice(x, begin, size):
    end = np.where(size < 0, x.shape, begin + size)
    return x[tuple(map(slice, begin, end))]


def _strided_slice(op, x, *limits):
    return x[tuple(index_of(op, *limits))]


def _strided_slice_gradient(op, dy, shape, *limits):
    whole = np.zeros(shape, dy.dtype)
    whole[tuple(index_of(op, *limits))] = dy
    return whole


def _mirrored(op, x, n):
    if x.ndim == 0:
        return x
    longest = np.array(x.shape) - (op.attrs["mode"] == "reflect")
    demand(np.all(n.max(1) <= longest))
    return np.pad(x, n, op.attrs["mode"])


def _unpacked(op, x):
    axis = op.attrs["axis"]
    demand(x.shape[axis] == len(op.outputs))
    return list(np.moveaxis(x, axis, 0))


def _unique(x):
    different = list(dict.fromkeys(x.tolist()))
    return [different, [different.index(value) for value in x.tolist()]]


def _parts(x, sizes, axis):
    rest = x.shape[axis] - sizes[sizes >= 0].sum()
    sizes = np.where(sizes < 0, rest, sizes)
    demand(np.all(sizes >= 0) and sizes.sum() == x.shape[axis])
    return np.split(x, np.cumsum(sizes)[:-1], axis)


def _gather(op, x, indices, axis):
    (axis,), batch = _axes(axis, x), op.attrs["batch_dims"]
    demand(np.all((indices >= 0) & (indices < x.shape[axis])))
    after = axis + indices.ndim - batch
    shape = x.shape[:axis] + indices.shape[batch:] + x.shape[axis + 1 :]
    result = np.empty(shape, x.dtype)
    for place in np.ndindex(result.shape):
        index = indices[place[:batch] + place[axis:after]]
        result[place] = x[(*place[:axis], index, *place[after:])]
    return result


def _gather_nd(x, indices):
    demand(np.all(indices >= 0))
    many, depth = indices.shape[:-1], indices.shape[-1]
    rows = [x[tuple(indices[place])] for place in np.ndindex(many)]
    return np.reshape(rows, many + x.shape[depth:])


def _segment_sum(rows, indices, count):
    demand(rows.shape[: indices.ndim] == indices.shape)
    sums = np.zeros((int(count), *rows.shape[indices.ndim :]), rows.dtype)
    for place in np.ndindex(indices.shape):
        sums[indices[place]] += rows[place]
    return sums


def _one_hot(op, indices, depth, on, off):
    hot = np.where(indices[..., np.newaxis] == np.arange(depth), on, off)
    return np.moveaxis(hot, -1, op.attrs["axis"])


def _select(c, t, e):
    """The old one, whose condition may choose whole rows."""
    fits = c.shape in ((), t.shape, t.shape[:1])
    if t.shape != e.shape or not fits:
        raise Doubtful(f"{c.shape}, {t.shape} and {e.shape}")
    missing = (1,) * (t.ndim - c.ndim)
    return np.where(c.reshape(c.shape + missing), t, e)


# Numbers.


def _whole(function):
    def divide(x, y):
        demand(x.dtype.kind == "f" or np.all(y != 0))
        return function(x, y)

    return divide


def _matmul(op, a, b):
    demand(a.ndim >= 2 and b.ndim >= 2)
    a = np.swapaxes(a, -1, -2) if op.attrs["transpose_a"] else a
    b = np.swapaxes(b, -1, -2) if op.attrs["transpose_b"] else b
    return a @ b


def _add_n(*values):
    demand(len({x.shape for x in values}) == 1)
    return sum(values[1:], values[0])


def _arg_max(x, axis):
    """Where the largest is; NaN is never that."""
    return np.argmax(np.where(x == x, x, -np.inf), *_axes(axis, x))


def _cumsum(op, x, axis):
    order = slice(None, None, -1 if op.attrs["reverse"] else 1)
    x = np.moveaxis(x, axis, 0)[order]
    inclusive = not op.attrs["exclusive"]
    total = np.array([x[: i + inclusive].sum(0) for i in range(len(x))])
    return np.moveaxis(total.reshape(x.shape)[order], 0, axis)


def _log_softmax(op, x):
    axis = op.attrs.get("axis", -1)
    x = x - x.max(axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


def _softmax(op, x):
    return np.exp(_log_softmax(op, x))


def _cross_entropy(op, logits, labels):
    return -(np.broadcast_to(labels, logits.shape) * _log_softmax(op, logits)).sum(-1)


def _hot(logits, labels):
    demand(labels.shape == logits.shape[:-1])
    count = logits.shape[-1]
    demand(np.all((labels >= 0) & (labels < count)))
    return labels[..., np.newaxis] == np.arange(count)


def _sparse_cross_entropy(op, logits, labels):
    return -np.where(_hot(logits, labels), _log_softmax(op, logits), 0).sum(-1)


# These functions give a list, of a value for each output.
SEVERAL = {"Unpack", "Split", "SplitV", "Unique"}

# What an op gives for its inputs.
OF_INPUTS = {
    "Identity": np.array,
    "StopGradient": np.array,
    "PlaceholderWithDefault": np.array,
    "Print": lambda x, *data: x,
    "Shape": np.shape,
    "Size": np.size,
    "Rank": np.ndim,
    "Fill": _fill,
    "Reshape": _reshape,
    "ExpandDims": lambda x, axis: np.expand_dims(x, int(np.ravel(axis)[0])),
    "Unbroadcast": _unbroadcast,
    "BroadcastTo": np.broadcast_to,
    "Range": np.arange,
    "LinSpace": np.linspace,
    "Transpose": np.transpose,
    "InvertPermutation": lambda places: np.argsort(places % max(len(places), 1)),
    "ConcatV2": lambda *x: np.concatenate(x[:-1], int(x[-1])),
    "Split": np.split,
    "SplitV": _parts,
    "Tile": np.tile,
    "Slice": _slice,
    "Pad": lambda x, n: np.pad(x, n) if x.ndim else x,
    "PadV2": lambda x, n, value: np.pad(x, n, constant_values=value),
    "ReverseV2": lambda x, axis: np.flip(x, tuple(axis)) if x.ndim else x,
    "GatherNd": _gather_nd,
    "UnsortedSegmentSum": _segment_sum,
    "Unique": _unique,
    "Where": np.argwhere,
    "Select": _select,
    "SelectV2": np.where,
    # Any numbers will do: no test asks which.
    "RandomUniform": np.random.default_rng().random,
    # Of each number.
    "Neg": np.negative,
    "Abs": np.abs,
    "Sign": np.sign,
    "Square": np.square,
    "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x),
    "Reciprocal": np.reciprocal,
    "Exp": np.exp,
    "Expm1": np.expm1,
    "Log": np.log,
    "Log1p": np.log1p,
    "Sin": np.sin,
    "Cos": np.cos,
    "Tan": np.tan,
    "Asin": np.arcsin,
    "Acos": np.arccos,
    "Atan": np.arctan,
    "Sinh": np.sinh,
    "Cosh": np.cosh,
    "Tanh": np.tanh,
    "Asinh": np.arcsinh,
    "Acosh": np.arccosh,
    "Atanh": np.arctanh,
    "Erf": np.vectorize(math.erf, [float]),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Relu": lambda x: np.where(x < 0, 0, x),
    "Relu6": lambda x: np.clip(x, 0, 6),
    "Elu": lambda x: np.where(x < 0, np.exp(x) - 1, x),
    "Softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "Floor": np.floor,
    "IsFinite": np.isfinite,
    # Of two numbers.
    "AddV2": np.add,
    "BiasAdd": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "RealDiv": np.true_divide,
    "MulNoNan": lambda x, y: np.where(y == 0, 0, x * y),
    "DivNoNan": lambda x, y: np.where(y == 0, 0, x / y),
    "FloorDiv": _whole(np.floor_divide),
    "FloorMod": _whole(np.remainder),
    "Pow": np.power,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "SquaredDifference": lambda x, y: (x - y) ** 2,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Equal": np.equal,
    "NotEqual": np.not_equal,
    # Of many.
    "AddN": _add_n,
    "L2Loss": lambda x: (x * x).sum() / 2,
    "OneHotLike": _hot,
    "ArgMax": _arg_max,
}

# What an op gives for its attributes and inputs.
OF_OP = {
    "Const": lambda op: op.attrs["value"],
    "Cast": lambda op, x: x.astype(op.outputs[0].dtype.as_numpy_dtype),
    "Unreduce": _unreduce,
    "Squeeze": lambda op, x: np.squeeze(x, op.attrs["squeeze_dims"] or None),
    "Pack": lambda op, *x: np.stack(x, op.attrs["axis"]),
    "Unpack": _unpacked,
    "StridedSlice": _strided_slice,
    "StridedSliceGrad": _strided_slice_gradient,
    "MirrorPad": _mirrored,
    "GatherV2": _gather,
    "OneHot": _one_hot,
    "MatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "Sum": _reduce(np.sum),
    "Mean": _reduce(_mean),
    "Prod": _reduce(np.prod),
    "Max": _reduce(np.max),
    "Min": _reduce(np.min),
    "All": _reduce(np.all),
    "Any": _reduce(np.any),
    "Cumsum": _cumsum,
    "Softmax": _softmax,
    "LogSoftmax": _log_softmax,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
}


def result_of(op, inputs):
    """What the op gives: a value for each output."""
    if op.type in OF_INPUTS:
        result = OF_INPUTS[op.type](*inputs)
    else:
        result = OF_OP[op.type](op, *inputs)
    return result if op.type in SEVERAL else [result]
