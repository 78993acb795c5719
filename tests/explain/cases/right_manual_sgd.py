# finds nothing
# No optimizer: gradients and assign_sub by hand, and the step is counted by an assign_add after all of them.
import numpy as np
import tensorflow as tf

random_state = np.random.RandomState(13)
n, d = 200, 3
X = random_state.randn(n, d).astype(np.float32)
beta = np.array([[0.5], [-1.5], [2.5]], np.float32)
Y = X @ beta

x = tf.placeholder(tf.float32, (None, d))
y = tf.placeholder(tf.float32, (None, 1))
params = [tf.Variable(tf.zeros((d, 1)), name="beta"), tf.Variable(tf.zeros((1,)), name="offset")]
mse = tf.reduce_mean(tf.square(tf.matmul(x, params[0]) + params[1] - y))

t = tf.Variable(0, trainable=False, name="t")
eta = 0.1 / tf.sqrt(1.0 + tf.cast(t, tf.float32) / 50.0)
grads = tf.gradients(mse, params)
with tf.control_dependencies(grads):
    new = [p.assign_sub(eta * g) for p, g in zip(params, grads)]
with tf.control_dependencies(new):
    sgd_step = tf.assign_add(t, 1)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(15):
        shuffled = random_state.permutation(n)
        for batch in np.split(shuffled, 20):
            steps = sess.run(sgd_step, {x: X[batch], y: Y[batch]})
    print("steps %d" % steps)
    print("eta %.4f mse %.4f" % tuple(sess.run([eta, mse], {x: X, y: Y})))
