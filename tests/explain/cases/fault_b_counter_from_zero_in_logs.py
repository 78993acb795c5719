# finds: python-counter; runs: 2
# The weights and the step go on after a restore, but the summaries are written at i, which begins at 0 in each run.
import os

import numpy as np
import tensorflow as tf

LOG_DIR = "logs"
ITERATIONS = 200


def get_data():
    rs = np.random.RandomState(1)
    x = rs.uniform(-1, 1, (256, 1)).astype(np.float32)
    return x, x**3


def main():
    data_x, data_y = get_data()
    px = tf.placeholder(tf.float32, [None, 1])
    py = tf.placeholder(tf.float32, [None, 1])
    powers = tf.concat([px, px**2, px**3], axis=1)
    c = tf.get_variable("c", [3, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(powers, c) - py))
    tf.summary.scalar("train_loss", loss)
    summary_op = tf.summary.merge_all()
    step = tf.train.get_or_create_global_step()
    lr = tf.train.exponential_decay(0.5, step, 200, 0.8)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        last = tf.train.latest_checkpoint(LOG_DIR)
        if last:
            saver.restore(sess, last)
        writer = tf.summary.FileWriter(LOG_DIR)
        begin, logged = sess.run(step), None
        for i in range(min(ITERATIONS, 400 - begin)):
            rows = np.random.RandomState(begin + i).randint(0, 256, 32)
            _, summary = sess.run([train_op, summary_op], {px: data_x[rows], py: data_y[rows]})
            if i % 20 == 0:
                writer.add_summary(summary, i)
                logged = i
        writer.close()
        saver.save(sess, os.path.join(LOG_DIR, "model"), global_step=step)
        print("step %d, last summary at %s" % (sess.run(step), logged))


main()
