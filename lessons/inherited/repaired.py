"""Train softmax regression on handwritten digits, then polish it at a small rate.

    python train_digits.py FOLDER

Saves a checkpoint in FOLDER, and curves for TensorBoard. Run it again to train further.
"""

import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "optdigits.npz")


class LogTest(tf.train.SessionRunHook):
    """Tests the model after the first update, and then after every 50 more."""

    def __init__(self, writer, rate, accuracy, test):
        self.writer, self.rate, self.accuracy, self.test = writer, rate, accuracy, test

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.rate)

    def after_run(self, run_context, run_values):
        sess = run_context.session  # its runs call no hooks
        step = tf.train.global_step(sess, tf.train.get_global_step())
        if step % 50 == 1:
            reads = float(sess.run(self.accuracy, self.test))
            value = tf.Summary.Value(tag="test_accuracy", simple_value=reads)
            self.writer.add_summary(tf.Summary(value=[value]), step)
            print("step %d rate %.4f test accuracy %.3f" % (step, run_values.results, reads))


def main(folder):
    with np.load(DIGITS) as file:
        images, labels = file["images"].reshape(-1, 64) / 16.0, np.eye(10)[file["labels"]]
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    y = tf.placeholder(tf.float32, [None, 10], name="y")
    test = {x: images[1500:], y: labels[1500:]}
    w, b = tf.Variable(tf.zeros([64, 10]), name="w"), tf.Variable(tf.zeros([10]), name="b")
    logits = tf.matmul(x, w) + b
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    right = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

    global_step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.5, global_step, decay_steps=100, decay_rate=0.8)
    rate = tf.where(global_step % 400 < 300, rate, rate / 10)  # the last 100 of every 400 polish
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
    tf.summary.scalar("loss", loss)

    writer = tf.summary.FileWriterCache.get(folder)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        hooks=[LogTest(writer, rate, accuracy, test), tf.train.StopAtStepHook(num_steps=400)],
        save_checkpoint_steps=100,
        save_summaries_steps=1,
    ) as sess:
        i = 0
        while not sess.should_stop():
            batch = slice(50 * i % 1500, 50 * i % 1500 + 50)
            feed = {x: images[batch], y: labels[batch]}
            sess.run(train_op, feed)
            i += 1
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
