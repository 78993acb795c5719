"""Recognize handwritten digits, at a rate that warms up first.

    python warm_up.py FOLDER

It trains for 400 steps. Its rate is the smaller of two: one rises to 0.5 in the first 50 steps, and the
other begins at 0.5 and loses a fifth every 100 steps. After steps 100, 200, 300 and 400 it tests: a line
in the log has the step, the rate that this step used and the accuracy, and the curve "accuracy" gets a
point.
"""

import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "optdigits.npz")


def warmed_up(rate):
    step = tf.to_float(tf.train.get_or_create_global_step())
    return tf.minimum(rate, 0.5 * (step + 1) / 50)


def test(sess, writer, right, feed, step):
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    summary = tf.summary.scalar("accuracy", accuracy)
    reads, curve = sess.run([accuracy, summary], feed)
    writer.add_summary(curve, step)
    return reads


def main(folder):
    with np.load(DIGITS) as file:
        images, labels = file["images"].reshape(-1, 64) / 16.0, np.eye(10)[file["labels"]]
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    y = tf.placeholder(tf.float32, [None, 10], name="y")
    w, b = tf.Variable(tf.zeros([64, 10]), name="w"), tf.Variable(tf.zeros([10]), name="b")
    logits = tf.matmul(x, w) + b
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    right = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))

    counter = tf.Variable(0, trainable=False, name="counter")
    rate = warmed_up(tf.train.exponential_decay(0.5, counter, 100, 1.25))
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=counter)
    now = tf.add(counter, 0, name="now")

    with tf.Session() as sess, tf.summary.FileWriter(folder) as writer:
        sess.run(tf.global_variables_initializer())
        for i in range(400):
            batch = slice(50 * i % 1500, 50 * i % 1500 + 50)
            feed = {x: images[batch], y: labels[batch]}
            _, step, used = sess.run([train_op, now, rate], feed)
            if step % 100 == 0:
                reads = test(sess, writer, right, {x: images[1500:], y: labels[1500:]}, step)
                print("step %d rate %.4f accuracy %.3f" % (step, used, reads))


if __name__ == "__main__":
    main(sys.argv[1])
