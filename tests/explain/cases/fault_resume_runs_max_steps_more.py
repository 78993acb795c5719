# finds: trains-more; runs: 2
# The second run restores step 300, finished, and trains max_steps more, all at the rate's end.
import numpy as np
import tensorflow as tf

tf.flags.DEFINE_integer("max_steps", 300, "Total number of training steps.")
tf.flags.DEFINE_float("learning_rate", 0.3, "Initial learning rate.")
tf.flags.DEFINE_string("model_dir", "model", "Checkpoints and summaries.")
FLAGS = tf.flags.FLAGS


def main(_):
    rng = np.random.RandomState(68)
    x = tf.placeholder(tf.float32, [None, 5])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [5, 1], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(y, tf.matmul(x, w))
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.polynomial_decay(FLAGS.learning_rate, global_step, FLAGS.max_steps, 0.01)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        last = tf.train.latest_checkpoint(FLAGS.model_dir)
        if last:
            saver.restore(sess, last)
        print("start at step %d" % sess.run(global_step))
        for _ in range(FLAGS.max_steps):
            xs = rng.rand(10, 5)
            ys = xs.sum(axis=1, keepdims=True) + 0.2 * rng.randn(10, 1)
            sess.run(train_op, feed_dict={x: xs, y: ys})
        saver.save(sess, FLAGS.model_dir + "/model", global_step=global_step)
        print("end at step %d, lr %.3g" % tuple(sess.run([global_step, lr])))


if __name__ == "__main__":
    tf.app.run()
