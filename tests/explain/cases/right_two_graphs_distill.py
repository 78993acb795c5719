# finds nothing
# Two graphs in one script: each has its own step, and neither needs the other's.
import numpy as np
import tensorflow as tf

data = np.random.RandomState(44).uniform(-1, 1, (200, 2)).astype(np.float32)
truth = (np.hypot(data[:, 0], data[:, 1]) < 0.7).astype(np.float32)[:, None]


def mlp(x, hidden, seed):
    rs = np.random.RandomState(seed)
    w0 = tf.Variable(rs.randn(2, hidden).astype(np.float32))
    b0 = tf.Variable(rs.randn(hidden).astype(np.float32))
    w1 = tf.Variable((rs.randn(hidden, 1) * 0.1).astype(np.float32))
    b1 = tf.Variable(np.zeros(1, np.float32))
    return tf.matmul(tf.nn.tanh(tf.matmul(x, w0) + b0), w1) + b1


teacher_graph = tf.Graph()
with teacher_graph.as_default():
    logits = mlp(tf.constant(data), 20, seed=1)
    loss = tf.losses.sigmoid_cross_entropy(truth, logits)
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.05).minimize(loss, step)
    soft = tf.sigmoid(logits)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(300):
            sess.run(train)
        soft_targets = sess.run(soft)
        print("teacher: step %d, loss %.1f" % tuple(sess.run([step, loss])))

student_graph = tf.Graph()
with student_graph.as_default():
    soft = tf.constant(soft_targets)
    logits = mlp(tf.constant(data), 6, seed=2)
    loss = tf.losses.mean_squared_error(soft, tf.sigmoid(logits))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.polynomial_decay(0.1, step, 200, 0.01)
    train = tf.train.AdamOptimizer(rate).minimize(loss, step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(200):
            sess.run(train)
        print("student: step %d, rate %.3f" % tuple(sess.run([step, rate])))
        print("student agrees: %.1f" % np.mean((sess.run(logits) > 0) == (soft_targets > 0.5)))
