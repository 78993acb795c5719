# finds: step-created-twice; may find: step-in-name-only step-never-moves summary-without-step
# The model has a step, and so has the trainer: the trainer's counts, the model's names checkpoints and summaries.
import os

import numpy as np
import tensorflow as tf


class Regressor:
    def __init__(self, dim):
        self.inputs = tf.placeholder(tf.float32, [None, dim])
        self.targets = tf.placeholder(tf.float32, [None])
        self.global_step = tf.Variable(0, trainable=False, name="global_step")
        self.weights = tf.Variable([0.0] * dim, name="weights")
        self.prediction = tf.reduce_sum(self.inputs * self.weights, axis=1)
        self.loss = tf.reduce_mean(tf.abs(self.prediction - self.targets))
        self.summary = tf.summary.scalar("loss", self.loss)


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.counter = tf.Variable(0, trainable=False, name="step")
        self.op = tf.train.AdagradOptimizer(rate).minimize(model.loss, self.counter)
        self.saver = tf.train.Saver(max_to_keep=3)

    def run(self, sess, batches):
        sess.run(tf.global_variables_initializer())
        writer = tf.summary.FileWriter("logs")
        for xs, ys in batches:
            feed = {self.model.inputs: xs, self.model.targets: ys}
            _, summary = sess.run([self.op, self.model.summary], feed)
            at = sess.run(self.model.global_step)
            writer.add_summary(summary, at)
        writer.close()
        self.saver.save(sess, "model/net", global_step=self.model.global_step)
        return sess.run(self.model.loss, feed)


rng = np.random.RandomState(21)
truth = np.array([0.5, -0.25, 1.0])
samples = [rng.randn(30, 3) for _ in range(250)]
model = Regressor(3)
trainer = Trainer(model, 0.3)
with tf.Session() as sess:
    last = trainer.run(sess, [(xs, xs.dot(truth) + 0.2 * rng.randn(30)) for xs in samples])
print("loss %.3f" % last, sorted(os.listdir("model")))
