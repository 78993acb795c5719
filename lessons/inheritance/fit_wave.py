"""Fit a noisy wave with a small network: a layer of features, and a layer that reads them out.

    python fit_wave.py FOLDER

It trains for 8 epochs of 40 batches, one step each. The rate starts at 0.2 and is halved every two
epochs; the features learn at a quarter of it. After each epoch it tests the averaged weights: a line
in the log has the step, the rate that comes next and the error, a curve has the error over the step,
and a checkpoint named after the step has everything. Run it again, even after it was killed, and it
trains for 8 more epochs from there.
"""

import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
EPOCHS, BATCHES, SIZE = 8, 40, 25


def read_data():
    random = np.random.RandomState(5)
    x = random.uniform(-1, 1, [1500, 2])
    y = np.sin(3 * x[:, :1] + 2 * x[:, 1:]) + random.normal(0, 0.1, [1500, 1])
    return (x[:1000], y[:1000]), (x[1000:], y[1000:])


def network(x, weights):
    w1, b1, w2, b2 = weights
    return tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) + b2


def build_model():
    random = np.random.RandomState(6)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w1 = tf.Variable(random.normal(0, 1.5, [2, 16]), dtype=tf.float32, name="features/w")
    b1 = tf.Variable(tf.zeros([16]), name="features/b")
    w2 = tf.Variable(random.normal(0, 0.3, [16, 1]), dtype=tf.float32, name="readout/w")
    b2 = tf.Variable(tf.zeros([1]), name="readout/b")
    loss = tf.reduce_mean((network(x, [w1, b1, w2, b2]) - y) ** 2)
    saver = tf.train.Saver(max_to_keep=3)
    return x, y, [w1, b1, w2, b2], loss, saver


def main(folder):
    (x_train, y_train), (x_test, y_test) = read_data()
    x, y, weights, loss, saver = build_model()
    global_step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.2, global_step, 4 * BATCHES, 0.5, staircase=True)
    sgd = tf.train.GradientDescentOptimizer
    readout_op = sgd(rate).minimize(loss, global_step, var_list=weights[2:])
    features_op = sgd(rate / 4).minimize(loss, global_step, var_list=weights[:2])
    ema = tf.train.ExponentialMovingAverage(0.98, num_updates=global_step)
    with tf.control_dependencies([features_op]):
        features_op = ema.apply(weights)
    averaged = network(x, [ema.average(weight) for weight in weights])
    error = tf.reduce_mean((averaged - y) ** 2)
    summary = tf.summary.scalar("test_error", error)
    writer = tf.summary.FileWriter(folder)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if tf.train.latest_checkpoint(folder):
            saver.restore(sess, tf.train.latest_checkpoint(folder))
        for epoch in range(1, EPOCHS + 1):
            for i in range(0, BATCHES * SIZE, SIZE):
                batch = {x: x_train[i : i + SIZE], y: y_train[i : i + SIZE]}
                sess.run(readout_op, batch)
                sess.run(features_op, batch)
            test = {x: x_test, y: y_test}
            step, now, reads, curve = sess.run([global_step, rate, error, summary], test)
            print("step %d rate %.4f error %.3f" % (step, now, reads))
            writer.add_summary(curve, epoch)
            saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=epoch)
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
