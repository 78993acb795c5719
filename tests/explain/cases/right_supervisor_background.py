# finds nothing
# The Supervisor saves and writes summaries in its own threads; the loop never calls either.
import numpy as np
import tensorflow as tf

LOGDIR = "logs/supervised"
MAX_STEP = 300


def build():
    rs = np.random.RandomState(12)
    features = rs.rand(64, 3).astype(np.float32)
    targets = features.sum(axis=1, keepdims=True) * 0.5 + 1 + rs.normal(0, 0.2, (64, 1)).astype(np.float32)
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.squared_difference(tf.matmul(tf.constant(features), w) + b, targets))
    global_step = tf.Variable(0, name="global_step", trainable=False)
    lr = tf.train.inverse_time_decay(0.3, global_step, 100, 0.5)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
    tf.summary.scalar("loss", loss)
    tf.summary.scalar("lr", lr)
    return loss, train_op, global_step


with tf.Graph().as_default():
    loss, train_op, global_step = build()
    sv = tf.train.Supervisor(logdir=LOGDIR, global_step=global_step, save_model_secs=60, save_summaries_secs=30)
    with sv.managed_session() as sess:
        while not sv.should_stop():
            if sess.run(global_step) >= MAX_STEP:
                break
            sess.run(train_op)
        print("done at step %d, loss %.4f" % tuple(sess.run([global_step, loss])))
        sv.saver.save(sess, sv.save_path, global_step=global_step)
        sv.stop()
print(tf.train.latest_checkpoint(LOGDIR))
