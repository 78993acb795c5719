"""`tf.layers`: a layer is a few ops and the variables that it makes, in its own scope.

Mirrors tensorflow/python/layers/base.py, core.py, convolutional.py, pooling.py, normalization.py.
"""

from minitf.extras import convolution, nn
from minitf.framework.graph import GraphKeys, add_to_collection, name_scope
from minitf.framework.op_def_library import constant, convert_to_tensor, is_tensor, named
from minitf.framework.operation import Tensor
from minitf.ops import nn_ops
from minitf.ops.array_ops import identity, reshape, shape, size
from minitf.ops.control_flow_ops import cond
from minitf.ops.init_ops import ones_initializer, zeros_initializer
from minitf.ops.math_ops import cast, matmul, maximum
from minitf.ops.slicing_ops import concat
from minitf.ops.state_ops import assign_sub
from minitf.ops.variable_scope import VariableScope, get_variable, variable_scope
from minitf.ops.variables import Variable, global_variables

ZEROS, ONES = zeros_initializer(), ones_initializer()
FORMATS = {"channels_last": "NHWC", "channels_first": "NCHW"}


def _layer(name, usual, reuse=None):
    """The variable scope of a layer; `name` may be a scope that is open already."""
    is_open = isinstance(name, VariableScope)
    name = name or (usual if reuse else None)
    return variable_scope(name, usual, reuse=reuse, auxiliary_name_scope=not is_open)


def _add_loss(loss):
    if loss is not None:
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def _weight(name, lengths, dtype, initializer, regularizer, constraint, trainable) -> Variable:
    """The layer's variable of this name. If it is new, its regularizer adds a loss."""
    known = global_variables()
    weight = get_variable(
        name, lengths, dtype, initializer, trainable=trainable, constraint=constraint
    )
    if regularizer and weight not in known:
        with name_scope(f"{name}/Regularizer"):
            _add_loss(regularizer(weight))
    return weight


def _finished(y, data_format, use_bias, bias, activation, activity_regularizer) -> Tensor:
    """`y` plus a bias, which is made by the settings `bias`, through the activation."""
    if use_bias:
        channels = y.shape[1 if data_format == "NCHW" else -1].value
        y = nn_ops.bias_add(y, _weight("bias", [channels], y.dtype.base_dtype, *bias), data_format)
    y = y if activation is None else activation(y)
    if activity_regularizer is not None:
        with name_scope("ActivityRegularizer"):
            _add_loss(activity_regularizer(y) / cast(shape(y)[0], y.dtype))
    return y


def dense(
    inputs,
    units,
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=ZEROS,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
) -> Tensor:
    """Return activation(inputs @ kernel + bias), whose last axis has the length `units`.

    The variables are `dense/kernel` and `dense/bias`, or in a scope of another `name`; with `reuse`
    they are those of an earlier layer. Regularizers are functions of a tensor whose results join
    REGULARIZATION_LOSSES; constraints are as in `tf.Variable`. Raises ValueError if the length of
    the last axis is unknown.
    """
    bias = (bias_initializer, bias_regularizer, bias_constraint, trainable)
    with _layer(name, "dense", reuse):
        x = convert_to_tensor(inputs)
        depth = x.shape[-1].value
        if depth is None:
            words = "inputs to a Dense layer should be defined. Found None."
            raise ValueError(
                f"The last dimension of the {words} Full input shape received: {x.shape}"
            )
        kernel = (kernel_initializer, kernel_regularizer, kernel_constraint, trainable)
        kernel = _weight("kernel", [depth, units], x.dtype.base_dtype, *kernel)
        if x.shape.rank == 2:
            y = matmul(x, kernel)
        else:
            with name_scope("Tensordot") as scope:
                rows = matmul(reshape(x, [-1, depth]), kernel)
                y = reshape(rows, concat([shape(x)[:-1], [units]], 0), name=scope)
        return _finished(y, None, use_bias, bias, activation, activity_regularizer)


def _pair(value) -> list[int]:
    return list(value) if isinstance(value, list | tuple) else [value, value]


def conv2d(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
    dilation_rate=(1, 1),
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=ZEROS,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
) -> Tensor:
    """Return activation(tf.nn.conv2d(inputs, kernel, ...) + bias), with `filters` channels.

    kernel_size, strides and dilation_rate are one number or two, padding is "valid" or "same". The
    variables are `conv2d/kernel` and `conv2d/bias`; the other arguments are those of `dense`.
    """
    bias, data_format = (
        (bias_initializer, bias_regularizer, bias_constraint, trainable),
        FORMATS[data_format],
    )
    with _layer(name, "conv2d", reuse):
        x = convert_to_tensor(inputs)
        depth = x.shape[1 if data_format == "NCHW" else -1].value
        kernel = (kernel_initializer, kernel_regularizer, kernel_constraint, trainable)
        lengths = [*_pair(kernel_size), depth, filters]
        kernel = _weight("kernel", lengths, x.dtype.base_dtype, *kernel)
        moves = (_pair(strides), padding.upper(), True, data_format, _pair(dilation_rate))
        y = convolution.conv2d(x, kernel, *moves)
        return _finished(y, data_format, use_bias, bias, activation, activity_regularizer)


def _pooling(name, pool):
    def layer(
        inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None
    ) -> Tensor:
        with _layer(name, usual):
            windows = (_pair(pool_size), _pair(strides), padding.upper(), FORMATS[data_format])
            return pool(inputs, *windows)

    usual = name
    doc = f"Return `tf.nn.{pool.__name__}(inputs, ...)`; sizes and strides are one number or two."
    return named(layer, name, doc)


max_pooling2d = _pooling("max_pooling2d", convolution.max_pool)
average_pooling2d = _pooling("average_pooling2d", convolution.avg_pool)


def _choose(training, true, false):
    """`true()` or `false()`. If `training` is a tensor, each run chooses."""
    if is_tensor(training):
        return cond(training, true, false)
    return true() if training else false()


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None) -> Tensor:
    """Return `tf.nn.dropout(inputs, rate=rate)` if `training`, a bool or a tensor; else inputs."""
    with _layer(name, "dropout"):
        x = convert_to_tensor(inputs)
        noisy = {"noise_shape": noise_shape, "seed": seed, "rate": rate}
        return _choose(training, lambda: nn_ops.dropout(x, **noisy), lambda: identity(x))


def flatten(inputs, name=None, data_format="channels_last") -> Tensor:
    """Return the inputs as a matrix: all axes but the first become one."""
    with _layer(name, "flatten"):
        x = convert_to_tensor(inputs)
        count = x.shape[1:].num_elements()
        return reshape(x, [shape(x)[0], -1] if count is None else [-1, count])


def batch_normalization(
    inputs,
    axis=-1,
    momentum=0.99,
    epsilon=1e-3,
    center=True,
    scale=True,
    beta_initializer=ZEROS,
    gamma_initializer=ONES,
    moving_mean_initializer=ZEROS,
    moving_variance_initializer=ONES,
    beta_regularizer=None,
    gamma_regularizer=None,
    beta_constraint=None,
    gamma_constraint=None,
    training=False,
    trainable=True,
    name=None,
    reuse=None,
    renorm=False,
    renorm_clipping=None,
    renorm_momentum=0.99,
    fused=None,
    virtual_batch_size=None,
    adjustment=None,
) -> Tensor:
    """Return the inputs with mean 0 and variance 1 along `axis`, times gamma, plus beta.

    If `training`, a bool or a tensor, the mean and variance are those of this batch, and two ops
    join the collection UPDATE_OPS: a program must run them to move the moving averages. Otherwise
    the moving averages are used. The variables are gamma (if `scale`), beta (if `center`),
    moving_mean and moving_variance. Raises NotImplementedError for renorm, virtual_batch_size and
    adjustment.
    """
    if renorm or virtual_batch_size or adjustment:
        raise NotImplementedError("minitf has no renorm, virtual_batch_size or adjustment.")
    with _layer(name, "batch_normalization", reuse):
        x = convert_to_tensor(inputs)
        axis = (axis[0] if isinstance(axis, list | tuple) else axis) % x.shape.rank

        axes = [i for i in range(x.shape.rank) if i != axis]

        def weight(name, initializer, regularizer=None, constraint=None, trainable=False):
            settings = (initializer, regularizer, constraint, trainable)
            return _weight(name, [x.shape[axis].value], x.dtype.base_dtype, *settings)

        gamma = (gamma_initializer, gamma_regularizer, gamma_constraint, trainable)
        gamma = weight("gamma", *gamma) if scale else None
        beta = (beta_initializer, beta_regularizer, beta_constraint, trainable)
        beta = weight("beta", *beta) if center else None
        starts = {"moving_mean": moving_mean_initializer}
        starts["moving_variance"] = moving_variance_initializer
        averages = [weight(name, start) for name, start in starts.items()]
        found = _choose(
            training, lambda: nn.moments(x, axes), lambda: tuple(map(identity, averages))
        )
        shown = [*found, beta, gamma]
        if axis < x.shape.rank - 1:
            lengths = [1 if i in axes else -1 for i in range(x.shape.rank)]
            shown = [v if v is None else reshape(v, lengths) for v in shown]
        y = nn.batch_normalization(x, *shown, epsilon)
        fused = fused or fused is None and x.shape.rank == 4 and axis in (1, 3)
        if is_tensor(training) or training:
            _update(x, averages, found, training, momentum, fused)
        return identity(y, name="FusedBatchNormV3") if fused else y


def _update(x, averages, found, training, momentum, fused) -> None:
    """Add the ops that move the averages towards what was found."""
    mean, variance = found
    if fused:  # as in TensorFlow, it is the unbiased variance then
        count = cast(size(x) // size(mean), x.dtype)
        variance *= count / maximum(count - 1.0, 1.0)
    part = _choose(training, lambda: constant(1.0 - momentum), lambda: constant(0.0))
    for average, value in zip(averages, (mean, variance), strict=True):
        with name_scope("AssignMovingAvg") as scope:
            update = assign_sub(average, (average - value) * part, name=scope)
        add_to_collection(GraphKeys.UPDATE_OPS, update.op)
