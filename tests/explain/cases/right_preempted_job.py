# finds nothing; runs: 2
# Each job does at most 250 steps before its slot ends; it goes on from the restored step and never beyond TOTAL.
import numpy as np
import tensorflow as tf

TOTAL = 600
STEPS_PER_JOB = 250
CKPT_DIR = "ckpt"

xs = np.linspace(-2, 2, 128).astype(np.float32).reshape(-1, 1)
ys = np.sin(xs)

r = np.random.RandomState(9)
x = tf.constant(xs)
h = tf.nn.tanh(tf.matmul(x, tf.Variable(r.randn(1, 8).astype(np.float32))) + tf.Variable(np.zeros(8, np.float32)))
pred = tf.matmul(h, tf.Variable(0.3 * r.randn(8, 1).astype(np.float32)))
loss = tf.losses.mean_squared_error(ys, pred)
step = tf.train.create_global_step()
lr = tf.train.cosine_decay(0.2, step, TOTAL)
train = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
init = tf.global_variables_initializer()
saver = tf.train.Saver()

with tf.Session() as sess:
    latest = tf.train.latest_checkpoint(CKPT_DIR)
    if latest:
        saver.restore(sess, latest)
    else:
        sess.run(init)
        tf.gfile.MakeDirs(CKPT_DIR)
    first = sess.run(step)
    last = min(first + STEPS_PER_JOB, TOTAL)
    for _ in range(first, last):
        sess.run(train)
    saver.save(sess, CKPT_DIR + "/job", global_step=step)
    print("steps %d to %d: loss %.3f, rate %.3f" % (first, sess.run(step), sess.run(loss), sess.run(lr)))
