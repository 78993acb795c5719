# finds nothing; runs: 3
# In its third run, the script has passed both boundaries, so its rate stays the same to the end.
import os

import numpy as np
import tensorflow as tf

PER_RUN = 30

start = np.random.RandomState(1).uniform(-1, 1, (4, 1)).astype(np.float32)
w = tf.get_variable("w", initializer=start)
loss = tf.reduce_sum(tf.square(w - 0.5))
step = tf.train.create_global_step()
rate = tf.train.piecewise_constant(step, [20, 45], [0.05, 0.02, 0.005])
train = tf.train.MomentumOptimizer(rate, 0.5).minimize(loss, global_step=step)
saver = tf.train.Saver()

with tf.Session() as sess:
    latest = tf.train.latest_checkpoint("run")
    if latest:
        saver.restore(sess, latest)
    else:
        sess.run(tf.global_variables_initializer())
    until = sess.run(step) + PER_RUN
    while sess.run(step) < until:
        sess.run(train)
    print("step %d rate %.3f loss %.4f" % tuple(sess.run([step, rate, loss])))
    saver.save(sess, os.path.join("run", "model"), global_step=step)
