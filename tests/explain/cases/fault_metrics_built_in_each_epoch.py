# finds: graph-grows
# accuracy() builds its ops anew whenever it is called, which is after each epoch, and so does confusion().
import numpy as np
import tensorflow as tf

CLASSES = 3


class Perceptron(object):
    def __init__(self, sess, n):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, n])
        self.y = tf.placeholder(tf.int64, [None])
        w = tf.get_variable("w", [n, CLASSES], initializer=tf.zeros_initializer())
        self.logits = tf.matmul(self.x, w)
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.y, self.logits)
        self.step = tf.Variable(0, trainable=False, dtype=tf.int64, name="global_step")
        self.rate = tf.train.inverse_time_decay(0.5, self.step, 100, 1.0, staircase=True)
        self.train = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss, self.step)

    def accuracy(self, xs, ys):
        predicted = tf.argmax(self.logits, axis=1)
        hit = tf.reduce_mean(tf.cast(tf.equal(predicted, self.y), tf.float32))
        return self.sess.run(hit, {self.x: xs, self.y: ys})

    def confusion(self, xs, ys, a, b):
        both = tf.logical_and(tf.equal(self.y, a), tf.equal(tf.argmax(self.logits, 1), b))
        return self.sess.run(tf.reduce_sum(tf.cast(both, tf.int32)), {self.x: xs, self.y: ys})


rng = np.random.RandomState(85)
centers = 1.5 * rng.randn(CLASSES, 5)
labels = rng.randint(0, CLASSES, 300)
points = centers[labels] + rng.randn(300, 5)
with tf.Session() as sess:
    net = Perceptron(sess, 5)
    sess.run(tf.global_variables_initializer())
    for epoch in range(12):
        for i in range(0, 200, 10):
            sess.run(net.train, {net.x: points[i : i + 10], net.y: labels[i : i + 10]})
        hits = net.accuracy(points[200:], labels[200:])
        mixed = net.confusion(points[200:], labels[200:], 0, 1)
    print("accuracy %.2f, taken for 1: %d" % (hits, mixed))
    print("steps %d, rate %.3f" % tuple(sess.run([net.step, net.rate])))
