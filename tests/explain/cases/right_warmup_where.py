# finds nothing
# tf.where computes both branches; the one not taken yet is above the base rate, but never used.
import numpy as np
import tensorflow as tf

batch, n_epochs, warm_epochs = 16, 8, 2
data = np.random.RandomState(77)
feats = data.rand(480, 5).astype(np.float32)
price = (feats.dot([2.0, 1.0, 0.0, -1.0, 0.5]) + 0.1).astype(np.float32)
per_epoch = len(feats) // batch
warm_steps = warm_epochs * per_epoch

X = tf.placeholder(tf.float32, [None, 5])
P = tf.placeholder(tf.float32, [None])
theta = tf.get_variable("theta", initializer=tf.zeros([5, 1]))
bias = tf.get_variable("bias", initializer=tf.zeros([]))
err = tf.squeeze(tf.matmul(X, theta), 1) + bias - P
mse = tf.reduce_mean(err**2)

gstep = tf.train.get_or_create_global_step()
base = 0.15
warm_lr = base * tf.cast(gstep, tf.float32) / warm_steps
main_lr = tf.train.exponential_decay(base, gstep - warm_steps, per_epoch, 0.8)
lr = tf.where(gstep < warm_steps, warm_lr, main_lr)
opt_op = tf.train.MomentumOptimizer(lr, 0.8, use_nesterov=True).minimize(mse, gstep)

with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for epoch in range(n_epochs):
        order = data.permutation(len(feats))
        for k in range(per_epoch):
            b = order[k * batch : (k + 1) * batch]
            s.run(opt_op, {X: feats[b], P: price[b]})
        print("epoch %d lr %.3f" % (epoch + 1, s.run(lr)))
    print("mse %.3f" % s.run(mse, {X: feats, P: price}))
