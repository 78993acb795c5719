# finds: decay-in-epochs
# decay_steps=10 was meant as ten epochs, but the step counts batches: the rate is nearly 0 within the first epochs.
import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--batch_size", type=int, default=10)
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--lr_decay", type=float, default=0.5)
parser.add_argument("--lr_decay_epochs", type=int, default=10)
args = parser.parse_args()

gen = np.random.RandomState(25)
x_train = gen.rand(200, 8).astype(np.float32)
y_train = (x_train[:, :4].sum(axis=1) > x_train[:, 4:].sum(axis=1)).astype(np.int32)
n_batches = len(x_train) // args.batch_size

x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.int32, [None])
w = tf.get_variable("w", [8, 2], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.matmul(x, w)))
step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(args.lr, step, args.lr_decay_epochs, args.lr_decay, staircase=True)
train_op = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(args.epochs):
        perm = gen.permutation(len(x_train))
        for b in range(n_batches):
            rows = perm[b * args.batch_size : (b + 1) * args.batch_size]
            sess.run(train_op, {x: x_train[rows], y: y_train[rows]})
        if epoch % 5 == 0:
            print("epoch %d loss %.2f lr %.0e" % (epoch, sess.run(loss, {x: x_train, y: y_train}), sess.run(lr)))
