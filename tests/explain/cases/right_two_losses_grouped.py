# finds nothing
# Two optimizers in one tf.group, their losses apart from each other: nothing that one writes is read by the other.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(66)
obs = rng.randn(250, 3).astype(np.float32)
returns = (obs[:, :1] * 1.2 + 0.4).astype(np.float32)
actions = (obs[:, 1] > obs[:, 2]).astype(np.int32)


def build_policy(x, a):
    with tf.variable_scope("policy"):
        w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
        return tf.losses.sparse_softmax_cross_entropy(a, tf.matmul(x, w))


def build_value(x, ret):
    with tf.variable_scope("value"):
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        return tf.losses.mean_squared_error(ret, tf.matmul(x, w) + b)


x_ph = tf.placeholder(tf.float32, [None, 3])
a_ph = tf.placeholder(tf.int32, [None])
ret_ph = tf.placeholder(tf.float32, [None, 1])
policy_loss = build_policy(x_ph, a_ph)
value_loss = build_value(x_ph, ret_ph)
global_step = tf.train.get_or_create_global_step()
policy_lr = tf.train.polynomial_decay(0.5, global_step, 250, 0.05)
policy_opt = tf.train.RMSPropOptimizer(policy_lr * 0.1)
value_opt = tf.train.GradientDescentOptimizer(0.05)
train_op = tf.group(
    policy_opt.minimize(policy_loss, var_list=tf.trainable_variables("policy"), global_step=global_step),
    value_opt.minimize(value_loss, var_list=tf.trainable_variables("value")),
)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(250):
        i = rng.choice(250, 25)
        sess.run(train_op, {x_ph: obs[i], a_ph: actions[i], ret_ph: returns[i]})
    full = {x_ph: obs, a_ph: actions, ret_ph: returns}
    print("policy %.2f value %.3f" % tuple(sess.run([policy_loss, value_loss], full)))
    print("step %d policy rate %.3f" % tuple(sess.run([global_step, policy_lr])))
