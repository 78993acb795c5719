# finds: step-starts-over
# To reset its streaming metric the evaluation runs the initializer of all variables: weights and step start over.
import numpy as np
import tensorflow as tf


def streaming_mean(values):
    total = tf.Variable(0.0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="total")
    count = tf.Variable(0.0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="count")
    update = tf.group(tf.assign_add(total, tf.reduce_sum(values)), tf.assign_add(count, tf.to_float(tf.size(values))))
    return total / count, update


rng = np.random.RandomState(23)
train_x = rng.randn(400, 5)
train_y = train_x.dot(rng.randn(5)) + 0.2 * rng.randn(400)
test_x, test_y = train_x[300:], train_y[300:]

x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [5, 1], initializer=tf.zeros_initializer())
errors = tf.square(tf.matmul(x, w)[:, 0] - y)
mean_error, update_error = streaming_mean(errors)
step = tf.train.get_or_create_global_step()
train = tf.train.MomentumOptimizer(0.01, 0.8).minimize(tf.reduce_mean(errors), global_step=step)
init_op = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())


def evaluate(sess):
    for i in range(0, 100, 25):
        sess.run(update_error, {x: test_x[i : i + 25], y: test_y[i : i + 25]})
    result = sess.run(mean_error)
    sess.run(init_op)  # ready for the next evaluation
    return result


with tf.Session() as sess:
    sess.run(init_op)
    for epoch in range(6):
        for i in range(0, 300, 30):
            sess.run(train, {x: train_x[i : i + 30], y: train_y[i : i + 30]})
        print("step %d" % sess.run(step), end=" ")
        print("test error %.3f" % evaluate(sess))
