# finds: rate-never-moves
# The schedule reads a Python number, which is counted in the loop; the tensor was built with its first value, 0.
import numpy as np
import tensorflow as tf

START_LR = 0.3
N_ITER = 250

r = np.random.RandomState(52)
points = r.normal(size=(180, 2)).astype(np.float32)
heights = (points[:, 0] - 0.5 * points[:, 1] + 1).reshape(-1, 1)


def build(current_iter):
    x = tf.placeholder(tf.float32, [None, 2], name="points")
    h = tf.placeholder(tf.float32, [None, 1], name="heights")
    plane = tf.get_variable("plane", [2, 1], initializer=tf.zeros_initializer())
    level = tf.get_variable("level", [1], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(h, tf.matmul(x, plane) + level)
    lr = tf.train.polynomial_decay(START_LR, current_iter, N_ITER, end_learning_rate=0.001, power=2.0)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss)
    return x, h, loss, lr, train_op


current_iter = 0
x, h, loss, lr, train_op = build(current_iter)
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    while current_iter < N_ITER:
        i = r.randint(0, 180, 18)
        sess.run(train_op, {x: points[i], h: heights[i]})
        current_iter += 1
        if current_iter % 50 == 0:
            print("%d: lr %.3f loss %.3f" % (current_iter, lr.eval(), loss.eval({x: points, h: heights})))
