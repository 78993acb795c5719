# finds: average-too-slow
# The exported model is restored from averages with decay 0.999 after only 120 steps: mostly the initial weights.
import numpy as np
import tensorflow as tf


def model(x):
    weights = tf.get_variable("weights", [4, 2], initializer=tf.zeros_initializer())
    bias = tf.get_variable("bias", [2], initializer=tf.zeros_initializer())
    return tf.nn.xw_plus_b(x, weights, bias)


def data(rng, n):
    c = rng.randint(0, 2, n)
    return rng.randn(n, 4) + np.where(c[:, None] == 0, 0.8, -0.8), c


def train(steps):
    rng = np.random.RandomState(26)
    with tf.Graph().as_default():
        x, c = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [None])
        loss = tf.losses.sparse_softmax_cross_entropy(c, model(x))
        step = tf.train.create_global_step()
        update = tf.train.AdagradOptimizer(0.2).minimize(loss, global_step=step)
        averages = tf.train.ExponentialMovingAverage(decay=0.999)
        with tf.control_dependencies([update]):
            train_op = averages.apply()
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(steps):
                xs, cs = data(rng, 32)
                _, value = sess.run([train_op, loss], {x: xs, c: cs})
            print("train loss %.3f" % value)
            return saver.save(sess, "export/model", global_step=step)


def evaluate(checkpoint):
    xs, cs = data(np.random.RandomState(27), 200)
    with tf.Graph().as_default():
        x, c = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [None])
        loss = tf.losses.sparse_softmax_cross_entropy(c, model(x))
        ema = tf.train.ExponentialMovingAverage(0.999)
        saver = tf.train.Saver(ema.variables_to_restore())
        with tf.Session() as sess:
            saver.restore(sess, checkpoint)
            print("eval loss %.3f" % sess.run(loss, {x: xs, c: cs}))


evaluate(train(120))
