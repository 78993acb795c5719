# finds: step-stuck; may find: rate-never-moves; may ask: slots-not-restored
# The old checkpoint's float32 step is close to 2**24: after the restore it counts a little and then no longer.
import numpy as np
import tensorflow as tf

OLD = "pretrained/tagger"
MORE_STEPS = 300


def graph():
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    step = tf.get_variable("global_step", [], initializer=tf.zeros_initializer(), trainable=False)
    loss = tf.losses.mean_squared_error(y, tf.matmul(x, w))
    return x, y, w, step, loss


def export_old_run():
    _, _, w, step, _ = graph()
    with tf.Session() as sess:
        sess.run([w.initializer, step.initializer])
        sess.run(tf.assign(w, [[0.3], [0.1], [-0.2]]))
        sess.run(tf.assign(step, 16777080.0))
        tf.train.Saver().save(sess, OLD)


export_old_run()
x, y, w, step, loss = graph()
lr = tf.train.piecewise_constant(step, [16777300.0], [0.02, 0.005])
train_op = tf.train.AdamOptimizer(lr).minimize(loss, global_step=step)
saver = tf.train.Saver([w, step])

rng = np.random.RandomState(10)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, OLD)
    begin = sess.run(step)
    for _ in range(MORE_STEPS):
        batch = rng.randn(16, 3)
        sess.run(train_op, {x: batch, y: batch.sum(axis=1, keepdims=True) + 0.3 * rng.randn(16, 1)})
    print("counted %d" % (sess.run(step) - begin))
    print("loss %.3f" % sess.run(loss, {x: batch, y: batch.sum(axis=1, keepdims=True)}))
