# finds: summary-without-step
# The step for the summaries is read before the loop and never again: all of them are at 0.
import numpy as np
import tensorflow as tf


def scalar(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=float(value))])


def train(iterations=240, every=24):
    rng = np.random.RandomState(76)
    x = tf.placeholder(tf.float32, [None, 5])
    y = tf.placeholder(tf.float32, [None])
    w = tf.get_variable("w", [5], initializer=tf.zeros_initializer())
    prediction = tf.sigmoid(tf.reduce_sum(x * w, axis=1))
    loss = tf.losses.log_loss(y, prediction)
    global_step = tf.train.create_global_step()
    lr = tf.train.exponential_decay(1.0, global_step, 80, 0.7)
    op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("events")
    step = tf.train.global_step(sess, global_step)
    losses = []
    for turn in range(iterations):
        xs = rng.randn(30, 5)
        ys = (xs[:, 0] + xs[:, 4] > 0).astype(np.float32)
        _, value = sess.run([op, loss], {x: xs, y: ys})
        losses.append(value)
        if len(losses) == every:
            writer.add_summary(scalar("loss", np.mean(losses)), step)
            writer.add_summary(scalar("rate", sess.run(lr)), step)
            losses = []
    writer.close()
    print("rate %.4f loss %.3f" % (sess.run(lr), value))
    sess.close()


train()
