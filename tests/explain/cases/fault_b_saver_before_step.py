# finds: saver-too-early; may find: step-not-saved step-not-restored; runs: 2
# The Saver is made when only the model's weights exist; the step comes after it, and isn't in the checkpoint.
import os

import numpy as np
import tensorflow as tf


class Regressor(object):
    def __init__(self, n_in):
        self.x = tf.placeholder(tf.float32, [None, n_in])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.w = tf.get_variable("w", initializer=np.zeros((n_in, 1), np.float32))
        self.b = tf.get_variable("b", initializer=np.zeros(1, np.float32))
        self.loss = tf.losses.mean_squared_error(self.y, tf.matmul(self.x, self.w) + self.b)
        self.saver = tf.train.Saver()

    def save(self, sess, folder, step):
        tf.gfile.MakeDirs(folder)
        self.saver.save(sess, os.path.join(folder, "regressor"), global_step=step)

    def load(self, sess, folder):
        path = tf.train.latest_checkpoint(folder)
        if path:
            self.saver.restore(sess, path)
        return path


def main():
    r = np.random.RandomState(3)
    xs = r.randn(200, 3).astype(np.float32)
    ys = (xs.sum(axis=1, keepdims=True) + 2).astype(np.float32)
    model = Regressor(3)
    step = tf.Variable(0, name="global_step", trainable=False)
    lr = tf.train.exponential_decay(0.1, step, 50, 0.6)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(model.loss, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = model.load(sess, "model")
        print("loaded", path, "step", sess.run(step), "lr %.3f" % sess.run(lr))
        while sess.run(step) < 200:
            i = r.randint(0, 200, 20)
            sess.run(train_op, {model.x: xs[i], model.y: ys[i]})
        model.save(sess, "model", step)
        print("loss %.3f lr %.4f" % (sess.run(model.loss, {model.x: xs, model.y: ys}), sess.run(lr)))


main()
