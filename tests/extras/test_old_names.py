"""Names and arguments from before TensorFlow 1.0 that TensorFlow itself can no longer be asked about."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf


def test_products_of_matrices_in_a_batch():
    x = np.arange(12.0).reshape(2, 2, 3) + 1j
    turned = x.conj().swapaxes(1, 2)
    made = [tf.batch_matmul(x, turned), tf.batch_matmul(x, x, True), tf.batch_matmul(x, x, adj_y=True, name="q")]
    with tf.Session() as sess:
        for found, wanted in zip(sess.run(made), [x @ turned, turned @ x, x @ turned], strict=True):
            np.testing.assert_allclose(found, wanted)
    assert made[2].op.name == "q"


def test_a_choice_takes_its_arguments_by_their_old_names():
    with tf.Session() as sess:
        assert sess.run(tf.select(condition=[True, False], t=[1, 2], e=[3, 4])).tolist() == [1, 4]


@pytest.mark.parametrize("prefix", ["softmax", "sparse_softmax", "sigmoid"])
def test_a_loss_of_logits_refuses_the_old_order(prefix):
    name = f"{prefix}_cross_entropy_with_logits"
    logits, labels = tf.ones([2, 3]), tf.ones([2, 3])
    with pytest.raises(ValueError) as caught:
        getattr(tf.nn, name)(logits, labels)
    assert str(caught.value) == f"Only call `{name}` with named arguments (labels=..., logits=..., ...)"


def test_a_script_from_before_1_0(tmp_path):
    w = tf.Variable(2.0)
    tf.scalar_summary("loss", tf.mul(w, 3.0))
    merged = tf.merge_all_summaries()
    with tf.Session() as sess:
        sess.run(tf.initialize_all_variables())
        writer = tf.train.SummaryWriter(str(tmp_path), sess.graph)
        writer.add_summary(sess.run(merged), 7)
        writer.close()
    (path,) = tmp_path.iterdir()
    events = [e for e in tf.train.summary_iterator(str(path)) if e.WhichOneof("what") == "summary"]
    assert [(e.step, e.summary.value[0].tag, e.summary.value[0].simple_value) for e in events] == [(7, "loss", 6.0)]
