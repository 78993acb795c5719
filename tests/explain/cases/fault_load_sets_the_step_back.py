# finds: step-starts-over
# Whenever the validation gets worse, the best weights are put back with load(), and the step becomes 0 with them.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(51)
true_w = rng.randn(6, 1)


def sample(n):
    xs = rng.randn(n, 6)
    return xs, xs.dot(true_w) + 0.5 * rng.randn(n, 1)


x = tf.placeholder(tf.float64, [None, 6])
y = tf.placeholder(tf.float64, [None, 1])
w = tf.get_variable("w", dtype=tf.float64, initializer=np.zeros((6, 1)), use_resource=True)
mse = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
step = tf.get_variable("step", dtype=tf.int64, initializer=np.int64(0), trainable=False, use_resource=True)
lr = tf.train.cosine_decay(0.2, step, 200)
train = tf.train.GradientDescentOptimizer(lr).minimize(mse, global_step=step)

valid_x, valid_y = sample(60)
best, best_error = None, np.inf
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for round_ in range(10):
        for _ in range(20):
            xs, ys = sample(5)
            sess.run(train, {x: xs, y: ys})
        error = sess.run(mse, {x: valid_x, y: valid_y})
        print("round %d step %d validation %.3f" % (round_, sess.run(step), error))
        if error < best_error:
            best, best_error = sess.run(w), error
        else:
            w.load(best, sess)
            step.load(0, sess)
