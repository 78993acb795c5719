# asks: rate-never-moves
# The rate drops every five epochs, and again by hand after eight; this run is only asked for three of them.
import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch_size", type=int, default=20)
args = parser.parse_args()

rng = np.random.RandomState(3)
xs = rng.uniform(-1, 1, (400, 2)).astype(np.float32)
ys = (xs[:, :1] - 2 * xs[:, 1:] + 0.5).astype(np.float32)
batches = len(xs) // args.batch_size

x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))

step = tf.train.get_or_create_global_step()
stairs = tf.train.exponential_decay(0.1, step, 5 * batches, 0.9, staircase=True)
drop = tf.train.piecewise_constant(step, [8 * batches], [1.0, 0.1])
train_op = tf.train.GradientDescentOptimizer(stairs * drop).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(args.epochs):
        for i in range(batches):
            part = slice(i * args.batch_size, (i + 1) * args.batch_size)
            sess.run(train_op, {x: xs[part], y: ys[part]})
        print("epoch %d loss %.3f" % (epoch, sess.run(loss, {x: xs, y: ys})))
    print("step", sess.run(step))
