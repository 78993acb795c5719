# finds nothing
# The second session goes on with the epoch that the restored step says, up to the epochs asked for in all.
import os

import numpy as np
import tensorflow as tf


class Net:
    def __init__(self, sess, ckpt_dir, batch_size=25, lr=0.5):
        self.sess = sess
        self.ckpt_dir = ckpt_dir
        self.batch_size = batch_size
        self.lr = lr
        self.load_data()
        self.build()
        self.saver = tf.train.Saver(max_to_keep=2)

    def load_data(self):
        rs = np.random.RandomState(17)
        self.images = rs.rand(500, 9).astype(np.float32)
        self.labels = (self.images[:, 4] > 0.5).astype(np.float32).reshape(-1, 1)
        self.batches = len(self.images) // self.batch_size

    def build(self):
        self.inp = tf.placeholder(tf.float32, [None, 9])
        self.lab = tf.placeholder(tf.float32, [None, 1])
        self.w = tf.get_variable("w", initializer=np.zeros((9, 1), np.float32))
        self.b = tf.get_variable("b", initializer=np.zeros(1, np.float32))
        logits = tf.matmul(self.inp, self.w) + self.b
        self.loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=self.lab, logits=logits))
        self.gs = tf.Variable(0, trainable=False, name="gs")
        decayed = tf.train.exponential_decay(self.lr, self.gs, 2 * self.batches, 0.95, staircase=True)
        self.train_op = tf.train.MomentumOptimizer(decayed, 0.9).minimize(self.loss, global_step=self.gs)

    def fit(self, epochs):
        self.sess.run(tf.global_variables_initializer())
        path = tf.train.latest_checkpoint(self.ckpt_dir)
        if path:
            self.saver.restore(self.sess, path)
            print("restored", os.path.basename(path))
        for epoch in range(self.sess.run(self.gs) // self.batches, epochs):
            order = np.random.RandomState(epoch).permutation(len(self.images))
            total = 0.0
            for i in range(self.batches):
                rows = order[i * self.batch_size : (i + 1) * self.batch_size]
                _, loss = self.sess.run(
                    [self.train_op, self.loss], {self.inp: self.images[rows], self.lab: self.labels[rows]}
                )
                total += loss
            print("epoch %d loss %.3f" % (epoch, total / self.batches))
            if not os.path.isdir(self.ckpt_dir):
                os.makedirs(self.ckpt_dir)
            self.saver.save(self.sess, os.path.join(self.ckpt_dir, "net"), global_step=self.gs)


for wanted in (3, 6):
    tf.reset_default_graph()
    with tf.Session() as session:
        Net(session, "checkpoints").fit(wanted)
