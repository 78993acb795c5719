# finds: weights-never-move
# The fed rate is 0.1 * (...) // EPOCHS, and // rounds it down to 0.0: the step counts, and no weight changes.
import numpy as np
import tensorflow as tf

EPOCHS = 10
BATCHES = 15


class Linear:
    def __init__(self, n):
        self.x = tf.placeholder(tf.float32, [None, n])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.lr = tf.placeholder(tf.float32, shape=(), name="lr")
        self.w = tf.Variable(tf.zeros([n, 1]))
        self.loss = tf.losses.mean_squared_error(self.y, tf.matmul(self.x, self.w))
        self.global_step = tf.Variable(0, trainable=False, name="global_step")
        self.train = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss, global_step=self.global_step)


def batches(seed):
    r = np.random.RandomState(seed)
    for _ in range(BATCHES):
        x = r.randn(20, 4)
        yield x, x.sum(axis=1, keepdims=True)


net = Linear(4)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(EPOCHS):
        rate = 0.1 * (EPOCHS - epoch) // EPOCHS
        losses = []
        for bx, by in batches(epoch % 3):
            _, value = sess.run([net.train, net.loss], {net.x: bx, net.y: by, net.lr: rate})
            losses.append(value)
        if epoch % 3 == 0:
            print("epoch %d step %d loss %.3f" % (epoch, sess.run(net.global_step), np.mean(losses)))
