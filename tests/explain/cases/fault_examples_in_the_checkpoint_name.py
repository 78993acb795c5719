# finds: step-in-name-only
# The number in the names counts examples (batches times 20), the step counts batches.
import numpy as np
import tensorflow as tf

batch_size = 20
n_batches = 150

rng = np.random.RandomState(49)
x = tf.placeholder(tf.float32, [batch_size, 3])
y = tf.placeholder(tf.float32, [batch_size, 1])
w = tf.get_variable("w", [3, 1], tf.float32, tf.zeros_initializer())
loss = tf.reduce_sum(tf.square(y - tf.matmul(x, w))) / batch_size
t = tf.Variable(0, dtype=tf.int64, trainable=False, name="t")
rate = tf.train.natural_exp_decay(0.1, t, 100, 1.0)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, t)
saver = tf.train.Saver()


def save(session, seen):
    return saver.save(session, "out/linreg", global_step=seen)


seen = 0
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(n_batches):
        a = rng.randn(batch_size, 3)
        c = a.dot([[2.0], [0.0], [-1.0]]) + 0.1 * rng.randn(batch_size, 1)
        session.run(train, {x: a, y: c})
        seen += batch_size
        if seen % 1000 == 0:
            print("%s loss %.4f" % (save(session, seen), session.run(loss, {x: a, y: c})))
    print("t = %d" % session.run(t))
