"""`tf.nn`: what neural networks are built of. Mirrors tensorflow/python/ops/nn.py."""

from minitf.framework.namespaces import loads_late as _loads_late
from minitf.ops.math_ops import sigmoid, tanh
from minitf.ops.nn_ops import (
    batch_normalization,
    bias_add,
    dropout,
    elu,
    embedding_lookup,
    in_top_k,
    l2_loss,
    l2_normalize,
    leaky_relu,
    moments,
    relu,
    relu6,
    softplus,
    softsign,
    top_k,
    xw_plus_b,
    zero_fraction,
)
from minitf.ops.softmax_ops import (
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)

__getattr__, __dir__ = _loads_late("tf.nn")
