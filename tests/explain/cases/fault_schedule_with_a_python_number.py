# finds: rate-never-moves
# The schedule's step is a Python number, so it gives the same rate for ever.
import numpy as np
import tensorflow as tf

starter_learning_rate = 0.1
num_steps = 300
global_step = 0

x = tf.placeholder(tf.float32, [None, 1])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(0.5)
b = tf.Variable(0.0)
loss = tf.reduce_mean(tf.square(w * x + b - y))

learning_rate = tf.train.exponential_decay(starter_learning_rate, global_step, 50, 0.5, staircase=True)
step_variable = tf.Variable(global_step, trainable=False)
train_step = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step_variable)

rng = np.random.RandomState(1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(num_steps):
        bx = rng.rand(10, 1)
        sess.run(train_step, feed_dict={x: bx, y: 2 * bx - 1 + 0.1 * rng.randn(10, 1)})
    values = sess.run([w, b, learning_rate])
    print("w=%.2f b=%.2f lr=%g" % tuple(values))
