# finds: updates-race
# The clipping is fetched beside the critic's train op: it may clip the weights before the update, or lose the update.
import numpy as np
import tensorflow as tf

BATCH = 32

real_in = tf.placeholder(tf.float32, [BATCH, 2], name="real")
z_in = tf.placeholder(tf.float32, [BATCH, 2], name="z")


def generate(z):
    with tf.variable_scope("G"):
        shift = tf.get_variable("shift", [2], initializer=tf.zeros_initializer())
    return z + shift


def criticize(points):
    with tf.variable_scope("D", reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.01))
    return tf.matmul(points, w)


fakes = generate(z_in)
d_loss = tf.reduce_mean(criticize(fakes)) - tf.reduce_mean(criticize(real_in))
g_loss = -tf.reduce_mean(criticize(fakes))
d_vars, g_vars = tf.trainable_variables("D"), tf.trainable_variables("G")
global_step = tf.train.get_or_create_global_step()
d_op = tf.train.RMSPropOptimizer(0.01).minimize(d_loss, var_list=d_vars)
g_op = tf.train.RMSPropOptimizer(0.01).minimize(g_loss, var_list=g_vars, global_step=global_step)
clip_d = [p.assign(tf.clip_by_value(p, -0.05, 0.05)) for p in d_vars]

rng = np.random.RandomState(63)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while sess.run(global_step) < 100:
        for _ in range(3):
            sess.run([d_op, clip_d], {real_in: rng.randn(BATCH, 2) + [1.0, -1.0], z_in: rng.randn(BATCH, 2)})
        sess.run(g_op, {z_in: rng.randn(BATCH, 2)})
    print("generator steps: %d" % sess.run(global_step))
    print("moved the right way:", (sess.run(g_vars[0]) * [1.0, -1.0] > 0).tolist())
