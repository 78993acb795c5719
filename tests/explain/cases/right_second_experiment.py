# finds nothing; may ask: step-starts-over
# The initializer runs again for each rate that is tried: these are separate experiments, and nothing of one is kept.
import numpy as np
import tensorflow as tf

r = np.random.RandomState(88)
samples = r.randn(100, 3).astype(np.float32)
values = samples.dot(np.array([[1.0], [0.0], [-1.0]], np.float32))

x = tf.constant(samples)
w = tf.Variable(tf.zeros([3, 1]), name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - values))
start_rate = tf.placeholder(tf.float32, [], name="start_rate")
global_step = tf.Variable(0, trainable=False, name="global_step")
rate = tf.train.exponential_decay(start_rate, global_step, 20, 0.5)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
init = tf.global_variables_initializer()

results = {}
with tf.Session() as sess:
    for candidate in (0.3, 0.1, 0.03, 0.01):
        sess.run(init)
        for _ in range(60):
            sess.run(train, {start_rate: candidate})
        results[candidate] = sess.run(loss)
        print("rate %.2f: loss %.3f after %d steps" % (candidate, results[candidate], sess.run(global_step)))
print("best: %.2f" % min(results, key=results.get))
