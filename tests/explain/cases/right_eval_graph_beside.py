# finds nothing
# A second graph restores each checkpoint to evaluate it; it never counts, and writes at the restored step.
import numpy as np
import tensorflow as tf

r = np.random.RandomState(15)
train_x, test_x = r.rand(300, 2).astype(np.float32), r.rand(100, 2).astype(np.float32)


def label(x):
    return (x[:, 0] + x[:, 1] > 1).astype(np.int64)


class Graph(object):
    def __init__(self, training):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, 2])
            self.y = tf.placeholder(tf.int64, [None])
            w = tf.get_variable("w", initializer=np.zeros([2, 2], np.float32))
            b = tf.get_variable("b", initializer=np.zeros([2], np.float32))
            logits = tf.matmul(self.x, w) + b
            self.step = tf.train.get_or_create_global_step()
            if training:
                self.loss = tf.losses.sparse_softmax_cross_entropy(self.y, logits)
                self.train = tf.train.GradientDescentOptimizer(1.0).minimize(self.loss, self.step)
                self.init = tf.global_variables_initializer()
                self.saver = tf.train.Saver(max_to_keep=10)
            else:
                hits = tf.equal(tf.argmax(logits, 1), self.y)
                self.accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))
                self.summary = tf.summary.scalar("accuracy", self.accuracy)
                self.saver = tf.train.Saver()
        self.sess = tf.Session(graph=self.graph)


t, e = Graph(True), Graph(False)
t.sess.run(t.init)
eval_writer = tf.summary.FileWriter("logs/eval", e.graph)
for i in range(1, 301):
    rows = r.randint(0, 300, 30)
    t.sess.run(t.train, {t.x: train_x[rows], t.y: label(train_x[rows])})
    if i % 100 == 0:
        path = t.saver.save(t.sess, "./model", global_step=t.step)
        e.saver.restore(e.sess, path)
        acc, s, at = e.sess.run([e.accuracy, e.summary, e.step], {e.x: test_x, e.y: label(test_x)})
        eval_writer.add_summary(s, at)
        print("step %d: accuracy %.2f" % (at, acc))
eval_writer.close()
