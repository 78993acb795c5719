# asks: rate-grows
# A decay_rate above 1 makes the rate grow with each step; here it's a range test that looks for the largest good rate.
import numpy as np
import tensorflow as tf

LOWEST, HIGHEST, STEPS = 1e-4, 1.0, 160

rs = np.random.RandomState(85)
samples = rs.randn(320, 5).astype(np.float32)
goals = samples.dot(np.linspace(-1, 1, 5)).astype(np.float32)

s = tf.placeholder(tf.float32, [None, 5])
g = tf.placeholder(tf.float32, [None])
w = tf.Variable(tf.zeros([5]), name="w")
loss = tf.reduce_mean(tf.square(tf.reduce_sum(s * w, 1) - g))
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(LOWEST, step, STEPS, HIGHEST / LOWEST)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

history = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(STEPS):
        rows = rs.randint(0, 320, 32)
        used, value, _ = sess.run([rate, loss, train], {s: samples[rows], g: goals[rows]})
        history.append((used, value))
for used, value in history[::40]:
    print("rate %.4f loss %.2f" % (used, value))
