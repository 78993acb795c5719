# finds nothing
# tf.cond takes a linear warm-up first and then a decay that starts at step - WARMUP.
import numpy as np
import tensorflow as tf

FLAGS = tf.flags.FLAGS
tf.flags.DEFINE_float("base_lr", 0.4, "")
tf.flags.DEFINE_integer("warmup", 50, "")
tf.flags.DEFINE_integer("steps", 350, "")


def get_learning_rate(step):
    def warm():
        return FLAGS.base_lr * tf.to_float(step + 1) / FLAGS.warmup

    def decay():
        return tf.train.natural_exp_decay(FLAGS.base_lr, step - FLAGS.warmup, 100, 0.7)

    return tf.cond(step < FLAGS.warmup, warm, decay)


def main(argv):
    rs = np.random.RandomState(6)
    x_all = rs.normal(size=(320, 4)).astype(np.float32)
    y_all = np.tanh(x_all.dot(np.array([[0.6], [-0.4], [0.2], [0.9]], np.float32)))
    x = tf.placeholder(tf.float32, [None, 4])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [4, 1], initializer=tf.constant_initializer(0.0))
    loss = tf.losses.huber_loss(y, tf.nn.tanh(tf.matmul(x, w)))
    step = tf.Variable(0, trainable=False, name="global_step", dtype=tf.int32)
    lr = get_learning_rate(step)
    train = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for n in range(FLAGS.steps):
            i = n * 32 % 320
            _, rate = sess.run([train, lr], feed_dict={x: x_all[i : i + 32], y: y_all[i : i + 32]})
            if n % 70 == 0:
                print("%4d %.3f" % (n, rate))
        print("loss %.4f, steps %d" % tuple(sess.run([loss, step], {x: x_all, y: y_all})))


if __name__ == "__main__":
    tf.app.run(main)
