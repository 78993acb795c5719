# finds: average-too-slow
# After 300 steps an average with decay 0.9999 and without num_updates is still 97 % initial values.
import numpy as np
import tensorflow as tf

MOVING_AVERAGE_DECAY = 0.9999
STEPS = 300

rng = np.random.RandomState(25)
x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")


def inference(inputs, getter=None):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE, custom_getter=getter):
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.matmul(inputs, w) + b


loss = tf.reduce_mean(tf.square(inference(x) - y))
global_step = tf.Variable(0, trainable=False, name="global_step")
rate = tf.train.exponential_decay(0.1, global_step, 100, 0.8)
apply_gradient_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)

ema = tf.train.ExponentialMovingAverage(MOVING_AVERAGE_DECAY)
with tf.control_dependencies([apply_gradient_op]):
    train_op = ema.apply(tf.trainable_variables())


def averaged(getter, name, *args, **kwargs):
    return ema.average(getter(name, *args, **kwargs))


eval_loss = tf.reduce_mean(tf.square(inference(x, averaged) - y))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(STEPS):
        xs = rng.randn(20, 3)
        ys = xs.dot([[1.0], [-1.0], [2.0]]) + 1 + 0.1 * rng.randn(20, 1)
        sess.run(train_op, {x: xs, y: ys})
    print("loss %.3f, with averages %.2f" % tuple(sess.run([loss, eval_loss], {x: xs, y: ys})))
