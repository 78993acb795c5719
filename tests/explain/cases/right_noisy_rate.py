# finds nothing
# The noise lets the rate rise now and then; on the whole it falls.
import numpy as np
import tensorflow as tf

ITERS = 300
A = np.random.RandomState(14).randn(40, 6).astype(np.float32)
best = np.arange(6, dtype=np.float32).reshape(6, 1) / 6
rhs = A.dot(best)

v = tf.Variable(tf.zeros([6, 1]), name="solution")
residual = tf.reduce_mean((tf.matmul(A, v) - rhs) ** 2)
t = tf.Variable(0, trainable=False, name="t")
lr = tf.train.noisy_linear_cosine_decay(0.2, t, ITERS, initial_variance=0.05, variance_decay=0.8, beta=0.01)
lr = tf.maximum(lr, 1e-3)
descend = tf.train.GradientDescentOptimizer(lr).minimize(residual, global_step=t)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    before = sess.run(residual)
    for _ in range(ITERS):
        sess.run(descend)
    print("residual %.3f -> %.3f after %d steps" % (before, sess.run(residual), sess.run(t)))
    print("last entries of the solution %.2f %.2f" % tuple(sess.run(v)[4:, 0]))
