"""`tf.losses`: how wrong predictions are, as one number, which joins a collection so that all can be added.

Mirrors tensorflow/python/ops/losses/losses_impl.py and util.py.
"""

import inspect
from collections.abc import Callable
from functools import wraps

from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.dtypes import float32
from minitf.framework.graph import GraphKeys, add_to_collection, get_collection, name_scope
from minitf.framework.operation import Tensor
from minitf.ops import (
    array_ops,
    axes_ops,
    comparison_ops,
    math_ops,
    nn_ops,
    reduction_ops,
    softmax_ops,
)

LOSSES = GraphKeys.LOSSES


class Reduction:
    """How the losses of all elements become one."""

    NONE = "none"
    SUM = "weighted_sum"
    MEAN = "weighted_mean"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return every way there is."""
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
    """Return losses * weights, made one number by `reduction`, and add it to the collection.

    Raises ValueError for weights that can't be repeated to fit, or an unknown reduction.
    """
    if reduction not in Reduction.all():
        known = Reduction.all()
        raise ValueError(f"Invalid Reduction Key {reduction}. Key should be one of {known}.")
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        given, losses = losses.dtype.base_dtype, math_ops.cast(losses, float32)
        weights = math_ops.cast(convert_to_tensor(weights, name="weights"), float32)
        if weights.shape.rank and losses.shape.rank not in (None, weights.shape.rank):
            ranks = f"values.rank={losses.shape.rank}. weights.rank={weights.shape.rank}"
            shapes = f"values.shape={losses.shape}. weights.shape={weights.shape}"
            raise ValueError(f"weights can not be broadcast to values. {ranks}. {shapes}.")
        loss = math_ops.multiply(losses, weights, name="Mul")
        if reduction != Reduction.NONE:
            loss = reduction_ops.reduce_sum(loss)
        if reduction not in (Reduction.NONE, Reduction.SUM):
            counted = array_ops.ones_like(losses)
            if reduction == Reduction.MEAN:
                counted *= weights
            if reduction == BY_WEIGHTS:
                counted *= math_ops.cast(comparison_ops.not_equal(weights, 0.0), float32)
            count = reduction_ops.reduce_sum(counted, name="num_present")
            loss = math_ops.div_no_nan(loss, count, name="value")
        loss = math_ops.cast(loss, given)
        add_loss(loss, loss_collection)
        return loss


# Each function below is the formula of one loss for each element: of the labels, the predictions or logits, and
# numbers of its own. What users call also takes what compute_weighted_loss takes.


def _loss(formula: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the loss of this formula, weighted and reduced; labels and predictions are made float32."""
    return _public(
        formula, formula.__name__, lambda predictions: math_ops.cast(predictions, float32)
    )


def _loss_of_logits(formula: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the loss of this formula, weighted and reduced; the labels get the dtype of the logits."""
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
            labels = math_ops.cast(labels, predictions.dtype.base_dtype)
            predictions.shape.assert_is_compatible_with(labels.shape)
            losses = formula(labels, predictions, *numbers)
            return compute_weighted_loss(losses, scope=scope, **given.arguments)

    loss.__signature__ = signature
    return loss


@_loss
def mean_squared_error(labels, predictions):
    """Return the mean of (predictions - labels) squared; see compute_weighted_loss for the other arguments."""
    return math_ops.squared_difference(predictions, labels)


@_loss
def absolute_difference(labels, predictions):
    """Return the mean of |predictions - labels|."""
    return math_ops.abs(predictions - labels)


@_loss
def huber_loss(labels, predictions, delta=1.0):
    """Return half the squared difference up to `delta`, and from there on a straight line of slope `delta`."""
    size = math_ops.abs(predictions - labels)
    near = math_ops.minimum(size, delta)
    return 0.5 * (near * near) + delta * (size - near)


@_loss
def log_loss(labels, predictions, epsilon=1e-7):
    """Return the mean of -log(p) where the label is 1 and of -log(1 - p) where it is 0, avoiding log(0)."""
    certain = math_ops.log(predictions + epsilon)
    return -(labels * certain) - (1 - labels) * math_ops.log(1 - predictions + epsilon)


@_loss
def hinge_loss(labels, logits):
    """Return the mean of max(0, 1 - logits) where the label is 1, and of max(0, 1 + logits) where it is 0."""
    return nn_ops.relu(1 - (2 * labels - 1) * logits)


@_loss_of_logits
def sigmoid_cross_entropy(multi_class_labels, logits, label_smoothing=0):
    """Return the mean of sigmoid_cross_entropy_with_logits; smoothing moves each label towards 1/2."""
    labels = multi_class_labels
    if label_smoothing > 0:
        labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
    return softmax_ops.sigmoid_cross_entropy_with_logits(labels, logits, name="xentropy")


@_loss_of_logits
def softmax_cross_entropy(onehot_labels, logits, label_smoothing=0):
    """Return the mean of softmax_cross_entropy_with_logits; smoothing moves each label towards 1 / classes."""
    labels = onehot_labels
    if label_smoothing > 0:
        evenly = softmax_ops.softmax(array_ops.zeros_like(labels))
        labels = labels * (1.0 - label_smoothing) + label_smoothing * evenly
    labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_ops.softmax_cross_entropy_with_logits_v2(labels, logits, name="xentropy")


def sparse_softmax_cross_entropy(
    labels,
    logits,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """Return the mean of sparse_softmax_cross_entropy_with_logits, whose labels are the numbers of the classes."""
    for name, value in [("labels", labels), ("logits", logits)]:
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        same_rank = labels.shape.rank == logits.shape.rank
        if same_rank and labels.shape.rank and labels.shape[-1].value in (None, 1):
            labels = axes_ops.squeeze_op(labels, [-1])
        weights = convert_to_tensor(weights)
        if weights.shape.rank and weights.shape.rank - 1 == labels.shape.rank:
            weights = axes_ops.squeeze_op(weights, [-1])
        losses = softmax_ops.sparse_softmax_cross_entropy_with_logits(
            labels, logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def add_loss(loss: Tensor, loss_collection: str | None = LOSSES) -> None:
    """Add a loss to the collection, unless that is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Tensor]:
    """Return the losses in the collection; with `scope`, those whose names begin with it."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Tensor]:
    """Return the losses of regularizers."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name="total_regularization_loss") -> Tensor:
    """Return their sum, 0.0 if there are none."""
    losses = get_regularization_losses(scope)
    return reduction_ops.add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(
    add_regularization_losses=True, name="total_loss", scope: str | None = None
) -> Tensor:
    """Return the sum of all losses. Raises ValueError if there are none."""
    losses = get_losses(scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope)
    return reduction_ops.add_n(losses, name=name)
