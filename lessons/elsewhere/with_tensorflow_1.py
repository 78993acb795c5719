"""The experiment as TensorFlow 1 has it: the step is a Variable that minimize is given."""

import numpy as np

import minitf as tf

x = tf.constant(np.linspace(1, 2, 10), tf.float32)
w = tf.Variable(0.0, name="w")
loss = tf.reduce_mean((w * x - x) ** 2)
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 10, decay_rate=2)
optimizer = tf.train.GradientDescentOptimizer(rate)
train_op = optimizer.minimize(loss, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train_op)
        print("{:.6g} {} {:.4f}".format(*sess.run([rate, step, w])))
