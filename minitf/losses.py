"""`tf.losses`: numbers that say how wrong predictions are. Mirrors tensorflow/python/ops/losses/losses.py."""

from minitf.framework.namespaces import loads_late as _loads_late
from minitf.ops.losses import (
    Reduction,
    absolute_difference,
    add_loss,
    compute_weighted_loss,
    get_losses,
    get_regularization_loss,
    get_regularization_losses,
    get_total_loss,
    hinge_loss,
    huber_loss,
    log_loss,
    mean_squared_error,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)

__getattr__, __dir__ = _loads_late("tf.losses")
