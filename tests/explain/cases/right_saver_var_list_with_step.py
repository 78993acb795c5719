# finds nothing; runs: 2
# The Saver is given its own list, without Momentum's slots, but the step is in it.
import numpy as np
import tensorflow as tf

PATH = "small/model"
JOBS = ((0, 150), (150, 300))

rs = np.random.RandomState(12)
x_np = rs.randn(100, 3).astype(np.float32)
y_np = x_np.dot(np.array([[3.0], [2.0], [1.0]], np.float32))

x = tf.constant(x_np)
with tf.variable_scope("model"):
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(tf.constant(y_np), tf.matmul(x, w))
num_updates = tf.Variable(0, name="num_updates", trainable=False)
lr = tf.train.exponential_decay(0.02, num_updates, 100, 0.5)
train = tf.train.MomentumOptimizer(lr, momentum=0.5).minimize(loss, global_step=num_updates)
saver = tf.train.Saver(tf.trainable_variables() + [num_updates])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    previous = tf.train.latest_checkpoint("small")
    if previous:
        saver.restore(sess, previous)
    else:
        tf.gfile.MakeDirs("small")
    done = sess.run(num_updates)
    for begin, end in JOBS:
        if begin <= done < end:
            for _ in range(end - done):
                sess.run(train)
            saver.save(sess, PATH, global_step=num_updates)
            break
    print("from %d to %d, rate %.4f" % (done, sess.run(num_updates), sess.run(lr)))
