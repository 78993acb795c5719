# finds: weights-never-move
# var_list holds the target network, which is overwritten every 20 steps; the network that acts never learns.
import numpy as np
import tensorflow as tf

GAMMA = 0.5


def q_network(state, scope):
    with tf.variable_scope(scope):
        w = tf.get_variable("w", [3, 2], initializer=tf.constant_initializer(0.1))
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
        return tf.matmul(state, w) + b


state = tf.placeholder(tf.float32, [None, 3])
next_state = tf.placeholder(tf.float32, [None, 3])
action = tf.placeholder(tf.int32, [None])
reward = tf.placeholder(tf.float32, [None])

q = q_network(state, "online")
q_next = q_network(next_state, "target")
online = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="online")
target = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="target")
q_taken = tf.reduce_sum(q * tf.one_hot(action, 2), axis=1)
td_error = reward + GAMMA * tf.reduce_max(q_next, axis=1) - q_taken
loss = tf.reduce_mean(tf.square(td_error))
global_step = tf.Variable(0, trainable=False, name="global_step")
train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=global_step, var_list=target)
copy = tf.group(*[t.assign(o) for t, o in zip(target, online)])

rng = np.random.RandomState(38)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(copy)
    for i in range(300):
        s, a = rng.randn(16, 3), rng.randint(0, 2, 16)
        r = np.where(a == 1, s[:, 0], -s[:, 0])
        sess.run(train, {state: s, action: a, reward: r, next_state: rng.randn(16, 3)})
        if i % 20 == 19:
            sess.run(copy)
    print("steps", sess.run(global_step))
    for point in ([1, 0, 0], [-1, 0, 0]):
        print("q: %.2f %.2f" % tuple(sess.run(q, {state: [point]})[0]))
