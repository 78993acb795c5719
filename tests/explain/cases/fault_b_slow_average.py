# finds: average-too-slow
# With a decay of 0.9999 and no num_updates, 400 updates leave the averages at nearly what they began with.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(67)
x_data = rng.randn(300, 4).astype(np.float32)
y_data = (x_data.dot(np.array([[1.0], [2.0], [3.0], [4.0]])) / 2).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])


def model(getter=None):
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE, custom_getter=getter):
        w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b


loss = tf.losses.mean_squared_error(y, model())
global_step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.1, global_step, 100, 0.9)
sgd = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
ema = tf.train.ExponentialMovingAverage(decay=0.9999)
with tf.control_dependencies([sgd]):
    train_op = ema.apply(tf.trainable_variables())


def averaged(getter, name, *args, **kwargs):
    return ema.average(getter(name, *args, **kwargs))


eval_loss = tf.losses.mean_squared_error(y, model(getter=averaged))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(400):
        i = rng.choice(300, 25)
        sess.run(train_op, {x: x_data[i], y: y_data[i]})
    both = sess.run([loss, eval_loss], {x: x_data, y: y_data})
    print("step %d" % sess.run(global_step), "loss %.2f, with averages %.2f" % tuple(both))
