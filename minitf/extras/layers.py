"""`tf.layers`: a layer is a few ops and the variables that it makes, in its own scope.

Mirrors tensorflow/python/layers/base.py, core.py, convolutional.py, pooling.py, normalization.py.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import minitf as tf
from minitf.framework.op_def_library import named
from minitf.framework.operation import Tensor
from minitf.ops.kernels import unimplemented

ZEROS, ONES = tf.zeros_initializer(), tf.ones_initializer()
_FORMATS = {"channels_last": "NHWC", "channels_first": "NCHW"}


def refuse(**arguments) -> None:
    """Raise UnimplementedError for what minitf doesn't implement, unless it is None or False."""
    for name, value in arguments.items():
        if value is not None and value is not False:
            raise unimplemented(name)


@contextmanager
def _layer(inputs, name, usual: str, reuse=None) -> Iterator[Tensor]:
    """Open the scope of a layer, which may be open already, and yield the inputs as a tensor."""
    is_open = isinstance(name, tf.VariableScope)
    name = name or (usual if reuse else None)
    with tf.variable_scope(name, usual, reuse=reuse, auxiliary_name_scope=not is_open):
        yield tf.convert_to_tensor(inputs)


def _weight(
    x: Tensor,
    name: str,
    lengths: list,
    initializer,
    regularizer=None,
    constraint=None,
    trainable=True,
) -> tf.Variable:
    """The layer's variable of this name, for inputs `x`. If new, its regularizer adds a loss."""
    known = tf.global_variables()
    weight = tf.get_variable(
        name, lengths, x.dtype.base_dtype, initializer, trainable=trainable, constraint=constraint
    )
    if regularizer and weight not in known:
        with tf.name_scope(f"{name}/Regularizer"):
            loss = regularizer(weight)
        if loss is not None:
            tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, loss)
    return weight


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

    The variables are `dense/kernel` and `dense/bias`, where `name` replaces `dense`; with `reuse`,
    the layer shares an earlier layer's. Regularizers are functions of a tensor whose results join
    REGULARIZATION_LOSSES; constraints are as in `tf.Variable`. Raises ValueError if the length of
    the last axis is unknown, UnimplementedError for an `activity_regularizer`.
    """
    refuse(activity_regularizer=activity_regularizer)
    with _layer(inputs, name, "dense", reuse) as x:
        if not (x.dtype.is_floating or x.dtype.is_complex):
            raise TypeError(
                f"Unable to build `Dense` layer with non-floating point dtype {x.dtype!r}"
            )
        depth = x.shape[-1].value
        if depth is None:
            raise ValueError(
                "The last dimension of the inputs to a Dense layer should be defined. Found None. "
                f"Full input shape received: {x.shape}"
            )
        kernel = _weight(
            x,
            "kernel",
            [depth, units],
            kernel_initializer,
            kernel_regularizer,
            kernel_constraint,
            trainable,
        )
        if x.shape.rank == 2:
            y = tf.matmul(x, kernel)
        else:
            with tf.name_scope("Tensordot") as scope:
                rows = tf.matmul(tf.reshape(x, [-1, depth]), kernel)
                y = tf.reshape(rows, tf.concat([tf.shape(x)[:-1], [units]], 0), name=scope)
        if use_bias:
            bias = _weight(
                x, "bias", [units], bias_initializer, bias_regularizer, bias_constraint, trainable
            )
            y = tf.nn.bias_add(y, bias)
        return activation(y) if activation else y


def _format(data_format) -> str:
    if data_format not in _FORMATS:
        known = 'The `data_format` argument must be one of "channels_first", "channels_last".'
        raise ValueError(f"{known} Received: {data_format}")
    return _FORMATS[data_format]


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
    refuse(activity_regularizer=activity_regularizer)
    data_format = _format(data_format)
    with _layer(inputs, name, "conv2d", reuse) as x:
        axis = data_format.index("C") - 4
        depth = x.shape[axis].value
        if depth is None:
            raise ValueError(
                "The channel dimension of the inputs should be defined. The input_shape received "
                f"is {x.shape}, where axis {axis} (0-based) is the channel dimension, which found "
                "to be `None`."
            )
        kernel = _weight(
            x,
            "kernel",
            [*np.broadcast_to(kernel_size, 2), depth, filters],
            kernel_initializer,
            kernel_regularizer,
            kernel_constraint,
            trainable,
        )
        sides = {"data_format": data_format, "dilations": dilation_rate}
        y = tf.nn.conv2d(x, kernel, strides, padding.upper(), **sides)
        if use_bias:
            bias = _weight(
                x, "bias", [filters], bias_initializer, bias_regularizer, bias_constraint, trainable
            )
            y = tf.nn.bias_add(y, bias, data_format)
        return activation(y) if activation else y


def _pooling(name, pool):
    def layer(
        inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None
    ) -> Tensor:
        with _layer(inputs, name, usual) as x:
            return pool(x, pool_size, strides, padding.upper(), _format(data_format))

    usual = name
    doc = f"Return `tf.nn.{pool.__name__}(inputs, ...)`; sizes and strides are one number or two."
    return named(layer, name, doc)


max_pooling2d = _pooling("max_pooling2d", tf.nn.max_pool)
average_pooling2d = _pooling("average_pooling2d", tf.nn.avg_pool)


def _choose(training, true: Callable, false: Callable):
    """`true()` or `false()`. If `training` is a tensor, each run chooses."""
    if tf.is_tensor(training):
        return tf.cond(training, true, false)
    return true() if training else false()


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None) -> Tensor:
    """Return `tf.nn.dropout(inputs, rate=rate)` if `training` (a bool or a tensor), else inputs."""
    with _layer(inputs, name, "dropout") as x:
        noisy = {"noise_shape": noise_shape, "seed": seed, "rate": rate}
        return _choose(training, lambda: tf.nn.dropout(x, **noisy), lambda: tf.identity(x))


def flatten(inputs, name=None, data_format="channels_last") -> Tensor:
    """Return the inputs as a matrix: all axes but the first become one.

    Raises UnimplementedError for a `data_format` of channels_first.
    """
    refuse(channels_first=data_format == "channels_first")
    with _layer(inputs, name, "flatten") as x:
        count = x.shape[1:].num_elements()
        return tf.reshape(x, [tf.shape(x)[0], -1] if count is None else [-1, count])


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
    join the collection UPDATE_OPS, which a program must run to move the moving averages. Otherwise
    the moving averages are used. The variables are gamma (if `scale`), beta (if `center`),
    moving_mean and moving_variance. Raises UnimplementedError for renorm, virtual_batch_size and
    adjustment.
    """
    refuse(renorm=renorm, virtual_batch_size=virtual_batch_size, adjustment=adjustment)
    with _layer(inputs, name, "batch_normalization", reuse) as x:
        rank, axes = x.shape.rank, axis if isinstance(axis, list | tuple) else [axis]
        if rank is None:
            raise ValueError("Input has undefined rank.")
        refuse(several_axes=len(axes) > 1)
        axis = axes[0] % rank
        axes = [i for i in range(rank) if i != axis]
        lengths, gamma, beta = [x.shape[axis].value], None, None
        if scale:
            gamma = _weight(
                x,
                "gamma",
                lengths,
                gamma_initializer,
                gamma_regularizer,
                gamma_constraint,
                trainable,
            )
        if center:
            beta = _weight(
                x, "beta", lengths, beta_initializer, beta_regularizer, beta_constraint, trainable
            )
        averages = [
            _weight(x, "moving_mean", lengths, moving_mean_initializer, trainable=False),
            _weight(x, "moving_variance", lengths, moving_variance_initializer, trainable=False),
        ]
        found = _choose(
            training, lambda: tf.nn.moments(x, axes), lambda: tuple(map(tf.identity, averages))
        )
        shown = [*found, beta, gamma]
        if axis < rank - 1:
            sides = [1 if i in axes else -1 for i in range(rank)]
            shown = [v if v is None else tf.reshape(v, sides) for v in shown]
        y = tf.nn.batch_normalization(x, *shown, epsilon)
        fused = fused or fused is None and rank == 4 and axis in (1, 3)
        if tf.is_tensor(training) or training:
            _update(x, averages, found, tf.cast(training, x.dtype) * (1.0 - momentum), fused)
        return tf.identity(y, name="FusedBatchNormV3") if fused else y


def _update(x, averages, found, part, fused) -> None:
    """Add the ops that move the averages part of the way towards what was found."""
    mean, variance = found
    if fused:  # then, as in TensorFlow, the variance is the unbiased one
        count = tf.cast(tf.size(x) // tf.size(mean), x.dtype)
        variance *= count / tf.maximum(count - 1.0, 1.0)
    for average, value in zip(averages, (mean, variance), strict=True):
        with tf.name_scope("AssignMovingAvg") as scope:
            update = tf.assign_sub(average, (average - value) * part, name=scope)
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update.op)
