# finds nothing
# Cyclic rates: a triangle between base_lr and max_lr, computed from the step.
import numpy as np
import tensorflow as tf


def cyclic_learning_rate(global_step, base_lr=0.02, max_lr=0.3, step_size=40.0, gamma=0.997):
    it = tf.cast(global_step, tf.float32)
    cycle = tf.floor(1.0 + it / (2.0 * step_size))
    x = tf.abs(it / step_size - 2.0 * cycle + 1.0)
    return base_lr + (max_lr - base_lr) * tf.maximum(0.0, 1.0 - x) * tf.pow(gamma, it)


class Perceptron(object):
    def __init__(self, n_features):
        self.X = tf.placeholder(tf.float32, [None, n_features])
        self.t = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(tf.zeros([n_features]))
        score = tf.reduce_sum(self.X * self.w, axis=1)
        self.loss = tf.reduce_mean(tf.nn.softplus(-self.t * score))
        self.errors = tf.reduce_sum(tf.cast(self.t * score <= 0, tf.int32))
        self.iteration = tf.Variable(0, trainable=False)
        self.lr = cyclic_learning_rate(self.iteration)
        self.op = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss, global_step=self.iteration)


gen = np.random.RandomState(55)
points = gen.randn(300, 3).astype(np.float32)
side = np.where(points.sum(axis=1) > 0, 1.0, -1.0).astype(np.float32)
p = Perceptron(3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    rates = []
    for it in range(320):
        i = gen.randint(0, 300, 20)
        sess.run(p.op, {p.X: points[i], p.t: side[i]})
        rates.append(sess.run(p.lr))
    print("peaks: %.3f %.3f %.3f" % tuple(max(rates[k : k + 80]) for k in (0, 80, 240)))
    print("errors:", sess.run(p.errors, {p.X: points, p.t: side}))
