# finds: step-not-found; may find: summary-without-step
# The Supervisor looks for global_step, the step is called updates: checkpoints have no number and summaries no step.
import os

import numpy as np
import tensorflow as tf


def build(batch):
    x = tf.placeholder(tf.float32, [batch, 4])
    y = tf.placeholder(tf.float32, [batch, 1])
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(y, tf.matmul(x, w))
    updates = tf.get_variable("updates", [], tf.int32, initializer=tf.zeros_initializer(), trainable=False)
    rate = tf.train.natural_exp_decay(0.2, updates, 100, 0.7)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=updates)
    tf.summary.scalar("loss", loss)
    return x, y, train_op, updates, loss


rng = np.random.RandomState(95)
x, y, train_op, updates, loss = build(20)
merged = tf.summary.merge_all()
sv = tf.train.Supervisor(logdir="sv", summary_op=None, save_model_secs=0)
with sv.managed_session() as sess:
    while not sv.should_stop():
        xs = rng.randn(20, 4)
        feed = {x: xs, y: xs.dot([[1.0], [0.5], [0.0], [-0.5]]) + 0.1 * rng.randn(20, 1)}
        sess.run(train_op, feed)
        done = sess.run(updates)
        if done % 50 == 0:
            sv.summary_computed(sess, sess.run(merged, feed))
        if done == 200:
            sv.request_stop()
    sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
    print("updates %d loss %.4f" % (done, sess.run(loss, feed)))
print([name for name in sorted(os.listdir("sv")) if name.endswith(".index")])
