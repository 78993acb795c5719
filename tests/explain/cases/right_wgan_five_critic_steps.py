# finds nothing
# The critic trains five times per turn without the step and its weights are clipped; the step means generator updates.
import numpy as np
import tensorflow as tf

N_CRITIC = 5
CLIP = 0.05
ITERATIONS = 250

np_rng = np.random.RandomState(0)


def real_batch(n):
    return np_rng.normal(1.5, 0.3, (n, 2)).astype("float32")


def noise_batch(n):
    return np_rng.normal(0, 1, (n, 3)).astype("float32")


def init(*shape):
    return np_rng.normal(0, 0.05, shape).astype("float32")


with tf.variable_scope("critic"):
    c_w1 = tf.get_variable("w1", initializer=init(2, 6))
    c_w2 = tf.get_variable("w2", initializer=init(6, 1))
with tf.variable_scope("gen"):
    g_w = tf.get_variable("w", initializer=init(3, 2))
    g_b = tf.get_variable("b", initializer=np.zeros(2, "float32"))


def critic(x):
    return tf.matmul(tf.nn.leaky_relu(tf.matmul(x, c_w1)), c_w2)


x = tf.placeholder(tf.float32, [None, 2])
z = tf.placeholder(tf.float32, [None, 3])
gen = tf.matmul(z, g_w) + g_b
c_loss = tf.reduce_mean(critic(gen)) - tf.reduce_mean(critic(x))
g_loss = -tf.reduce_mean(critic(gen))

gen_step = tf.Variable(0, trainable=False, name="gen_step")
rate = tf.train.polynomial_decay(0.04, gen_step, ITERATIONS, 0.005)
train_c = tf.train.RMSPropOptimizer(0.01).minimize(c_loss, var_list=[c_w1, c_w2])
train_g = tf.train.RMSPropOptimizer(rate).minimize(g_loss, var_list=[g_w, g_b], global_step=gen_step)
clip_c = [v.assign(tf.clip_by_value(v, -CLIP, CLIP)) for v in (c_w1, c_w2)]

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(ITERATIONS):
    for _ in range(N_CRITIC):
        sess.run(train_c, {x: real_batch(32), z: noise_batch(32)})
        sess.run(clip_c)
    sess.run(train_g, {z: noise_batch(32)})

print("generator updates", sess.run(gen_step))
print("mean of samples %.1f (real: 1.5)" % sess.run(gen, {z: noise_batch(2000)}).mean())
print("rate %.4f" % sess.run(rate))
