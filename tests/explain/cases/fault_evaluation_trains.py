# finds: trained-for-summaries
# evaluate() runs all of the model's fetches, the train op among them: it trains on the validation data.
import numpy as np
import tensorflow as tf


class Classifier:
    def __init__(self, inputs, classes):
        self.x = tf.placeholder(tf.float32, [None, inputs])
        self.y = tf.placeholder(tf.int64, [None])
        w = tf.get_variable("w", [inputs, classes], initializer=tf.zeros_initializer())
        logits = tf.matmul(self.x, w)
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.y, logits)
        self.accuracy = tf.reduce_mean(tf.to_float(tf.equal(tf.argmax(logits, 1), self.y)))
        self.step = tf.train.get_or_create_global_step()
        rate = tf.train.polynomial_decay(0.5, self.step, 1000, 0.01)
        self.fetches = {
            "loss": self.loss,
            "accuracy": self.accuracy,
            "train": tf.train.GradientDescentOptimizer(rate).minimize(self.loss, self.step),
        }


def run_epoch(sess, model, xs, ys, batch=25):
    results = []
    for i in range(0, len(xs), batch):
        results.append(sess.run(model.fetches, {model.x: xs[i : i + batch], model.y: ys[i : i + batch]}))
    return np.mean([r["loss"] for r in results]), np.mean([r["accuracy"] for r in results])


def evaluate(sess, model, xs, ys):
    return run_epoch(sess, model, xs, ys, batch=50)


rng = np.random.RandomState(66)
direction = rng.randn(8, 4)
xs = rng.randn(500, 8)
ys = np.argmax(xs.dot(direction) + rng.randn(500, 4), axis=1)
model = Classifier(8, 4)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(10):
        run_epoch(sess, model, xs[:300], ys[:300])
        if epoch % 3 == 0:
            print("valid: loss %.3f accuracy %.3f" % evaluate(sess, model, xs[300:], ys[300:]))
    print("step", sess.run(model.step))
