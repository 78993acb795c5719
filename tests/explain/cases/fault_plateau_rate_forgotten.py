# finds: rate-starts-over; runs: 2
# The rate that is halved on a plateau lives in Python only, so the resumed run begins with the full rate again.
import os

import numpy as np
import tensorflow as tf

TOTAL_STEPS = 600
STEPS_PER_JOB = 300
CHECK_EVERY = 30


class Plateau:
    def __init__(self, rate, factor=0.5):
        self.rate, self.factor, self.best = rate, factor, float("inf")

    def update(self, value):
        if value > 0.99 * self.best:
            self.rate *= self.factor
        self.best = min(self.best, value)


def main():
    rng = np.random.RandomState(28)
    valid = rng.randn(50, 4)
    truth = np.array([1.0, -1.0, 0.5, 0.0])
    x = tf.placeholder(tf.float32, [None, 4])
    t = tf.placeholder(tf.float32, [None])
    lr = tf.placeholder_with_default(0.1, [])
    theta = tf.get_variable("theta", [4], initializer=tf.zeros_initializer())
    mae = tf.reduce_mean(tf.abs(tf.reduce_sum(x * theta, -1) - t))
    step = tf.train.create_global_step()
    update = tf.train.GradientDescentOptimizer(lr).minimize(mae, step)
    saver = tf.train.Saver()
    schedule = Plateau(0.1)

    with tf.Session() as sess:
        if os.path.exists("run/checkpoint"):
            saver.restore(sess, tf.train.latest_checkpoint("run"))
        else:
            sess.run(tf.global_variables_initializer())
        begin = now = sess.run(step)
        while now < min(begin + STEPS_PER_JOB, TOTAL_STEPS):
            xs = rng.randn(10, 4)
            sess.run(update, {x: xs, t: xs.dot(truth) + 0.1 * rng.randn(10), lr: schedule.rate})
            now = sess.run(step)
            if now % CHECK_EVERY == 0:
                schedule.update(sess.run(mae, {x: valid, t: valid.dot(truth)}))
        saver.save(sess, "run/theta", global_step=step)
        print("step %d rate %.4g" % (now, schedule.rate))


main()
