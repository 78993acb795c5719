# finds nothing
# exponential_decay gives the chance of exploring, not a rate; Adam's is constant, and the target net is copied.
import numpy as np
import tensorflow as tf

N_STATES, N_ACTIONS, GAMMA = 6, 2, 0.8
TARGET_UPDATE = 25
rs = np.random.RandomState(3)


def environment(s, a):
    s2 = min(s + 1, N_STATES - 1) if a == 1 else max(s - 1, 0)
    return s2, float(s2 == N_STATES - 1)


def q_net(states, scope):
    with tf.variable_scope(scope):
        table = tf.get_variable("q", [N_STATES, N_ACTIONS], initializer=tf.zeros_initializer())
        return tf.matmul(tf.one_hot(states, N_STATES), table)


s_ph = tf.placeholder(tf.int32, [None])
a_ph = tf.placeholder(tf.int32, [None])
r_ph = tf.placeholder(tf.float32, [None])
s2_ph = tf.placeholder(tf.int32, [None])
q = q_net(s_ph, "online")
q_target = q_net(s2_ph, "target")
y = r_ph + GAMMA * tf.reduce_max(q_target, axis=1)
td = tf.stop_gradient(y) - tf.reduce_sum(q * tf.one_hot(a_ph, N_ACTIONS), axis=1)
online = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="online")
target = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target")
global_step = tf.Variable(0, name="global_step", trainable=False)
epsilon = tf.train.exponential_decay(1.0, global_step, 200, 0.5)
train = tf.train.AdamOptimizer(0.05).minimize(tf.reduce_mean(td**2), global_step=global_step, var_list=online)
copy = [t.assign(o) for o, t in zip(online, target)]

memory, s = [], 0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(copy)
    for t in range(400):
        if rs.rand() < sess.run(epsilon):
            a = rs.randint(N_ACTIONS)
        else:
            a = int(np.argmax(sess.run(q, {s_ph: [s]})))
        s2, reward = environment(s, a)
        memory.append((s, a, reward, s2))
        s = s2 if t % 10 else rs.randint(N_STATES)
        states, actions, rewards, nexts = zip(*[memory[i] for i in rs.randint(0, len(memory), 16)])
        sess.run(train, {s_ph: states, a_ph: actions, r_ph: rewards, s2_ph: nexts})
        if t % TARGET_UPDATE == 0:
            sess.run(copy)
    print("epsilon %.2f after %d updates" % tuple(sess.run([epsilon, global_step])))
    print("greedy actions", np.argmax(sess.run(q, {s_ph: range(N_STATES)}), axis=1))
