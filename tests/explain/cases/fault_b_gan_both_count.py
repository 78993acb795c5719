# finds: step-counted-twice
# Both of the GAN's optimizers get the step, so each turn counts 2 and the rate falls twice as fast as DECAY_STEPS says.
import numpy as np
import tensorflow as tf

ITERS = 200
DECAY_STEPS = 100

rng = np.random.RandomState(10)


def linear(x, size, scope):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        n = int(x.shape[-1])
        start = np.random.RandomState(size).normal(0, 0.5, (n, size)).astype(np.float32)
        w = tf.get_variable("w", initializer=start)
        b = tf.get_variable("b", initializer=np.zeros(size, np.float32))
        return tf.matmul(x, w) + b


def G(z):
    return linear(tf.nn.relu(linear(z, 6, "G/1")), 1, "G/2")


def D(x):
    return tf.sigmoid(linear(tf.nn.tanh(linear(x, 5, "D/1")), 1, "D/2"))


X = tf.placeholder(tf.float32, [None, 1])
Z = tf.placeholder(tf.float32, [None, 2])
fake = G(Z)
D_loss = -tf.reduce_mean(tf.log(D(X) + 1e-6) + tf.log(1.0 - D(fake) + 1e-6))
G_loss = -tf.reduce_mean(tf.log(D(fake) + 1e-6))
theta_D = tf.trainable_variables("D")
theta_G = tf.trainable_variables("G")

global_step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.05, global_step, DECAY_STEPS, 0.5, staircase=True)
D_solver = tf.train.GradientDescentOptimizer(lr).minimize(D_loss, global_step=global_step, var_list=theta_D)
G_solver = tf.train.GradientDescentOptimizer(lr).minimize(G_loss, global_step=global_step, var_list=theta_G)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for it in range(ITERS):
        sess.run(D_solver, {X: rng.normal(1, 0.2, (16, 1)), Z: rng.uniform(-1, 1, (16, 2))})
        sess.run(G_solver, {Z: rng.uniform(-1, 1, (16, 2))})
        if (it + 1) % 50 == 0:
            print("iteration %d, lr %.3f" % (it + 1, sess.run(lr)))
    print("step", sess.run(global_step))
