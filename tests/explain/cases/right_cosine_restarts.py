# finds nothing
# The rate jumps up at each restart, as SGDR means it to.
import numpy as np
import tensorflow as tf

N_STEPS = 420


def model_fn(features):
    k = np.random.RandomState(30)
    with tf.variable_scope("mlp"):
        w = tf.get_variable("w", initializer=(k.randn(3, 12) / 2).astype(np.float32))
        v = tf.get_variable("v", initializer=(k.randn(12, 1) / 4).astype(np.float32))
    return tf.matmul(tf.nn.elu(tf.matmul(features, w)), v)


rng = np.random.RandomState(31)
features = rng.uniform(-1, 1, (150, 3)).astype(np.float32)
targets = features[:, :1] ** 2 + features[:, 1:2] * features[:, 2:]

x_ph = tf.placeholder(tf.float32, (None, 3))
y_ph = tf.placeholder(tf.float32, (None, 1))
loss = tf.reduce_mean(tf.square(model_fn(x_ph) - y_ph))
step = tf.train.create_global_step()
lr = tf.train.cosine_decay_restarts(0.2, step, first_decay_steps=60, t_mul=2.0, m_mul=0.8, alpha=0.01)
train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=tf.train.get_global_step())

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(N_STEPS):
        at = rng.randint(0, 150, 30)
        sess.run(train_op, {x_ph: features[at], y_ph: targets[at]})
        now = sess.run(step)
        if now in (59, 61, 179, 181, 419):
            print("after %d steps the rate is %.3f" % (now, sess.run(lr)))
    print("loss %.2f" % sess.run(loss, {x_ph: features, y_ph: targets}))
