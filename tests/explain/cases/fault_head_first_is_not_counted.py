# asks: step-not-passed
# The first 150 steps train only the head and count nothing, so decay and checkpoint names lag behind by 150.
import numpy as np
import tensorflow as tf

tf.flags.DEFINE_integer("head_steps", 150, "Steps in which only the head is trained.")
tf.flags.DEFINE_integer("steps", 300, "Steps in which everything is trained.")
tf.flags.DEFINE_string("model_dir", "model", "Where checkpoints go.")
FLAGS = tf.flags.FLAGS


def network(x):
    rng = np.random.RandomState(0)
    with tf.variable_scope("body"):
        w = tf.get_variable("w", initializer=rng.randn(10, 10).astype(np.float32) * 0.3)
        h = tf.nn.relu(tf.matmul(x, w))
    with tf.variable_scope("head"):
        v = tf.get_variable("v", shape=[10, 1], initializer=tf.zeros_initializer())
        return tf.matmul(h, v)


def main(unused_argv):
    rng = np.random.RandomState(1)
    x = tf.placeholder(tf.float32, [None, 10])
    y = tf.placeholder(tf.float32, [None, 1])
    loss = tf.reduce_mean(tf.squared_difference(network(x), y))
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.exponential_decay(0.05, global_step, 100, 0.8)
    opt = tf.train.GradientDescentOptimizer(lr)
    head_op = opt.minimize(loss, var_list=tf.trainable_variables("head"))
    full_op = opt.minimize(loss, global_step=global_step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(FLAGS.head_steps + FLAGS.steps):
            batch = rng.randn(32, 10)
            feed = {x: batch, y: np.abs(batch[:, :1]) + 0.1 * rng.randn(32, 1)}
            sess.run(head_op if i < FLAGS.head_steps else full_op, feed)
        saver.save(sess, FLAGS.model_dir + "/net", global_step=global_step)
        print("loss %.3g, step %d" % (sess.run(loss, feed), sess.run(global_step)))


if __name__ == "__main__":
    tf.app.run()
