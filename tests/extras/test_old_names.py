"""Names and arguments from before TensorFlow 1.0 that TensorFlow itself can no longer be asked about."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf


def test_products_of_matrices_in_a_batch():
    x = np.arange(12.0).reshape(2, 2, 3) + 1j
    turned = x.conj().swapaxes(1, 2)
    made = [tf.batch_matmul(x, turned), tf.batch_matmul(x, x, True), tf.batch_matmul(x, x, adj_y=True, name="q")]
    for found, wanted in zip(tf.Session().run(made), [x @ turned, turned @ x, x @ turned], strict=True):
        np.testing.assert_allclose(found, wanted)
    assert made[2].op.name == "q"


@pytest.mark.parametrize("prefix", ["softmax", "sparse_softmax", "sigmoid"])
def test_a_loss_of_logits_refuses_the_old_order(prefix):
    name = f"{prefix}_cross_entropy_with_logits"
    logits, labels = tf.ones([2, 3]), tf.ones([2, 3])
    with pytest.raises(ValueError) as caught:
        getattr(tf.nn, name)(logits, labels)
    assert str(caught.value) == f"Only call `{name}` with named arguments (labels=..., logits=..., ...)"
