# finds: weights-never-move
# Both layers start at zero, so behind the ReLU all gradients are zero, for ever.
import numpy as np
import tensorflow as tf


def fully_connected(inputs, units, scope, activation=None):
    n = inputs.get_shape().as_list()[-1]
    with tf.variable_scope(scope):
        weights = tf.get_variable("weights", [n, units], initializer=tf.zeros_initializer())
        out = tf.matmul(inputs, weights)
    return activation(out) if activation else out


class Net(object):
    def __init__(self, lr=0.1):
        self.images = tf.placeholder(tf.float32, [None, 20])
        self.labels = tf.placeholder(tf.int32, [None])
        h = fully_connected(self.images, 10, "fc1", tf.nn.relu)
        logits = fully_connected(h, 3, "fc2")
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.labels, logits)
        self.step = tf.train.get_or_create_global_step()
        self.rate = tf.train.inverse_time_decay(lr, self.step, 100, 1.0)
        opt = tf.train.MomentumOptimizer(self.rate, 0.9)
        self.train_op = opt.minimize(self.loss, global_step=self.step)


rng = np.random.RandomState(16)
protos = rng.randn(3, 20)
net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        losses = []
        for _ in range(60):
            k = rng.randint(0, 3, 20)
            _, l = sess.run([net.train_op, net.loss], {net.images: protos[k] + rng.randn(20, 20), net.labels: k})
            losses.append(l)
        print("Epoch %d: loss %.4f, step %d" % (epoch + 1, np.mean(losses), sess.run(net.step)))
