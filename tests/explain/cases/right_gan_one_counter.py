# finds nothing
# Only the generator's minimize gets the step: one turn of the loop trains both networks and counts once, as it should.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(7)
BATCH = 32


def dense(x, n_out, name):
    n_in = int(x.shape[1])
    w = tf.get_variable(name + "_w", initializer=(rng.randn(n_in, n_out) / np.sqrt(n_in)).astype(np.float32))
    b = tf.get_variable(name + "_b", initializer=np.zeros(n_out, np.float32))
    return tf.matmul(x, w) + b


def generator(z):
    with tf.variable_scope("G"):
        return dense(tf.nn.tanh(dense(z, 8, "h")), 1, "out")


def discriminator(x, reuse=False):
    with tf.variable_scope("D", reuse=reuse):
        return dense(tf.nn.tanh(dense(x, 8, "h")), 1, "out")


z = tf.placeholder(tf.float32, [None, 2])
real = tf.placeholder(tf.float32, [None, 1])
fake = generator(z)
d_real = discriminator(real)
d_fake = discriminator(fake, reuse=True)

d_loss = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=d_real, labels=tf.ones_like(d_real))
    + tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.zeros_like(d_fake))
)
g_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.ones_like(d_fake)))

d_vars = [v for v in tf.trainable_variables() if v.name.startswith("D/")]
g_vars = [v for v in tf.trainable_variables() if v.name.startswith("G/")]
global_step = tf.Variable(0, name="global_step", trainable=False)
lr = tf.train.exponential_decay(0.05, global_step, 100, 0.8)
d_optim = tf.train.GradientDescentOptimizer(lr).minimize(d_loss, var_list=d_vars)
g_optim = tf.train.GradientDescentOptimizer(lr).minimize(g_loss, var_list=g_vars, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for it in range(300):
        noise = rng.uniform(-1, 1, [BATCH, 2])
        batch = 2 + 0.5 * rng.randn(BATCH, 1)
        _, dl = sess.run([d_optim, d_loss], feed_dict={z: noise, real: batch})
        _, gl = sess.run([g_optim, g_loss], feed_dict={z: noise})
        if it % 100 == 99:
            print("iter %d  d_loss %.2f  g_loss %.2f  lr %.4f" % (it + 1, dl, gl, sess.run(lr)))
    print("step:", sess.run(global_step))
