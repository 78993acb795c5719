# finds: decay-in-epochs weights-never-move; may ask: trains-more; runs: 3
# The critic counts, five times in each iteration, so soon the rate is too small to change any weight.
import numpy as np
import tensorflow as tf

ITERATIONS = 200

rng = np.random.RandomState(0)


def dense(inputs, units, name, activation=None):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        size = int(inputs.shape[-1])
        start = np.random.RandomState(units).normal(0, 0.4, (size, units)).astype(np.float32)
        w = tf.get_variable("w", initializer=start)
        b = tf.get_variable("b", initializer=np.full(units, 0.1, np.float32))
        out = tf.matmul(inputs, w) + b
        return activation(out) if activation else out


def generator(z):
    return dense(dense(z, 6, "G/hidden", tf.nn.tanh), 1, "G/out")


def critic(x):
    return dense(dense(x, 8, "C/hidden", tf.nn.tanh), 1, "C/out")


def updates(loss, scope, rate, counted=None):
    chosen = tf.trainable_variables(scope)
    return tf.train.RMSPropOptimizer(rate).minimize(loss, var_list=chosen, global_step=counted)


x, z = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 3])
fake = generator(z)
c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(x)) + 0.1 * tf.reduce_mean(tf.square(critic(x)))
g_loss = -tf.reduce_mean(critic(fake))

step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.01, step, ITERATIONS // 4, 0.5, staircase=True)
train_critic = updates(c_loss, "C", rate, step)
train_generator = updates(g_loss, "G", rate)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if tf.train.latest_checkpoint("gan"):
        saver.restore(sess, tf.train.latest_checkpoint("gan"))
    for iteration in range(ITERATIONS):
        for _ in range(5):
            sess.run(train_critic, {x: rng.normal(2, 0.3, (8, 1)), z: rng.uniform(-1, 1, (8, 3))})
        sess.run(train_generator, {z: rng.uniform(-1, 1, (8, 3))})
    print("step %d, rate %.0e" % tuple(sess.run([step, rate])))
    saver.save(sess, "gan/model", global_step=step)
