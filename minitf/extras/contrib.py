"""What programs use from `tf.contrib`: its names for layers, arg_scope and optimize_loss.

`tf.contrib.layers`, `tf.contrib.framework` and `tf.contrib.slim` find their names here.

Mirrors tensorflow/contrib/layers/python/layers/ and tensorflow/contrib/framework/python/ops/, which
live on as tf_slim.
"""

from collections.abc import Callable
from functools import wraps

import minitf as tf
from minitf.examples.tutorials.mnist.input_data import read_data_sets  # noqa: F401
from minitf.extras.hparam import HParams  # noqa: F401
from minitf.extras.layers import ZEROS, refuse
from minitf.framework.op_def_library import named
from minitf.framework.operation import Tensor
from minitf.framework.scopes import DefaultStack
from minitf.training.training_util import (  # noqa: F401
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)

# Arguments for all calls inside a `with`: a dict for each function that takes part.

_scopes = DefaultStack(dict)


def arg_scope(list_ops_or_scope, **kwargs):
    """Pass keyword arguments to these functions inside a `with`, unless a call sets them itself.

    `list_ops_or_scope` is a list of functions made by `add_arg_scope`, or the `scope` of an earlier
    `with arg_scope(...) as scope`. Raises TypeError for anything else, ValueError for any other
    function, or for keyword arguments along with an earlier scope.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling adictionary, kwargs must be empty."
            )
        return _scopes.pushed(list_ops_or_scope)
    if not isinstance(list_ops_or_scope, list | tuple):
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    scope = dict(_scopes.get())
    for function in list_ops_or_scope:
        if not hasattr(function, "_key_op"):
            name = (function.__module__, function.__name__)
            raise ValueError(f"{name} is not decorated with @add_arg_scope")
        scope[function._key_op] = scope.get(function._key_op, {}) | kwargs
    return _scopes.pushed(scope)


def add_arg_scope(func: Callable) -> Callable:
    """Return a function that does the same, but also takes arguments from an `arg_scope`."""

    @wraps(func)
    def with_scope(*args, **kwargs):
        return func(*args, **_scopes.get().get(str(func), {}) | kwargs)

    with_scope._key_op = str(func)
    return with_scope


def get_variables(scope=None, suffix=None, collection=tf.GraphKeys.GLOBAL_VARIABLES) -> list:
    """Return the variables whose names begin with `scope` and end with `suffix`.

    Both may be regular expressions.
    """
    scope = getattr(scope, "name", scope)
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix}{'' if ':' in suffix else ':'}"
    return tf.get_collection(collection, scope)


# Initializers and regularizers.


def variance_scaling_initializer(
    factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=tf.float32
) -> Callable[..., Tensor]:
    """Return an initializer of random numbers with a variance of about factor / n.

    n is the number of inputs, of outputs ("FAN_OUT") or their mean ("FAN_AVG"). Raises TypeError
    for another mode, or a dtype that isn't floating point.
    """
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    # Numbers beyond two standard deviations are cut off; contrib's 1.3 slightly overcorrects that.
    scale = factor if uniform else factor * 1.3 * 0.87962566103423978**2
    distribution = "uniform" if uniform else "truncated_normal"
    made = tf.variance_scaling_initializer(scale, mode.lower(), distribution, seed, dtype)

    def _initializer(shape, dtype=dtype, partition_info=None):
        return made(shape, dtype)

    return _initializer


def xavier_initializer(uniform=True, seed=None, dtype=tf.float32) -> Callable[..., Tensor]:
    """Return an initializer with variance 1 / n, for a mean of n inputs and outputs."""
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def _regularizer(name, penalty, doc):
    def regularizer(scale, scope=None):
        if isinstance(scale, int):
            raise ValueError(f"scale cannot be an integer: {scale}")
        if isinstance(scale, float) and scale < 0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}.")

        def function(weights):
            with tf.name_scope(scope, name, [weights]) as full_name:
                factor = tf.convert_to_tensor(scale, weights.dtype.base_dtype, "scale")
                return tf.multiply(factor, penalty(weights), name=full_name)

        return (lambda _: None) if scale == 0 else function

    more = "Raises ValueError if the scale is negative or an int."
    return named(regularizer, name, f"Return a function of weights: scale * {doc}.\n\n    {more}")


l1_regularizer = _regularizer(
    "l1_regularizer", lambda w: tf.reduce_sum(tf.abs(w)), "sum(abs(weights))"
)
l2_regularizer = _regularizer("l2_regularizer", tf.nn.l2_loss, "sum(weights ** 2) / 2")

# Layers. They are those of `tf.layers`; only names, defaults and collections differ.

_XAVIER = xavier_initializer()
_NAMES = {"kernel": "weights", "bias": "biases"}


def _format(data_format) -> str:
    if data_format not in (None, "NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    return "channels_first" if data_format == "NCHW" else "channels_last"


def _layer(
    usual: str,
    layer: Callable,
    inputs,
    *args,
    scope=None,
    reuse=None,
    normalizer_fn=None,
    normalizer_params=None,
    activation_fn=None,
    variables_collections=None,
    outputs_collections=None,
    **settings,
) -> Tensor:
    """A layer of `tf.layers` in contrib's scope, then normalized and activated.

    Its variables join more collections, and kernels are called weights. `args` and `settings` are
    the layer's own.
    """

    def getter(get, name, collections=None, **others):
        path, slash, name = name.rpartition("/")
        name, more = _NAMES.get(name, name), variables_collections
        more = more.get(name) if isinstance(more, dict) else more
        keys = [tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES]
        keys += more if more and path == opened.name else ()  # not those of its normalizer
        return get(path + slash + name, collections=[*(collections or ()), *keys], **others)

    with tf.variable_scope(scope, usual, [inputs], reuse=reuse, custom_getter=getter) as opened:
        y = layer(inputs, *args, name=opened, **settings)
        if normalizer_fn:
            y = normalizer_fn(y, **(normalizer_params or {}))
        if activation_fn:
            y = activation_fn(y)
        tf.add_to_collections(outputs_collections or (), y)
        return y


@add_arg_scope
def fully_connected(
    inputs,
    num_outputs,
    activation_fn=tf.nn.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=_XAVIER,
    weights_regularizer=None,
    biases_initializer=ZEROS,
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
) -> Tensor:
    """Return activation_fn(inputs @ weights + biases), made by `tf.layers.dense`.

    The variables, `fully_connected/weights` and `fully_connected/biases`, also join
    MODEL_VARIABLES. With a `normalizer_fn`, such as batch_norm, there are no biases. Raises
    ValueError unless num_outputs is an int.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(
            f"num_outputs type should be one of [<class 'int'>], got {type(num_outputs)}."
        )
    return _layer(
        "fully_connected",
        tf.layers.dense,
        inputs,
        num_outputs,
        scope=scope,
        reuse=reuse,
        normalizer_fn=normalizer_fn,
        normalizer_params=normalizer_params,
        activation_fn=activation_fn,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        use_bias=bool(biases_initializer) and not normalizer_fn,
        kernel_initializer=weights_initializer,
        kernel_regularizer=weights_regularizer,
        bias_initializer=biases_initializer,
        bias_regularizer=biases_regularizer,
        trainable=trainable,
    )


@add_arg_scope
def conv2d(
    inputs,
    num_outputs,
    kernel_size,
    stride=1,
    padding="SAME",
    data_format=None,
    rate=1,
    activation_fn=tf.nn.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=_XAVIER,
    weights_regularizer=None,
    biases_initializer=ZEROS,
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
) -> Tensor:
    """Return activation_fn(tf.nn.conv2d(inputs, weights, ...) + biases), by `tf.layers.conv2d`.

    The variables are `Conv/weights` and `Conv/biases`; the rest is as in `fully_connected`.
    """
    return _layer(
        "Conv",
        tf.layers.conv2d,
        inputs,
        num_outputs,
        kernel_size,
        stride,
        padding,
        _format(data_format),
        rate,
        scope=scope,
        reuse=reuse,
        normalizer_fn=normalizer_fn,
        normalizer_params=normalizer_params,
        activation_fn=activation_fn,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        use_bias=bool(biases_initializer) and not normalizer_fn,
        kernel_initializer=weights_initializer,
        kernel_regularizer=weights_regularizer,
        bias_initializer=biases_initializer,
        bias_regularizer=biases_regularizer,
        trainable=trainable,
    )


@add_arg_scope
def max_pool2d(
    inputs,
    kernel_size,
    stride=2,
    padding="VALID",
    data_format="NHWC",
    outputs_collections=None,
    scope=None,
) -> Tensor:
    """Return `tf.nn.max_pool(inputs, kernel_size, stride, padding)`."""
    return _layer(
        "MaxPool2D",
        tf.layers.max_pooling2d,
        inputs,
        kernel_size,
        stride,
        padding,
        _format(data_format),
        scope=scope,
        outputs_collections=outputs_collections,
    )


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None) -> Tensor:
    """Return the inputs as a matrix: all axes but the first become one."""

    def layer(x, name):
        return tf.layers.flatten(x)

    return _layer("Flatten", layer, inputs, scope=scope, outputs_collections=outputs_collections)


@add_arg_scope
def dropout(
    inputs,
    keep_prob=0.5,
    noise_shape=None,
    is_training=True,
    outputs_collections=None,
    scope=None,
    seed=None,
) -> Tensor:
    """Return `tf.nn.dropout(inputs, keep_prob)` if `is_training`, a bool or a tensor."""
    return _layer(
        "Dropout",
        tf.layers.dropout,
        inputs,
        1 - keep_prob,
        noise_shape,
        seed,
        is_training,
        scope=scope,
        outputs_collections=outputs_collections,
    )


@add_arg_scope
def batch_norm(
    inputs,
    decay=0.999,
    center=True,
    scale=False,
    epsilon=0.001,
    activation_fn=None,
    param_initializers=None,
    param_regularizers=None,
    updates_collections=tf.GraphKeys.UPDATE_OPS,
    is_training=True,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    batch_weights=None,
    fused=None,
    data_format="NHWC",
    zero_debias_moving_mean=False,
    scope=None,
    renorm=False,
    renorm_clipping=None,
    renorm_decay=0.99,
    adjustment=None,
) -> Tensor:
    """Return activation_fn(tf.layers.batch_normalization(inputs, ...)), with other defaults.

    `param_initializers` and `param_regularizers` are dicts with the keys "beta", "gamma" and so on.
    The ops that move the averages join `updates_collections`; if that is None, the result waits for
    them. Raises UnimplementedError for batch_weights, zero_debias_moving_mean, renorm and
    adjustment.
    """
    axis = 1 if _format(data_format) == "channels_first" else -1
    refuse(batch_weights=batch_weights, zero_debias_moving_mean=zero_debias_moving_mean)
    by_kind = {"initializer": param_initializers, "regularizer": param_regularizers}
    settings = {f"{name}_{kind}": of[name] for kind, of in by_kind.items() for name in of or ()}
    settings |= {"renorm": renorm, "adjustment": adjustment, "trainable": trainable}

    def build(x, **settings):
        updates = tf.get_collection_ref(tf.GraphKeys.UPDATE_OPS)
        before = len(updates)
        y = tf.layers.batch_normalization(x, axis, decay, epsilon, center, scale, **settings)
        new, updates[before:] = updates[before:], []
        if updates_collections is None:
            with tf.control_dependencies(new):
                y = tf.identity(y)
        for update in new:
            tf.add_to_collections(updates_collections or (), update)
        return y

    fused = fused is None and len(inputs.shape) == 2 or fused
    return _layer(
        "BatchNorm",
        build,
        inputs,
        scope=scope,
        reuse=reuse,
        activation_fn=activation_fn,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        training=is_training,
        fused=fused,
        **settings,
    )


@add_arg_scope
def softmax(logits, scope=None) -> Tensor:
    """Return `tf.nn.softmax(logits)`, along the last axis. Raises ValueError below rank 2."""
    with tf.variable_scope(scope, "softmax", [logits]):
        rank = logits.get_shape().rank
        if rank is not None and rank < 2:
            raise ValueError(f"rank of shape must be at least 2 not: {rank}")
        rows = tf.reshape(logits, [-1, logits.get_shape()[-1].value])
        lengths = tf.shape(logits)
        result = tf.reshape(tf.nn.softmax(rows), lengths)
        result.set_shape(logits.get_shape())
        return result


# Training.

OPTIMIZERS = {
    "Adagrad": tf.train.AdagradOptimizer,
    "Adam": tf.train.AdamOptimizer,
    "Ftrl": tf.train.FtrlOptimizer,
    "Momentum": lambda learning_rate: tf.train.MomentumOptimizer(learning_rate, 0.9),
    "RMSProp": tf.train.RMSPropOptimizer,
    "SGD": tf.train.GradientDescentOptimizer,
}
SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


def _after(ops, tensor) -> Tensor:
    with tf.control_dependencies(ops):
        return tf.identity(tensor, name="control_dependency")


def _rate(rate):
    if isinstance(rate, float):
        if rate < 0:
            raise ValueError(f"Invalid learning_rate {rate}.")
        start = tf.constant_initializer(rate)
        return tf.get_variable("learning_rate", [], initializer=start, trainable=False)
    if rate is not None and not (isinstance(rate, Tensor) and rate.shape.rank == 0):
        raise ValueError(
            f"Learning rate should be 0d Tensor or float. Got {rate} of type {type(rate)}"
        )
    return rate


def _optimizer(given, rate) -> tf.train.Optimizer:
    kind = "string" if isinstance(given, str) else "class"
    if isinstance(given, str | type) and rate is None:
        raise ValueError(
            f"Learning rate is None, but should be specified if optimizer is {kind} ({given})."
        )
    if isinstance(given, str):
        if given not in OPTIMIZERS:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZERS)}], you provided {given}."
            )
        given = OPTIMIZERS[given]
    if callable(given):
        given = given() if rate is None else given(rate)
    if not isinstance(given, tf.train.Optimizer):
        raise ValueError(
            f"Unrecognized optimizer: function should return subclass of Optimizer. Got {given}."
        )
    return given


def _clipped(pairs: list, clip) -> list:
    if callable(clip):
        return clip(pairs)
    if not isinstance(clip, float):
        raise ValueError(f"Unknown type {type(clip)} for clip_gradients")
    gradients, variables = zip(*pairs, strict=True)
    return list(zip(tf.clip_by_global_norm(gradients, clip)[0], variables, strict=True))


def _show_norm(name, pairs: list) -> None:
    tf.summary.scalar(f"global_norm/{name}", tf.global_norm([g for g, _ in pairs]))


def optimize_loss(
    loss,
    global_step,
    learning_rate,
    optimizer,
    gradient_noise_scale=None,
    gradient_multipliers=None,
    clip_gradients=None,
    learning_rate_decay_fn=None,
    update_ops=None,
    variables=None,
    name=None,
    summaries=None,
    colocate_gradients_with_ops=False,
    increment_global_step=True,
) -> Tensor:
    """Return the loss, as a tensor that first runs one training step.

    global_step: the step that it counts, by default the graph's.
    learning_rate: a float, a scalar tensor or None.
    optimizer: an Optimizer, its class, a function of the rate, or one of the names in `OPTIMIZERS`.
    clip_gradients: the largest global norm, or a function of the pairs of gradients and variables.
    learning_rate_decay_fn: a function of the rate and the step.
    update_ops: what runs first, by default the collection UPDATE_OPS.
    summaries: by default "learning_rate" (if it decays), "loss" and "global_gradient_norm".

    Raises ValueError for other values, or for a decay function without a step; UnimplementedError
    for `gradient_noise_scale`, `gradient_multipliers` and other summaries.
    """
    refuse(gradient_noise_scale=gradient_noise_scale, gradient_multipliers=gradient_multipliers)
    step = get_global_step() if global_step is None else global_step
    if step is not None:
        assert_global_step(step)
    wanted = ["learning_rate", "loss", "global_gradient_norm"] if summaries is None else summaries
    for summary in wanted:
        if summary not in SUMMARIES:
            raise ValueError(
                f"Summaries should be one of [{', '.join(SUMMARIES)}], you provided {summary}."
            )
    refuse(gradients="gradients" in wanted, gradient_norm="gradient_norm" in wanted)
    with tf.variable_scope(name, "OptimizeLoss", [loss]):
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
        loss = _after(updates, loss) if updates else loss
        rate = _rate(learning_rate)
        if rate is not None and learning_rate_decay_fn is not None:
            if step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, step)
            if "learning_rate" in wanted:
                tf.summary.scalar("learning_rate", rate)
        optimizer = _optimizer(optimizer, rate)
        pairs = optimizer.compute_gradients(loss, variables)
        if "global_gradient_norm" in wanted:
            _show_norm("gradient_norm", pairs)
        if "loss" in wanted:
            tf.summary.scalar("loss", loss)
        if clip_gradients is not None:
            pairs = _clipped(pairs, clip_gradients)
            if "global_gradient_norm" in wanted:
                _show_norm("clipped_gradient_norm", pairs)
        counted = step if increment_global_step else None
        return _after([optimizer.apply_gradients(pairs, counted, name="train")], loss)
