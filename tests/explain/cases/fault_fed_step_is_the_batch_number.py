# finds: step-starts-over
# The step is a placeholder fed with the number of the batch within its epoch, so each epoch starts at the full rate.
import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("epochs", 6, "")
flags.DEFINE_integer("batch_size", 20, "")
flags.DEFINE_float("lr", 0.3, "")
FLAGS = flags.FLAGS


def make_batches(rng, n):
    xs = rng.uniform(-1, 1, (n, 4)).astype(np.float32)
    ys = (xs[:, 0] * 1.5 - xs[:, 2] + 0.1 * rng.randn(n)).astype(np.float32)
    return [(xs[i : i + FLAGS.batch_size], ys[i : i + FLAGS.batch_size]) for i in range(0, n, FLAGS.batch_size)]


def main(_):
    batches = make_batches(np.random.RandomState(33), 1000)
    x = tf.placeholder(tf.float32, [None, 4])
    y = tf.placeholder(tf.float32, [None])
    now = tf.placeholder(tf.int32, [], name="global_step")
    coef = tf.Variable(np.zeros(4, np.float32), name="coef")
    loss = tf.reduce_mean((tf.reduce_sum(x * coef, axis=1) - y) ** 2)
    rate = tf.train.polynomial_decay(FLAGS.lr, now, FLAGS.epochs * len(batches), 0.001)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(FLAGS.epochs):
            for number, (xs, ys) in enumerate(batches):
                _, lr = sess.run([train_op, rate], {x: xs, y: ys, now: number})
            print("epoch %d ended with rate %.3f" % (epoch, lr))
        print(np.round(sess.run(coef), 2))


if __name__ == "__main__":
    tf.app.run()
