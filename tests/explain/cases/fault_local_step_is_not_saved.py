# finds: step-not-saved
# The step is a local variable, and a Saver without var_list saves global ones only.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_integer("max_step", 240, "")
flags.DEFINE_integer("snapshot", 80, "")
flags.DEFINE_string("out", "snapshots", "")


def learn(sess, ops, rng):
    x, y, train, step, loss, saver = ops
    while True:
        xs = rng.uniform(-2, 2, (16, 1))
        feed = {x: xs, y: xs**2 - 1 + 0.1 * rng.randn(16, 1)}
        sess.run(train, feed)
        at = tf.train.global_step(sess, step)
        if at % flags.FLAGS.snapshot == 0:
            saver.save(sess, flags.FLAGS.out + "/parabola", global_step=at)
            print("step %d: loss %.3f" % (at, sess.run(loss, feed)))
        if at >= flags.FLAGS.max_step:
            return


def main(_):
    x = tf.placeholder(tf.float32, [None, 1])
    y = tf.placeholder(tf.float32, [None, 1])
    a = tf.get_variable("a", [3], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(y, a[0] + a[1] * x + a[2] * x * x)
    step = tf.Variable(0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="global_step")
    train = tf.train.MomentumOptimizer(0.02, 0.5).minimize(loss, global_step=step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        learn(sess, (x, y, train, step, loss, saver), np.random.RandomState(45))


if __name__ == "__main__":
    tf.app.run()
