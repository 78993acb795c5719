# finds: rate-not-used
# The schedule is run once, and the number that it gave then is built into the optimizer.
import numpy as np
import tensorflow as tf

config = {"lr": 0.08, "first": 60, "second": 160, "steps": 240}

rng = np.random.RandomState(44)
sess = tf.Session()
x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.placeholder(tf.float32, [None, 4], name="y")
global_step = tf.train.get_or_create_global_step()

with tf.variable_scope("scale"):
    gain = tf.get_variable("gain", [4], initializer=tf.ones_initializer())
    shift = tf.get_variable("shift", [4], initializer=tf.zeros_initializer())
loss = tf.reduce_sum(tf.reduce_mean(tf.square(x * gain + shift - y), axis=0))

boundaries = [config["first"], config["second"]]
values = [config["lr"] / 10**k for k in range(3)]
lr = tf.train.piecewise_constant(global_step, boundaries, values)
sess.run(global_step.initializer)
current = sess.run(lr)
optimizer = tf.train.GradientDescentOptimizer(current)
train_op = optimizer.minimize(loss, global_step=global_step)

sess.run(tf.global_variables_initializer())
while True:
    inputs = rng.randn(12, 4)
    outputs = inputs * [1.0, 2.0, 3.0, 4.0] - 0.5 + 0.3 * rng.randn(12, 4)
    sess.run(train_op, feed_dict={x: inputs, y: outputs})
    if sess.run(global_step) >= config["steps"]:
        break
print("gain", " ".join("%.2f" % g for g in sess.run(gain)))
print("rate %.4g" % sess.run(lr))
sess.close()
