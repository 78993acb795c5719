# finds: rate-starts-over; runs: 2
# After a restore the step goes on, but epoch begins at 0 again, and with it the rate that's fed.
import os

import numpy as np
import tensorflow as tf

EPOCHS, EPOCHS_PER_RUN = 8, 4
BATCHES = 25
CKPT = os.path.join("ckpt", "model")


def learning_rate(epoch):
    return 0.3 * 0.5**epoch


r = np.random.RandomState(53)
features = r.randn(BATCHES * 8, 3).astype(np.float32)
values = (features**2).sum(axis=1, keepdims=True).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
lr = tf.placeholder(tf.float32, [], name="lr")
w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(y, tf.matmul(x**2, w))
global_step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(lr * 0.1).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if tf.train.latest_checkpoint("ckpt"):
        saver.restore(sess, tf.train.latest_checkpoint("ckpt"))
    tf.gfile.MakeDirs("ckpt")
    epochs_left = EPOCHS - sess.run(global_step) // BATCHES
    for epoch in range(min(EPOCHS_PER_RUN, epochs_left)):
        rate = learning_rate(epoch)
        for i in range(BATCHES):
            part = slice(i * 8, i * 8 + 8)
            sess.run(train, {x: features[part], y: values[part], lr: rate})
        print("step %d rate %.4f" % (sess.run(global_step), rate))
    saver.save(sess, CKPT, global_step=global_step)
    print("loss %.2f" % sess.run(loss, {x: features, y: values}))
