# finds: step-not-restored; may find: rate-never-moves; runs: 2
# All is saved, step included, but the saver that restores was made for inference and reads only the weights.
import numpy as np
import tensorflow as tf


class Model:
    def __init__(self):
        self.inputs = tf.placeholder(tf.float32, [None, 3])
        self.outputs = tf.placeholder(tf.float32, [None, 3])
        with tf.variable_scope("core"):
            m = tf.get_variable("m", [3, 3], initializer=tf.zeros_initializer(), use_resource=True)
        self.loss = tf.losses.mean_squared_error(self.outputs, tf.matmul(self.inputs, m))
        self.step = tf.train.get_or_create_global_step()
        self.lr = tf.train.piecewise_constant(self.step, [200], [0.3, 0.03])
        self.train = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss, global_step=self.step)
        self.saver = tf.train.Saver(max_to_keep=5)
        self.restorer = tf.train.Saver(tf.trainable_variables(scope="core"))

    def load(self, sess, folder):
        state = tf.train.get_checkpoint_state(folder)
        if state:
            self.restorer.restore(sess, state.model_checkpoint_path)
            return True
        return False


rng = np.random.RandomState(58)
truth = rng.randn(3, 3)
net = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    found = net.load(sess, "weights")
    first = sess.run(net.step)
    limit = min(first + 200, 400)
    for _ in range(first, limit):
        batch = rng.randn(12, 3)
        feed = {net.inputs: batch, net.outputs: batch.dot(truth) + 0.3 * rng.randn(12, 3)}
        sess.run(net.train, feed)
    net.saver.save(sess, "weights/core", global_step=net.step)
    print("restored" if found else "new", "step %d" % sess.run(net.step), "loss %.3f" % sess.run(net.loss, feed))
