"""Fit a plane to noisy measurements, and test the average of its weights.

    python fit_plane.py FOLDER

It trains for 300 steps. The rate starts at 0.1, falls smoothly, and is half as large every 300 steps.
The weights are averaged: at first over a few steps, later over about the last 100. After every 100 steps,
a line in the log has the step, the rate that comes next and the error of the averaged weights, the
curve "error" gets a point, and a checkpoint named after the step has everything. Run it again, and it
continues from there for 300 more steps, even if it was killed.
"""

import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def read_data():
    random = np.random.RandomState(3)
    x = random.normal(size=[3300, 4])
    return x, x @ [[1.0], [-2.0], [3.0], [0.5]] + random.normal(0, 2, [3300, 1])


def main(folder):
    saved = tf.train.latest_checkpoint(folder)
    start = int(saved.split("-")[-1]) if saved else 0
    data, goals = read_data()
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(tf.zeros([4, 1]), name="w")
    loss = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
    global_step = tf.Variable(start, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, global_step, 300, 0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step)
    ema = tf.train.ExponentialMovingAverage(0.99, num_updates=start)
    with tf.control_dependencies([train_op]):
        average_op = ema.apply([w])
    error = tf.reduce_mean((tf.matmul(x, ema.average(w)) - y) ** 2)
    summary = tf.summary.scalar("error", error)
    saver = tf.train.Saver([w, ema.average(w)])

    with tf.Session() as sess, tf.summary.FileWriter(folder) as writer:
        sess.run(tf.global_variables_initializer())
        if saved:
            saver.restore(sess, saved)
        for i in range(1, 301):
            batch = slice(10 * i - 10, 10 * i)
            sess.run(average_op, {x: data[batch], y: goals[batch]})
            if i % 100 == 0:
                test = {x: data[3000:], y: goals[3000:]}
                step, now, reads, curve = sess.run([global_step, rate, error, summary], test)
                print("step %d rate %.4f error %.3f" % (step, now, reads))
                writer.add_summary(curve, start + i)
                saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=i)


if __name__ == "__main__":
    main(sys.argv[1])
