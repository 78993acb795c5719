# finds: step-trained; may find: step-never-moves rate-never-moves
# All trainable variables are clipped after each update, and the step is one of them.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(88)
mean_real, mean_fake = np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.2, 0.0])

a = tf.placeholder(tf.float32, [None, 3], name="a")
b = tf.placeholder(tf.float32, [None, 3], name="b")


def score(inputs, scope="critic"):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        w1 = tf.get_variable("w1", initializer=np.float32([[0.02, -0.01], [0.01, 0.02], [0.0, 0.01]]))
        w2 = tf.get_variable("w2", initializer=np.float32([[0.02], [-0.01]]))
        return tf.matmul(tf.nn.softplus(tf.matmul(inputs, w1)), w2)


distance = tf.reduce_mean(score(a)) - tf.reduce_mean(score(b))
num_steps = tf.get_variable("num_steps", [], initializer=tf.zeros_initializer())
rate = tf.train.natural_exp_decay(0.05, num_steps, 100, 0.5)
update = tf.train.GradientDescentOptimizer(rate).minimize(-distance, global_step=num_steps)
with tf.control_dependencies([update]):
    clipped = [tf.assign(v, tf.clip_by_value(v.read_value(), -0.5, 0.5)) for v in tf.trainable_variables()]
    train = tf.group(*clipped)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(300):
        feed = {a: mean_real + rng.randn(32, 3), b: mean_fake + rng.randn(32, 3)}
        sess.run(train, feed_dict=feed)
    print("distance %.3f" % sess.run(distance, feed))
    print("steps %.1f rate %.4f" % tuple(sess.run([num_steps, rate])))
