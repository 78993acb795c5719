# finds: step-counted-twice
# Critic and generator updates all count on one resource step: six per turn, so 60 turns end a run of 360.
import numpy as np
import tensorflow as tf

N_CRITIC = 5
MAX_ITERATIONS = 360
CLIP = 0.1

step = tf.get_variable(
    "global_step",
    initializer=np.int64(0),
    trainable=False,
    collections=[tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.GLOBAL_STEP],
    use_resource=True,
)
x_real = tf.placeholder(tf.float32, [None, 2])
z = tf.placeholder(tf.float32, [None, 2])

with tf.variable_scope("generator", use_resource=True):
    g_w = tf.get_variable("w", initializer=np.eye(2, dtype=np.float32))
    g_b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
x_fake = tf.matmul(z, g_w) + g_b

with tf.variable_scope("critic", use_resource=True):
    c_w = tf.get_variable("w", initializer=np.float32([[0.05, -0.05, 0.02], [0.01, 0.03, -0.04]]))
    c_v = tf.get_variable("v", initializer=np.float32([[0.1], [-0.1], [0.1]]))


def critic(x):
    return tf.matmul(tf.nn.leaky_relu(tf.matmul(x, c_w)), c_v)


critic_loss = tf.reduce_mean(critic(x_fake)) - tf.reduce_mean(critic(x_real))
gen_loss = -tf.reduce_mean(critic(x_fake))
critic_opt = tf.train.RMSPropOptimizer(5e-3)
critic_step = critic_opt.minimize(critic_loss, global_step=step, var_list=[c_w, c_v])
gen_step = tf.train.RMSPropOptimizer(5e-3).minimize(gen_loss, global_step=step, var_list=[g_w, g_b])
with tf.control_dependencies([critic_step]):
    clip_op = tf.group(*[v.assign(tf.clip_by_value(v.read_value(), -CLIP, CLIP)) for v in (c_w, c_v)])

rng = np.random.RandomState(64)
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=MAX_ITERATIONS)]) as sess:
    turns = 0
    while not sess.should_stop():
        for _ in range(N_CRITIC):
            sess.run(clip_op, {x_real: rng.randn(16, 2) + [2, -1], z: rng.randn(16, 2)})
        if sess.should_stop():
            break
        value, _ = sess.run([gen_loss, gen_step], {z: rng.randn(16, 2)})
        turns += 1
    print("turns %d, generator loss %.3f" % (turns, value))
