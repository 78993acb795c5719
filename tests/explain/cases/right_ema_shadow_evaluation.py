# finds nothing
# Averages follow the update by control_dependencies, and a second graph evaluates with variables_to_restore.
import numpy as np
import tensorflow as tf

rnd = np.random.RandomState(90)
XS = rnd.randn(256, 3).astype(np.float32)
YS = (XS.dot(np.array([[1.0], [2.0], [-1.0]])) + rnd.randn(256, 1) * 0.3).astype(np.float32)


def predict(x):
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b


def do_train(steps):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.placeholder(tf.float32, [None, 1])
        loss = tf.losses.mean_squared_error(y, predict(x))
        step = tf.train.get_or_create_global_step()
        sgd = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        ema = tf.train.ExponentialMovingAverage(0.95)
        with tf.control_dependencies([sgd]):
            train_op = tf.group(ema.apply(tf.trainable_variables()))
        sess.run(tf.global_variables_initializer())
        for k in range(steps):
            i = k * 16 % 256
            sess.run(train_op, {x: XS[i : i + 16], y: YS[i : i + 16]})
        print("raw loss %.3f" % sess.run(loss, {x: XS, y: YS}))
        return tf.train.Saver().save(sess, "./averaged", global_step=step)


def do_eval(path):
    with tf.Graph().as_default(), tf.Session() as sess:
        loss = tf.losses.mean_squared_error(YS, predict(tf.constant(XS)))
        to_restore = tf.train.ExponentialMovingAverage(0.95).variables_to_restore()
        tf.train.Saver(to_restore).restore(sess, path)
        print("averaged loss %.3f, from %s" % (sess.run(loss), path))


do_eval(do_train(320))
