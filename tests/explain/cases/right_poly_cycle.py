# finds nothing
# With cycle=True the decay begins again, from lower down, whenever decay_steps are over; the run has three such cycles.
import numpy as np
import tensorflow as tf

rs = np.random.RandomState(2019)
signal = np.cumsum(rs.randn(220)).astype(np.float32)
signal = (signal - signal.mean()) / signal.std()
WINDOW = 5
windows = np.stack([signal[i : i + WINDOW] for i in range(len(signal) - WINDOW)])
following = signal[WINDOW:].reshape(-1, 1)


def train(total_steps, decay_steps):
    past = tf.placeholder(tf.float32, [None, WINDOW], name="past")
    nxt = tf.placeholder(tf.float32, [None, 1], name="next")
    coef = tf.get_variable("coef", [WINDOW, 1], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(nxt, tf.matmul(past, coef))
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.polynomial_decay(0.1, global_step, decay_steps, end_learning_rate=0.001, power=1.0, cycle=True)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        while True:
            pick = rs.choice(len(windows), 32)
            sess.run(train_op, {past: windows[pick], nxt: following[pick]})
            step = sess.run(global_step)
            if step % 80 == 0:
                print("step %d rate %.4f" % (step, sess.run(lr)))
            if step >= total_steps:
                return sess.run(loss, {past: windows, nxt: following})


print("loss %.3f" % train(450, 150))
