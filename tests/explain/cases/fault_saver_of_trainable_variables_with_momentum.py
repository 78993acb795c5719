# finds: step-not-saved; may find: step-not-restored; runs: 2
# The saver holds the trainable variables, so it leaves out the step, and the momenta too.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(58)
rooms = rng.uniform(1, 6, (240, 1)).astype(np.float32)
rent = (310 * rooms + 150 + rng.normal(0, 40, (240, 1))).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 1])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(y, tf.matmul(x, w) + b)
global_step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.005, global_step, 40, 0.8)
train_op = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=global_step)
saver = tf.train.Saver([v for v in tf.trainable_variables()])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    latest = tf.train.latest_checkpoint("rent")
    if latest:
        saver.restore(sess, latest)
    for i in range(60):
        rows = rng.randint(0, 240, 24)
        sess.run(train_op, {x: rooms[rows], y: rent[rows]})
    print(saver.save(sess, "rent/model"), "%.0f" % sess.run(loss, {x: rooms, y: rent}))
