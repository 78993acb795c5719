# finds nothing
# Only the body's weights come from the other task's checkpoint; the new task's step begins at 0 on purpose.
import numpy as np
import tensorflow as tf

source = np.random.RandomState(1)
bx = source.randn(200, 5).astype(np.float32)


def body(x):
    with tf.variable_scope("body"):
        w = tf.get_variable("w", initializer=np.random.RandomState(2).randn(5, 7).astype(np.float32) * 0.4)
        return tf.nn.tanh(tf.matmul(x, w))


def head(h, name):
    with tf.variable_scope(name):
        return tf.matmul(h, tf.get_variable("w", [7, 1], initializer=tf.zeros_initializer()))


def fit(task, target, steps, restore_from=None):
    tf.reset_default_graph()
    out = head(body(tf.constant(bx)), task)
    loss = tf.losses.mean_squared_error(target, out)
    global_step = tf.train.create_global_step()
    rate = tf.train.exponential_decay(0.3, global_step, 50, 0.8)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if restore_from:
            body_vars = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="body")
            tf.train.Saver(var_list=body_vars).restore(sess, restore_from)
        for _ in range(steps):
            sess.run(train_op)
        print("%s: step %d loss %.3f" % (task, sess.run(global_step), sess.run(loss)))
        return saver.save(sess, "./" + task, global_step=global_step)


first = fit("sum", np.tanh(bx.sum(axis=1, keepdims=True)), 250)
second = fit("difference", np.tanh(bx[:, :1] - bx[:, 1:2]), 120, restore_from=first)
print(first, second)
