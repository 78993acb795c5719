# finds: order-undefined
# The weights kept as the best ones are fetched with the train op: nobody knows if they are those that gave the loss.
import numpy as np
import tensorflow as tf


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.weights, self.bad = patience, np.inf, None, 0

    def update(self, loss, weights):
        if loss < self.best:
            self.best, self.weights, self.bad = loss, weights, 0
        else:
            self.bad += 1
        return self.bad > self.patience


rng = np.random.RandomState(48)
A = rng.randn(60, 4).astype(np.float32)
target = (A.dot([1.0, -2.0, 0.0, 1.0]) + 0.4 * rng.randn(60)).astype(np.float32)

a = tf.placeholder(tf.float32, [None, 4])
t = tf.placeholder(tf.float32, [None])
beta = tf.Variable(tf.zeros([4]), name="beta")
loss = tf.reduce_mean(tf.square(tf.reduce_sum(a * beta, 1) - t))
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 30, 0.5)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

stopper = EarlyStopping(patience=5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while sess.run(step) < 200:
        _, value, weights = sess.run([train, loss, beta], {a: A, t: target})
        if stopper.update(value, weights):
            break
    np.save("best.npy", stopper.weights)
    print("best loss %.3f" % stopper.best)
