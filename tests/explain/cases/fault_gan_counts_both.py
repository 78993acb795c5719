# finds: step-counted-twice
# Generator and discriminator both pass the step, so it goes up by two in each turn.
import numpy as np
import tensorflow as tf

Z_DIM = 2


def generator(z):
    with tf.variable_scope("gen"):
        w = tf.get_variable("w", [Z_DIM, 1], initializer=tf.constant_initializer(0.5))
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        return tf.matmul(z, w) + b


def discriminator(x, reuse=False):
    with tf.variable_scope("disc", reuse=reuse):
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.1))
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        return tf.matmul(tf.concat([x, x * x], axis=1), w) + b


real = tf.placeholder(tf.float32, [None, 1])
noise = tf.placeholder(tf.float32, [None, Z_DIM])
fake = generator(noise)
real_logits, fake_logits = discriminator(real), discriminator(fake, reuse=True)


def bce(logits, value):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=value * tf.ones_like(logits)))


d_loss = bce(real_logits, 1.0) + bce(fake_logits, 0.0)
g_loss = bce(fake_logits, 1.0)
global_step = tf.Variable(0, trainable=False)
lr = tf.train.exponential_decay(0.02, global_step, 200, 0.9)
d_train = tf.train.GradientDescentOptimizer(lr).minimize(
    d_loss, global_step, var_list=[v for v in tf.trainable_variables() if v.name.startswith("disc")]
)
g_train = tf.train.GradientDescentOptimizer(lr).minimize(
    g_loss, global_step, var_list=[v for v in tf.trainable_variables() if v.name.startswith("gen")]
)

rng = np.random.RandomState(6)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for it in range(300):
        sess.run(d_train, {real: 1 + 0.5 * rng.randn(32, 1), noise: rng.randn(32, Z_DIM)})
        sess.run(g_train, {noise: rng.randn(32, Z_DIM)})
        if (it + 1) % 100 == 0:
            print("iteration %d, lr %.4g, step %d" % (it + 1, sess.run(lr), sess.run(global_step)))
