"""Lesson 09's model learns or ends in NaN within a few batches, as the rate and the loss's formula decide."""

import copy

import numpy as np

import minitf as tf

BATCHES, SIZE = 50, 100
FORMULAS = ("the post's formula", "from the logits")


class Runs:
    """The softmax regression of lesson 09, built once for both formulas; its rate is fed."""

    def __init__(self, digits: object):
        """Build it for the `digits` that read_data_sets returned."""
        self.digits = digits
        with tf.Graph().as_default():
            self.x = tf.placeholder(tf.float32, [None, 784])
            self.y = tf.placeholder(tf.float32, [None, 10])
            self.rate = tf.placeholder(tf.float32, [])
            self.w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
            self.step = tf.train.get_or_create_global_step()
            logits = tf.matmul(self.x, self.w) + b
            by_hand = -tf.reduce_sum(self.y * tf.log(tf.nn.softmax(logits)), 1)
            ready = tf.nn.softmax_cross_entropy_with_logits_v2(labels=self.y, logits=logits)
            optimizer = tf.train.GradientDescentOptimizer(self.rate)
            self.train_ops = {
                name: optimizer.minimize(tf.reduce_mean(losses), global_step=self.step)
                for name, losses in zip(FORMULAS, (by_hand, ready), strict=True)
            }
            right = tf.equal(tf.argmax(logits, 1), tf.argmax(self.y, 1))
            self.accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
            self.init = tf.global_variables_initializer()
            self.session = tf.Session()

    def __call__(self, formula: str, rate: float) -> tuple[list, np.ndarray, int]:
        """Return (step, accuracy on the test set) after each batch, the weights, and when they were nan."""
        train = copy.deepcopy(self.digits.train)  # the lesson's own stays as it is
        test = {self.x: self.digits.test.images, self.y: self.digits.test.labels}
        points, ruined = [], 0
        self.session.run(self.init)
        for batch in range(1, BATCHES + 1):
            images, labels = train.next_batch(SIZE)
            feed = {self.x: images, self.y: labels, self.rate: rate}
            self.session.run(self.train_ops[formula], feed)
            step, accuracy, weights = self.session.run([self.step, self.accuracy, self.w], test)
            points.append((int(step), float(accuracy)))
            ruined = ruined or batch * bool(np.isnan(weights).any())
        return points, weights, ruined
