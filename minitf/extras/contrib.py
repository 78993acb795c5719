"""What programs use of `tf.contrib`: layers with other names and defaults, arg_scope, optimize_loss.

`tf.contrib.layers`, `tf.contrib.framework` and `tf.contrib.slim` find their names here.

Mirrors tensorflow/contrib/layers/python/layers/ and tensorflow/contrib/framework/python/ops/, which
live on as tf_slim.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from minitf.extras import convolution, layers
from minitf.extras.optimizers import FtrlOptimizer
from minitf.framework import dtypes
from minitf.framework.graph import (
    GraphKeys,
    add_to_collections,
    control_dependencies,
    get_collection,
    get_collection_ref,
    name_scope,
)
from minitf.framework.op_def_library import convert_to_tensor, named
from minitf.framework.operation import Tensor
from minitf.ops.array_ops import identity, shape
from minitf.ops.clip_ops import clip_by_global_norm, global_norm
from minitf.ops.init_ops import VarianceScaling, constant_initializer
from minitf.ops.math_ops import abs, multiply
from minitf.ops.nn_ops import l2_loss, relu
from minitf.ops.random_ops import truncated_normal
from minitf.ops.reduction_ops import reduce_sum
from minitf.ops.variable_scope import VariableScope, get_variable, variable_scope
from minitf.ops.variables import Variable
from minitf.summary import summary
from minitf.training import optimizers
from minitf.training.optimizer import Optimizer
from minitf.training.training_util import (  # noqa: F401
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)

# Arguments that hold for all calls inside a `with`: a dict for each function that takes part.

_scopes = [{}]


@contextmanager
def arg_scope(list_ops_or_scope, **kwargs) -> Iterator[dict]:
    """Inside `with` this, each of these functions gets the keyword arguments, unless a call does.

    `list_ops_or_scope` is a list of functions made by `add_arg_scope`, or what an earlier
    `with arg_scope(...) as scope` gave. Raises TypeError for anything else, ValueError for a
    function that isn't one of these, or for arguments with an earlier scope.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling adictionary, kwargs must be empty."
            )
        scope = dict(list_ops_or_scope)
    elif not isinstance(list_ops_or_scope, list | tuple):
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    else:
        scope = dict(_scopes[-1])
        for function in list_ops_or_scope:
            if not hasattr(function, "_key_op"):
                name = (function.__module__, function.__name__)
                raise ValueError("%s is not decorated with @add_arg_scope", name)
            key = function._key_op
            scope[key] = scope.get(key, {}) | kwargs
    _scopes.append(scope)
    try:
        yield scope
    finally:
        _scopes.pop()


def add_arg_scope(func: Callable) -> Callable:
    """Return a function that does the same, but also takes arguments from an `arg_scope`."""

    @wraps(func)
    def with_scope(*args, **kwargs):
        return func(*args, **_scopes[-1].get(str(func), {}) | kwargs)

    with_scope._key_op = str(func)
    return with_scope


def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES) -> list[Variable]:
    """Return the variables whose names begin with `scope` and end with `suffix`, as patterns."""
    scope = scope.name if isinstance(scope, VariableScope) else scope
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix}{'' if ':' in suffix else ':'}"
    return get_collection(collection, scope)


# Initializers and regularizers.


def variance_scaling_initializer(
    factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=dtypes.float32
) -> Callable[..., Tensor]:
    """Return an initializer of random numbers with a variance of about factor / n.

    n is the number of inputs, of outputs ("FAN_OUT") or their mean ("FAN_AVG"). Raises TypeError
    for another mode, or a dtype that isn't floating point.
    """
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    # The numbers beyond two standard deviations are missing, for which this allows too much.
    scale = factor if uniform else factor * 1.3 * 0.87962566103423978**2
    distribution = "uniform" if uniform else "truncated_normal"
    made = VarianceScaling(scale, mode.lower(), distribution, seed)

    def _initializer(shape, dtype=dtype, partition_info=None):
        return made.numbers(shape, dtype)

    return _initializer


def xavier_initializer(uniform=True, seed=None, dtype=dtypes.float32) -> Callable[..., Tensor]:
    """Return an initializer of numbers with a variance of 1 / the mean of inputs and outputs."""
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def _regularizer(name, penalty, doc):
    def regularizer(scale, scope=None):
        if isinstance(scale, int):
            raise ValueError(f"scale cannot be an integer: {scale}")
        if isinstance(scale, float) and scale < 0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}.")

        def function(weights):
            with name_scope(scope, name, [weights]) as full_name:
                factor = convert_to_tensor(scale, weights.dtype.base_dtype, "scale")
                return multiply(factor, penalty(weights), name=full_name)

        return (lambda _: None) if scale == 0 else function

    more = "Raises ValueError for a negative scale or an int."
    return named(regularizer, name, f"Return a function of weights: scale * {doc}.\n\n    {more}")


l1_regularizer = _regularizer("l1_regularizer", lambda w: reduce_sum(abs(w)), "sum(abs(weights))")
l2_regularizer = _regularizer("l2_regularizer", l2_loss, "sum(weights ** 2) / 2")

# Layers. They are those of `tf.layers`; only names, defaults and collections differ.

_XAVIER = xavier_initializer()
_FORMATS = {None: "channels_last", "NHWC": "channels_last", "NCHW": "channels_first"}


def _layer(scope, usual, inputs, reuse, variables_collections=None):
    """The scope of a layer. Its variables join more collections; kernels are called weights."""
    names = {"kernel": "weights", "bias": "biases"}

    def getter(get, name, collections=None, **others):
        path, slash, name = name.rpartition("/")
        name, more = names.get(name, name), variables_collections or ()
        more = more.get(name, ()) if isinstance(more, dict) else more
        keys = [*(collections or ()), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES, *more]
        return get(path + slash + name, collections=keys, **others)

    return variable_scope(scope, usual, [inputs], reuse=reuse, custom_getter=getter)


def _finished(y, collections, activation_fn=None, normalizer_fn=None, normalizer_params=None):
    if normalizer_fn is not None:
        y = normalizer_fn(y, **(normalizer_params or {}))
    y = y if activation_fn is None else activation_fn(y)
    add_to_collections(collections or (), y)
    return y


@add_arg_scope
def fully_connected(
    inputs,
    num_outputs,
    activation_fn=relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=_XAVIER,
    weights_regularizer=None,
    biases_initializer=layers.ZEROS,
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
        known = "num_outputs type should be one of [<class 'int'>]"
        raise ValueError(f"{known}, got {type(num_outputs)}.")
    starts = (weights_initializer, biases_initializer, weights_regularizer, biases_regularizer)
    use_bias = not normalizer_fn and biases_initializer is not None
    with _layer(scope, "fully_connected", inputs, reuse, variables_collections) as sc:
        more = {"trainable": trainable, "name": sc, "reuse": reuse}
        y = layers.dense(inputs, num_outputs, None, use_bias, *starts, **more)
        return _finished(y, outputs_collections, activation_fn, normalizer_fn, normalizer_params)


@add_arg_scope
def conv2d(
    inputs,
    num_outputs,
    kernel_size,
    stride=1,
    padding="SAME",
    data_format=None,
    rate=1,
    activation_fn=relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=_XAVIER,
    weights_regularizer=None,
    biases_initializer=layers.ZEROS,
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
    starts = (weights_initializer, biases_initializer, weights_regularizer, biases_regularizer)
    use_bias = not normalizer_fn and biases_initializer is not None
    windows = (kernel_size, stride, padding, _FORMATS[data_format], rate, None)
    with _layer(scope, "Conv", inputs, reuse, variables_collections) as sc:
        more = {"trainable": trainable, "name": sc, "reuse": reuse}
        y = layers.conv2d(inputs, num_outputs, *windows, use_bias, *starts, **more)
        return _finished(y, outputs_collections, activation_fn, normalizer_fn, normalizer_params)


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
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with name_scope(scope, "MaxPool2D", [inputs]):
        y = convolution.max_pool(inputs, kernel_size, stride, padding, data_format)
        return _finished(y, outputs_collections)


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None) -> Tensor:
    """Return the inputs as a matrix: all axes but the first become one."""
    with name_scope(scope, "Flatten", [inputs]):
        return _finished(layers.flatten(inputs), outputs_collections)


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
    with _layer(scope, "Dropout", inputs, None) as sc:
        y = layers.dropout(inputs, 1 - keep_prob, noise_shape, seed, is_training, sc)
        return _finished(y, outputs_collections)


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
    updates_collections=GraphKeys.UPDATE_OPS,
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
    them. Raises NotImplementedError for batch_weights, zero_debias_moving_mean, renorm and
    adjustment.
    """
    if batch_weights is not None or zero_debias_moving_mean:
        raise NotImplementedError("minitf has no batch_weights or zero_debias_moving_mean.")
    with _layer(scope, "BatchNorm", inputs, reuse, variables_collections) as sc:
        x = convert_to_tensor(inputs)
        more = {f"{k}_initializer": v for k, v in (param_initializers or {}).items()}
        more |= {f"{k}_regularizer": v for k, v in (param_regularizers or {}).items()}
        more |= {"training": is_training, "trainable": trainable, "name": sc, "reuse": reuse}
        more |= {"renorm": renorm, "adjustment": adjustment}
        more |= {"fused": True if fused is None and x.shape.rank == 2 else fused}
        updates = get_collection_ref(GraphKeys.UPDATE_OPS)
        before, axis = len(updates), 1 if data_format == "NCHW" else -1
        y = layers.batch_normalization(x, axis, decay, epsilon, center, scale, **more)
        new, updates[before:] = updates[before:], []
        if updates_collections is None:
            with control_dependencies(new):
                y = identity(y)
        for update in new:
            add_to_collections(updates_collections or (), update)
        return _finished(y, outputs_collections, activation_fn)


# Training.

OPTIMIZERS = {
    "Adagrad": optimizers.AdagradOptimizer,
    "Adam": optimizers.AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: optimizers.MomentumOptimizer(learning_rate, 0.9),
    "RMSProp": optimizers.RMSPropOptimizer,
    "SGD": optimizers.GradientDescentOptimizer,
}
SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]
_USUAL = ["learning_rate", "loss", "global_gradient_norm"]


def _after(ops, tensor) -> Tensor:
    with control_dependencies(ops):
        return identity(tensor, name="control_dependency")


def _rate(rate):
    if isinstance(rate, float):
        if rate < 0:
            raise ValueError(f"Invalid learning_rate {rate}.")
        start = constant_initializer(rate)
        return get_variable("learning_rate", [], initializer=start, trainable=False)
    if rate is not None and not (isinstance(rate, Tensor) and rate.shape.rank == 0):
        words = f"Learning rate should be 0d Tensor or float. Got {rate} of type {type(rate)}"
        raise ValueError(words)
    return rate


def _optimizer(given, rate) -> Optimizer:
    kind = "string" if isinstance(given, str) else "class"
    if isinstance(given, str | type) and rate is None:
        words = f"but should be specified if optimizer is {kind} ({given})."
        raise ValueError(f"Learning rate is None, {words}")
    if isinstance(given, str):
        if given not in OPTIMIZERS:
            known = f"Optimizer name should be one of [{', '.join(OPTIMIZERS)}]"
            raise ValueError(f"{known}, you provided {given}.")
        given = OPTIMIZERS[given]
    if callable(given):
        given = given() if rate is None else given(rate)
    if not isinstance(given, Optimizer):
        words = "function should return subclass of Optimizer."
        raise ValueError(f"Unrecognized optimizer: {words} Got {given}.")
    return given


def _clipped(pairs, clip) -> list:
    if callable(clip):
        return clip(pairs)
    if not isinstance(clip, float):
        raise ValueError(f"Unknown type {type(clip)} for clip_gradients")
    gradients, _ = clip_by_global_norm([g for g, _ in pairs], clip)
    return [(g, variable) for g, (_, variable) in zip(gradients, pairs, strict=True)]


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
    """Return the loss, as a tensor that first runs one step of training.

    global_step: by default the graph's. learning_rate: a float, a scalar tensor or None; optimizer:
    an Optimizer, its class, a function of the rate, or one of the names in `OPTIMIZERS`.
    learning_rate_decay_fn: a function of the rate and the step. update_ops: what runs before, by
    default the collection UPDATE_OPS. gradient_multipliers: a dict of numbers by variable or name.
    clip_gradients: the largest global norm, or a function of the pairs of gradients and variables.
    summaries: some of `SUMMARIES`. Raises ValueError for other values, or for a decay function
    without a step.
    """
    global_step = get_global_step() if global_step is None else global_step
    if global_step is not None:
        assert_global_step(global_step)
    summaries = _USUAL if summaries is None else summaries
    for wanted in summaries:
        if wanted not in SUMMARIES:
            known = f"Summaries should be one of [{', '.join(SUMMARIES)}]"
            raise ValueError(f"{known}, you provided {wanted}.")

    with variable_scope(name, "OptimizeLoss", [loss]):
        updates = get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
        loss = _after(updates, loss) if updates else loss
        rate = _rate(learning_rate)
        if rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                summary.scalar("learning_rate", rate)
        optimizer = _optimizer(optimizer, rate)
        pairs = [p for p in optimizer.compute_gradients(loss, variables) if p[0] is not None]
        if gradient_noise_scale is not None:
            pairs = [(g + truncated_normal(shape(g)) * gradient_noise_scale, v) for g, v in pairs]
        if gradient_multipliers is not None:
            by = gradient_multipliers
            pairs = [(g * by.get(v, by.get(v.name, 1.0)), v) for g, v in pairs]
        norm = any("norm" in wanted for wanted in summaries)
        if norm:
            summary.scalar("global_norm/gradient_norm", global_norm([g for g, _ in pairs]))
        if clip_gradients is not None:
            pairs = _clipped(pairs, clip_gradients)
        if "loss" in summaries:
            summary.scalar("loss", loss)
        for gradient, variable in pairs:
            ending = variable.name.replace(":", "_")
            if "gradients" in summaries:
                summary.histogram(f"gradients/{ending}", gradient)
            if "gradient_norm" in summaries:
                summary.scalar(f"gradient_norm/{ending}", global_norm([gradient]))
        if norm and clip_gradients is not None:
            summary.scalar("global_norm/clipped_gradient_norm", global_norm([g for g, _ in pairs]))
        counted = global_step if increment_global_step else None
        return _after([optimizer.apply_gradients(pairs, counted, name="train")], loss)
