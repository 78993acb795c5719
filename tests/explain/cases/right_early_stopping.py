# finds nothing
# Training ends long before MAX_STEPS, when the validation loss no longer falls; then the best weights are restored.
import numpy as np
import tensorflow as tf

MAX_STEPS = 5000
PATIENCE = 5
EVAL_EVERY = 20

rs = np.random.RandomState(23)
x_all = rs.randn(60, 20).astype(np.float32)
y_all = (x_all[:, :1] - x_all[:, 1:2] + 0.5 * rs.randn(60, 1)).astype(np.float32)
x_tr, y_tr, x_va, y_va = x_all[:30], y_all[:30], x_all[30:], y_all[30:]

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([20, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
global_step = tf.Variable(0, name="global_step", trainable=False)
train_op = tf.train.GradientDescentOptimizer(0.005).minimize(loss, global_step=global_step)
saver = tf.train.Saver(max_to_keep=1)

best, bad = np.inf, 0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(MAX_STEPS):
        sess.run(train_op, {x: x_tr, y: y_tr})
        if (i + 1) % EVAL_EVERY:
            continue
        val = sess.run(loss, {x: x_va, y: y_va})
        if val < best:
            best, bad = val, 0
            saver.save(sess, "./best", global_step=global_step)
        else:
            bad += 1
            if bad == PATIENCE:
                print("early stop at", sess.run(global_step))
                break
    saver.restore(sess, tf.train.latest_checkpoint("."))
    print("best validation loss %.2f at step %d" % (sess.run(loss, {x: x_va, y: y_va}), sess.run(global_step)))
