# finds: not-finite
# The distance's gradient at 0 is NaN (the root of 0), and NanTensorHook ends the run with its error.
import numpy as np
import tensorflow as tf


class Embedder:
    def __init__(self, size, dim):
        start = np.random.RandomState(30).randn(size, dim).astype(np.float32)
        self.left = tf.placeholder(tf.int32, [None])
        self.right = tf.placeholder(tf.int32, [None])
        self.near = tf.placeholder(tf.float32, [None])
        table = tf.get_variable("table", initializer=start)
        a, b = tf.nn.embedding_lookup(table, self.left), tf.nn.embedding_lookup(table, self.right)
        distance = tf.sqrt(tf.reduce_sum(tf.square(a - b), axis=1))
        pull = self.near * distance
        push = (1 - self.near) * tf.square(tf.maximum(0.0, 2.0 - distance))
        self.loss = tf.reduce_mean(pull + push, name="loss")
        self.step = tf.train.get_or_create_global_step()
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, self.step)


rng = np.random.RandomState(31)
model = Embedder(30, 2)
hooks = [tf.train.NanTensorHook(model.loss), tf.train.StopAtStepHook(last_step=200)]
with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
    while not sess.should_stop():
        i, j = rng.randint(0, 30, 8), rng.randint(0, 30, 8)
        sess.run(model.train, {model.left: i, model.right: j, model.near: (i % 3 == j % 3).astype(np.float32)})
