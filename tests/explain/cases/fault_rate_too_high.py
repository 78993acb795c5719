# finds: not-finite
# The areas are far from unit size, and with this rate the weights grow until they are NaN.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(60)
area = rng.uniform(40, 250, size=(120, 1)).astype(np.float32)
rooms = np.round(area / 30)
price = (3.2 * area + 10 * rooms + rng.randn(120, 1) * 20).astype(np.float32)
X_train = np.hstack([area, rooms]).astype(np.float32)

X = tf.placeholder(tf.float32, [None, 2], name="X")
Y = tf.placeholder(tf.float32, [None, 1], name="Y")
W = tf.Variable(tf.zeros([2, 1]), name="weight")
b = tf.Variable(tf.zeros([1]), name="bias")
hypothesis = tf.matmul(X, W) + b
cost = tf.reduce_mean(tf.square(hypothesis - Y))
global_step = tf.Variable(0, trainable=False, name="global_step")
train = tf.train.GradientDescentOptimizer(learning_rate=0.01).minimize(cost, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(100):
        sess.run(train, feed_dict={X: X_train, Y: price})
    print("step", sess.run(global_step))
    print("cost", sess.run(cost, feed_dict={X: X_train, Y: price}))
    print("weights", sess.run(W).ravel())
