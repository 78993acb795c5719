# finds: step-counted-twice
# A hook adds one after each run, and minimize does so too: 300 steps are over after about 150 batches.
import numpy as np
import tensorflow as tf


class CountHook(tf.train.SessionRunHook):
    def begin(self):
        self.add_one = tf.assign_add(tf.train.get_global_step(), 1)
        self.batches = 0

    def after_run(self, run_context, run_values):
        run_context.session.run(self.add_one)
        self.batches += 1


rng = np.random.RandomState(98)
x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
with tf.variable_scope("line"):
    w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.abs(tf.matmul(x, w) - y))
step = tf.train.get_or_create_global_step()
rate = tf.train.polynomial_decay(0.1, step, 300, 0.001, power=2.0)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, step)

counter = CountHook()
with tf.train.MonitoredTrainingSession(hooks=[counter, tf.train.StopAtStepHook(last_step=300)]) as sess:
    while not sess.should_stop():
        xs = rng.rand(32, 2)
        _, value = sess.run([train, loss], {x: xs, y: xs.sum(1, keepdims=True) + 0.1 * rng.randn(32, 1)})
print("batches %d, loss %.3f" % (counter.batches, value))
