# finds nothing
# Two steps in one graph on purpose: each task counts its own updates, and each rate reads its own task's step.
import numpy as np
import tensorflow as tf

np.random.seed(1)
X = np.random.RandomState(5).randn(400, 6).astype(np.float32)
Y_REG = X[:, :1] * 2 - X[:, 1:2]
Y_CLS = (X[:, 2] > 0).astype(np.int64)


class MultiTask(object):
    def __init__(self):
        r = np.random.RandomState(11)
        self.x = tf.placeholder(tf.float32, (None, 6))
        self.y_reg = tf.placeholder(tf.float32, (None, 1))
        self.y_cls = tf.placeholder(tf.int64, (None,))
        shared_w = tf.Variable(r.normal(0, 0.3, (6, 10)).astype("f"), name="shared")
        hidden = tf.nn.tanh(tf.matmul(self.x, shared_w))
        with tf.name_scope("regression"):
            head_r = tf.Variable(r.normal(0, 0.3, (10, 1)).astype("f"))
            self.loss_reg = tf.losses.mean_squared_error(self.y_reg, tf.matmul(hidden, head_r))
        with tf.name_scope("classes"):
            head_c = tf.Variable(r.normal(0, 0.3, (10, 2)).astype("f"))
            self.loss_cls = tf.losses.sparse_softmax_cross_entropy(self.y_cls, tf.matmul(hidden, head_c))
        self.step_reg = tf.Variable(0, trainable=False, name="step_reg")
        self.step_cls = tf.Variable(0, trainable=False, name="step_cls")
        lr_reg = tf.train.exponential_decay(0.1, self.step_reg, 100, 0.5)
        lr_cls = tf.train.exponential_decay(0.5, self.step_cls, 50, 0.5)
        self.rates = [lr_reg, lr_cls]
        self.train_reg = tf.train.GradientDescentOptimizer(lr_reg).minimize(self.loss_reg, self.step_reg)
        self.train_cls = tf.train.GradientDescentOptimizer(lr_cls).minimize(self.loss_cls, self.step_cls)


model = MultiTask()
picks = np.random.RandomState(2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for turn in range(300):
        rows = picks.randint(0, 400, 32)
        if turn % 3 < 2:
            sess.run(model.train_reg, {model.x: X[rows], model.y_reg: Y_REG[rows]})
        else:
            sess.run(model.train_cls, {model.x: X[rows], model.y_cls: Y_CLS[rows]})
    feed = {model.x: X, model.y_reg: Y_REG, model.y_cls: Y_CLS}
    print("losses %.2f %.2f" % tuple(sess.run([model.loss_reg, model.loss_cls], feed)))
    print("steps", sess.run([model.step_reg, model.step_cls]))
    print("rates %.4f %.4f" % tuple(sess.run(model.rates)))
