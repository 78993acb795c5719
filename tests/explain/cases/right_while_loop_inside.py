# finds nothing
# A tf.while_loop counts its own turns in a tensor called step; the global step counts updates, and both are needed.
import numpy as np
import tensorflow as tf

TIME, UNITS = 8, 6


def rnn(inputs, w_in, w_rec):
    """Runs over time and returns the last state."""

    def condition(step, state):
        return step < TIME

    def body(step, state):
        new = tf.tanh(tf.matmul(inputs[:, step : step + 1], w_in) + tf.matmul(state, w_rec))
        return step + 1, new

    step = tf.constant(0)
    state = tf.zeros([tf.shape(inputs)[0], UNITS])
    _, last = tf.while_loop(condition, body, [step, state])
    return last


rs = np.random.RandomState(8)
sequences = rs.uniform(-1, 1, (160, TIME)).astype(np.float32)
sums = sequences[:, -3:].sum(axis=1, keepdims=True)

seq = tf.placeholder(tf.float32, [None, TIME])
want = tf.placeholder(tf.float32, [None, 1])
w_in = tf.get_variable("w_in", initializer=rs.normal(0, 0.5, (1, UNITS)).astype(np.float32))
w_rec = tf.get_variable("w_rec", initializer=rs.normal(0, 0.3, (UNITS, UNITS)).astype(np.float32))
w_out = tf.get_variable("w_out", initializer=rs.normal(0, 0.3, (UNITS, 1)).astype(np.float32))
loss = tf.reduce_mean(tf.square(tf.matmul(rnn(seq, w_in, w_rec), w_out) - want))

global_step = tf.train.create_global_step()
learning_rate = tf.train.inverse_time_decay(0.1, global_step, 100, 0.5)
opt = tf.train.GradientDescentOptimizer(learning_rate)
gradients, variables = zip(*opt.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
train_op = opt.apply_gradients(zip(gradients, variables), global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        j = rs.randint(0, 160, 32)
        sess.run(train_op, {seq: sequences[j], want: sums[j]})
    print("global step", tf.train.global_step(sess, global_step))
    print("loss %.2f" % sess.run(loss, {seq: sequences, want: sums}))
