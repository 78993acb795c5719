# finds: saver-too-early; may find: step-not-saved step-not-restored; runs: 2
# The saver is made before the step exists: the second run gets the weights back, and counts from 0.
import numpy as np
import tensorflow as tf

STEPS_PER_RUN = 150


def build_model(dim):
    x = tf.placeholder(tf.float32, [None, dim])
    y = tf.placeholder(tf.float32, [None, 1])
    kernel = tf.Variable(tf.zeros([dim, 1]), name="kernel")
    loss = tf.reduce_mean(tf.nn.softplus(-y * tf.matmul(x, kernel)))
    return x, y, loss


def main():
    rng = np.random.RandomState(41)
    x, y, loss = build_model(6)
    saver = tf.train.Saver(max_to_keep=1)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.polynomial_decay(0.5, step, 2 * STEPS_PER_RUN, 0.05)
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        latest = tf.train.latest_checkpoint("saved")
        if latest is not None:
            saver.restore(sess, latest)
        stop = min(sess.run(step) + STEPS_PER_RUN, 2 * STEPS_PER_RUN)
        while sess.run(step) < stop:
            xs = rng.randn(20, 6)
            ys = np.sign(xs[:, :1] - xs[:, 1:2] + 0.5 * rng.randn(20, 1))
            sess.run(train, {x: xs, y: ys})
        saver.save(sess, "saved/logistic", step)
        print("step %d rate %.3f loss %.3f" % tuple(sess.run([step, rate, loss], {x: xs, y: ys})))


main()
