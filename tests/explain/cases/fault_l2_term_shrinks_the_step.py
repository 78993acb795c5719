# finds: step-trained
# The float step is trainable, so weight decay over all trainable variables pulls it towards zero at each update.
import numpy as np
import tensorflow as tf

WEIGHT_DECAY = 1e-3

rng = np.random.RandomState(20)
inputs = rng.randn(200, 3).astype(np.float32)
targets = np.tanh(inputs.dot([[1.0], [0.5], [-1.0]])) + 0.1 * rng.randn(200, 1)

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.constant(0.1, shape=[3, 1]), name="w")
b = tf.Variable(tf.zeros([1]), name="b")
step = tf.Variable(0.0, name="step")
mse = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w) + b) - y))
decay = WEIGHT_DECAY * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
rate = tf.train.exponential_decay(0.5, step, 100, 0.9)
train = tf.train.GradientDescentOptimizer(rate).minimize(mse + decay, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(400):
        rows = rng.randint(0, 200, 20)
        sess.run(train, {x: inputs[rows], y: targets[rows]})
    print("mse %.3f after %.1f steps" % (sess.run(mse, {x: inputs, y: targets}), sess.run(step)))
