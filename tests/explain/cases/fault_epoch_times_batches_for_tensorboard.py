# finds: python-counter; runs: 2
# Summaries are placed at epoch * batches + batch, and the epochs of a resumed run begin at 0 again.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_integer("epochs_per_run", 4, "epochs until the process is restarted")
flags.DEFINE_integer("epochs", 8, "epochs in all")
FLAGS = flags.FLAGS
NUM_BATCHES = 25


class Runner(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.k = tf.placeholder(tf.int32, [None])
        w = tf.get_variable("w", [3, 4], initializer=tf.zeros_initializer())
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.k, tf.matmul(self.x, w))
        self.step = tf.train.get_or_create_global_step()
        lr = tf.train.piecewise_constant(self.step, [NUM_BATCHES * FLAGS.epochs // 2], [0.5, 0.1])
        self.train = tf.train.GradientDescentOptimizer(lr).minimize(self.loss, global_step=self.step)
        self.summary = tf.summary.scalar("train/loss", self.loss)

    def fit(self, sess, xs, ks, writer):
        for epoch in range(FLAGS.epochs_per_run):
            if sess.run(self.step) >= FLAGS.epochs * NUM_BATCHES:
                break
            for b in range(NUM_BATCHES):
                feed = {self.x: xs[b::NUM_BATCHES], self.k: ks[b::NUM_BATCHES]}
                summary, _ = sess.run([self.summary, self.train], feed)
                writer.add_summary(summary, epoch * NUM_BATCHES + b)
        return sess.run([self.step, self.loss], {self.x: xs, self.k: ks})


def main(_):
    rng = np.random.RandomState(93)
    xs = rng.randn(500, 3)
    ks = np.argmax(xs.dot(rng.randn(3, 4)) + 0.5 * rng.randn(500, 4), axis=1)
    runner = Runner()
    saver = tf.train.Saver()
    writer = tf.summary.FileWriter("board")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if tf.gfile.Exists("keep/checkpoint"):
            saver.restore(sess, tf.train.latest_checkpoint("keep"))
        print("step %d loss %.3f" % tuple(runner.fit(sess, xs, ks, writer)))
        saver.save(sess, "keep/model", global_step=runner.step)
    writer.close()


if __name__ == "__main__":
    tf.app.run()
