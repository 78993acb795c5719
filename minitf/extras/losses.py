"""`tf.losses`: how wrong predictions are, as one number that also joins a collection of losses.

And `tf.metrics`, which says how right they are in many runs together.

Mirrors tensorflow/python/ops/losses/losses_impl.py and util.py, and ops/metrics_impl.py.
"""

import inspect
from collections.abc import Callable
from functools import wraps

from minitf.extras.arrays import div_no_nan, squared_difference
from minitf.framework.dtypes import float32
from minitf.framework.graph import (
    GraphKeys,
    add_to_collection,
    add_to_collections,
    get_collection,
    name_scope,
)
from minitf.framework.op_def_library import constant, convert_to_tensor
from minitf.framework.operation import Tensor
from minitf.ops import nn_ops
from minitf.ops.array_ops import expand_dims, ones_like, squeeze, stop_gradient, zeros_like
from minitf.ops.math_ops import abs, cast, equal, log, minimum, multiply, not_equal
from minitf.ops.nn_ops import relu
from minitf.ops.reduction_ops import add_n, reduce_sum
from minitf.ops.state_ops import assign_add
from minitf.ops.variable_scope import variable_scope
from minitf.ops.variables import Variable

LOSSES = GraphKeys.LOSSES


class Reduction:
    """How the losses of all elements are combined."""

    NONE = "none"
    SUM = "weighted_sum"
    MEAN = "weighted_mean"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all the kinds of reduction."""
        weighted = (cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS)
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, *weighted)


BY_WEIGHTS = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """Return losses * weights, combined by `reduction`, and add the result to the collection.

    By default the result is a scalar: the sum, divided by the number of weights that aren't 0.
    Raises ValueError if the weights can't be broadcast, or if the reduction is unknown.
    """
    if reduction not in Reduction.all():
        known = Reduction.all()
        raise ValueError(f"Invalid Reduction Key {reduction}. Key should be one of {known}.")
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        given, losses = losses.dtype.base_dtype, cast(losses, float32)
        weights = cast(convert_to_tensor(weights, name="weights"), float32)
        if weights.shape.rank and losses.shape.rank not in (None, weights.shape.rank):
            raise ValueError(
                f"weights can not be broadcast to values. values.rank={losses.shape.rank}. "
                f"weights.rank={weights.shape.rank}. values.shape={losses.shape}. "
                f"weights.shape={weights.shape}."
            )
        loss = multiply(losses, weights, name="Mul")
        if reduction != Reduction.NONE:
            loss = reduce_sum(loss)
        if reduction not in (Reduction.NONE, Reduction.SUM):
            counted = ones_like(losses)
            if reduction == Reduction.MEAN:
                counted *= weights
            if reduction == BY_WEIGHTS:
                counted *= cast(not_equal(weights, 0.0), float32)
            count = reduce_sum(counted, name="num_present")
            loss = div_no_nan(loss, count, name="value")
        loss = cast(loss, given)
        add_loss(loss, loss_collection)
        return loss


# Each function below is the formula of a loss, elementwise for labels and predictions (or logits).
# The decorators add the other arguments of compute_weighted_loss, and call it.


def _loss(formula: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the loss with this formula; labels and predictions are converted to float32."""
    return _public(formula, formula.__name__, lambda predictions: cast(predictions, float32))


def _loss_of_logits(formula: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the loss with this formula; labels are converted to the dtype of the logits."""
    return _public(formula, f"{formula.__name__}_loss", convert_to_tensor)


def _public(formula: Callable[..., Tensor], default_name: str, convert: Callable[..., Tensor]):
    own = [*inspect.signature(formula).parameters.values()]
    common = inspect.signature(compute_weighted_loss).parameters
    weights, *others = [common[name] for name in list(common)[1:]]
    signature = inspect.Signature([*own[:2], weights, *own[2:], *others])

    @wraps(formula)
    def loss(*args, **kwargs) -> Tensor:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        labels, predictions, *numbers = [given.arguments.pop(parameter.name) for parameter in own]
        for parameter, value in zip(own, (labels, predictions), strict=False):
            if value is None:
                raise ValueError(f"Argument `{parameter.name}` must not be None.")
        inputs = [predictions, labels, given.arguments["weights"]]
        with name_scope(given.arguments.pop("scope"), default_name, inputs) as scope:
            predictions = convert(predictions)
            labels = cast(labels, predictions.dtype.base_dtype)
            predictions.shape.assert_is_compatible_with(labels.shape)
            losses = formula(labels, predictions, *numbers)
            return compute_weighted_loss(losses, scope=scope, **given.arguments)

    loss.__signature__ = signature
    return loss


@_loss
def mean_squared_error(labels, predictions):
    """Return the mean of (predictions - labels) squared; see compute_weighted_loss."""
    return squared_difference(predictions, labels)


@_loss
def absolute_difference(labels, predictions):
    """Return the mean of |predictions - labels|."""
    return abs(predictions - labels)


@_loss
def huber_loss(labels, predictions, delta=1.0):
    """Return the mean of (predictions - labels) ** 2 / 2, which becomes linear beyond `delta`."""
    size = abs(predictions - labels)
    near = minimum(size, delta)
    return 0.5 * (near * near) + delta * (size - near)


@_loss
def log_loss(labels, predictions, epsilon=1e-7):
    """Return the mean of -log(p) for the label 1, and of -log(1 - p) for 0, avoiding log(0)."""
    certain = log(predictions + epsilon)
    return -(labels * certain) - (1 - labels) * log(1 - predictions + epsilon)


@_loss
def hinge_loss(labels, logits):
    """Return the mean of max(0, 1 - logits) for the label 1, and of max(0, 1 + logits) for 0."""
    return relu(1 - (2 * labels - 1) * logits)


@_loss_of_logits
def sigmoid_cross_entropy(multi_class_labels, logits, label_smoothing=0):
    """Return the mean of sigmoid_cross_entropy_with_logits; smoothing moves labels towards 1/2."""
    labels = multi_class_labels
    if label_smoothing > 0:
        labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
    return nn_ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")


@_loss_of_logits
def softmax_cross_entropy(onehot_labels, logits, label_smoothing=0):
    """Return the mean of softmax_cross_entropy_with_logits; smoothing makes labels more equal."""
    labels = onehot_labels
    if label_smoothing > 0:
        evenly = nn_ops.softmax(zeros_like(labels))
        labels = labels * (1.0 - label_smoothing) + label_smoothing * evenly
    labels = stop_gradient(labels, name="labels_stop_gradient")
    return nn_ops.softmax_cross_entropy_with_logits_v2(labels, logits, name="xentropy")


def sparse_softmax_cross_entropy(
    labels,
    logits,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """Return the mean of sparse_softmax_cross_entropy_with_logits; labels are class indices."""
    for name, value in [("labels", labels), ("logits", logits)]:
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        same_rank = labels.shape.rank == logits.shape.rank
        if same_rank and labels.shape.rank and labels.shape[-1].value in (None, 1):
            labels = squeeze(labels, [-1])
        weights = _as_flat_as(labels, convert_to_tensor(weights))
        losses = nn_ops.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def _as_flat_as(like: Tensor, x: Tensor) -> Tensor:
    """Return `x` without its last axis, if it has one more than `like`."""
    more = None not in (x.shape.rank, like.shape.rank) and x.shape.rank == like.shape.rank + 1
    return squeeze(x, [-1]) if more else x


def add_loss(loss: Tensor, loss_collection: str | None = LOSSES) -> None:
    """Add a loss to the collection, unless `loss_collection` is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Tensor]:
    """Return the losses in the collection; with `scope`, those whose names begin with it."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Tensor]:
    """Return the losses that regularizers have added; with `scope`, as in `get_losses`."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name="total_regularization_loss") -> Tensor:
    """Return the sum of the regularization losses, or 0.0 if there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(
    add_regularization_losses=True, name="total_loss", scope: str | None = None
) -> Tensor:
    """Return the sum of all losses, by default with regularization.

    Raises ValueError if there are none.
    """
    losses = get_losses(scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope)
    return add_n(losses, name=name)


# Metrics: results over everything that runs of an update have seen so far.


def mean(
    values, weights=None, metrics_collections=None, updates_collections=None, name=None
) -> tuple[Tensor, Tensor]:
    """Return the mean of `values` so far, and the tensor whose runs add the current `values`.

    `weights`, if any, have the same shape, apart from axes of length 1. The sum and the count are
    local variables. The two tensors join the collections.
    """
    with variable_scope(name, "mean", [values, weights]):
        values, kept = cast(values, float32), [GraphKeys.LOCAL_VARIABLES]
        kept.append(GraphKeys.METRIC_VARIABLES)
        total = Variable(0.0, trainable=False, collections=kept, name="total")
        count = Variable(0.0, trainable=False, collections=kept, name="count")
        counted = ones_like(values)
        if weights is not None:
            weights = _as_flat_as(values, cast(weights, float32))
            if weights.shape.rank and weights.shape.rank + 1 == values.shape.rank:
                weights = expand_dims(weights, -1)
            counted *= weights
        added = (
            assign_add(total, reduce_sum(values * counted)),
            assign_add(count, reduce_sum(counted)),
        )
        found = div_no_nan(total, count, name="value"), div_no_nan(*added, name="update_op")
    for collections, tensor in zip((metrics_collections, updates_collections), found, strict=True):
        add_to_collections(collections or (), tensor)
    return found


def accuracy(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
) -> tuple[Tensor, Tensor]:
    """Return how often `predictions` has matched `labels` so far, and the tensor that updates it.

    It is a `mean`. Raises ValueError if the shapes differ by more than a last axis of length 1.
    """
    labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
    labels, predictions = _as_flat_as(predictions, labels), _as_flat_as(labels, predictions)
    predictions.shape.assert_is_compatible_with(labels.shape)
    is_right = cast(equal(cast(predictions, labels.dtype), labels), float32)
    return mean(is_right, weights, metrics_collections, updates_collections, name or "accuracy")
