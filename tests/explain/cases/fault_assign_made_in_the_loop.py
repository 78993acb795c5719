# finds: graph-grows
# tf.assign is called in each turn, and each call adds ops to the graph.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(84)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([3, 1]), name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
global_step = tf.train.get_or_create_global_step()
rate = tf.Variable(0.2, trainable=False, name="rate")
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(10):
        for _ in range(15):
            xs = rng.randn(10, 3)
            sess.run(train, {x: xs, y: xs[:, :1] + 0.1 * rng.randn(10, 1)})
            sess.run(tf.assign(rate, rate * 0.99))
    print("rate %.4f loss %.4f" % tuple(sess.run([rate, loss], {x: xs, y: xs[:, :1]})))
