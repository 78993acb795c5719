"""`tf.losses`: numbers that say how wrong predictions are, put into a collection so that all can be added.

Mirrors tensorflow/python/ops/losses/losses_impl.py and util.py.
"""

from collections.abc import Callable

from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.dtypes import float32
from minitf.framework.graph import GraphKeys, add_to_collection, get_collection, name_scope
from minitf.framework.operation import Tensor
from minitf.ops import array_ops, axes_ops, comparison_ops, math_ops, reduction_ops, softmax_ops
from minitf.ops.nn_ops import relu

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
        """Every way there is."""
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
    """losses * weights, made one number as `reduction` says, and put into the collection.

    Raises ValueError for weights that can't be repeated to fit, or an unknown reduction.
    """
    if reduction not in Reduction.all():
        raise ValueError(
            f"Invalid Reduction Key {reduction}. Key should be one of {Reduction.all()}."
        )
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
            loss = math_ops.div_no_nan(
                loss, reduction_ops.reduce_sum(counted, name="num_present"), name="value"
            )
        loss = math_ops.cast(loss, given)
        add_loss(loss, loss_collection)
        return loss


def _check_given(**arguments) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")


def _of_pairs(
    name: str,
    labels,
    predictions,
    weights,
    scope: str | None,
    loss_collection: str | None,
    reduction: str,
    losses: Callable,
) -> Tensor:
    """The loss that `losses(labels, predictions)` says for each pair, weighted and reduced."""
    with name_scope(scope, name, [predictions, labels, weights]) as scope:
        predictions, labels = math_ops.cast(predictions, float32), math_ops.cast(labels, float32)
        predictions.shape.assert_is_compatible_with(labels.shape)
        return compute_weighted_loss(
            losses(labels, predictions), weights, scope, loss_collection, reduction
        )


def mean_squared_error(
    labels,
    predictions,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of (predictions - labels) squared; see compute_weighted_loss for the other arguments."""
    _check_given(labels=labels, predictions=predictions)
    return _of_pairs(
        "mean_squared_error",
        labels,
        predictions,
        weights,
        scope,
        loss_collection,
        reduction,
        lambda y, x: math_ops.squared_difference(x, y),
    )


def absolute_difference(
    labels,
    predictions,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of |predictions - labels|."""
    _check_given(labels=labels, predictions=predictions)
    return _of_pairs(
        "absolute_difference",
        labels,
        predictions,
        weights,
        scope,
        loss_collection,
        reduction,
        lambda y, x: math_ops.abs(x - y),
    )


def huber_loss(
    labels,
    predictions,
    weights=1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """Half the squared difference as far as `delta`, from there on a straight line of slope `delta`."""
    _check_given(labels=labels, predictions=predictions)

    def losses(y: Tensor, x: Tensor) -> Tensor:
        size = math_ops.abs(x - y)
        near = math_ops.minimum(size, delta)
        return 0.5 * (near * near) + delta * (size - near)

    return _of_pairs(
        "huber_loss", labels, predictions, weights, scope, loss_collection, reduction, losses
    )


def log_loss(
    labels,
    predictions,
    weights=1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of -log(p) where the label is 1, and of -log(1 - p) where it is 0; `epsilon` keeps off log(0)."""
    _check_given(labels=labels, predictions=predictions)

    def losses(y: Tensor, p: Tensor) -> Tensor:
        return -(y * math_ops.log(p + epsilon)) - (1 - y) * math_ops.log(1 - p + epsilon)

    return _of_pairs(
        "log_loss", labels, predictions, weights, scope, loss_collection, reduction, losses
    )


def hinge_loss(
    labels,
    logits,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of max(0, 1 - logits) where the label is 1, and of max(0, 1 + logits) where it is 0."""
    _check_given(labels=labels, logits=logits)
    return _of_pairs(
        "hinge_loss",
        labels,
        logits,
        weights,
        scope,
        loss_collection,
        reduction,
        lambda y, x: relu(1 - (2 * y - 1) * x),
    )


def sigmoid_cross_entropy(
    multi_class_labels,
    logits,
    weights=1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of sigmoid_cross_entropy_with_logits; smoothing moves each label towards 1/2."""
    _check_given(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(
        scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]
    ) as scope:
        logits = convert_to_tensor(logits)
        labels = math_ops.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = softmax_ops.sigmoid_cross_entropy_with_logits(labels, logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels,
    logits,
    weights=1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of softmax_cross_entropy_with_logits; smoothing moves each label towards 1 / number of classes."""
    _check_given(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits = convert_to_tensor(logits)
        labels = math_ops.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            evenly = softmax_ops.softmax(array_ops.zeros_like(labels))
            labels = labels * (1.0 - label_smoothing) + label_smoothing * evenly
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        losses = softmax_ops.softmax_cross_entropy_with_logits_v2(labels, logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels,
    logits,
    weights=1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_WEIGHTS,
) -> Tensor:
    """The mean of sparse_softmax_cross_entropy_with_logits."""
    _check_given(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        if (
            labels.shape.rank == logits.shape.rank
            and labels.shape.rank
            and labels.shape[-1].value in (None, 1)
        ):
            labels = axes_ops.squeeze_op(labels, [-1])
        weights = convert_to_tensor(weights)
        if weights.shape.rank and weights.shape.rank - 1 == labels.shape.rank:
            weights = axes_ops.squeeze_op(weights, [-1])
        losses = softmax_ops.sparse_softmax_cross_entropy_with_logits(
            labels, logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def add_loss(loss: Tensor, loss_collection: str | None = LOSSES) -> None:
    """Put a loss into the collection, unless that is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Tensor]:
    """The losses in the collection; with `scope`, those whose names begin so."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Tensor]:
    """The losses of regularizers."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Tensor:
    """Their sum, 0.0 if there are none."""
    losses = get_regularization_losses(scope)
    return reduction_ops.add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses. Raises ValueError if there are none."""
    losses = get_losses(scope) + (
        get_regularization_losses(scope) if add_regularization_losses else []
    )
    return reduction_ops.add_n(losses, name=name)
