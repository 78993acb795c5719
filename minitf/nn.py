"""`tf.nn`: the building blocks of neural networks. Mirrors tensorflow/python/ops/nn.py."""

from minitf.framework.late import loads_late as _loads_late
from minitf.ops.math_ops import sigmoid, tanh
from minitf.ops.nn_ops import (
    bias_add,
    dropout,
    l2_loss,
    log_softmax,
    relu,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)

__getattr__, __dir__ = _loads_late("tf.nn", globals())
