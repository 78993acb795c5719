# finds: rate-grows
# decay_rate is 2, so the rate doubles every hundred steps.
import numpy as np
import tensorflow as tf

batch_size, n_steps = 16, 300
rng = np.random.RandomState(27)
true_w = np.array([[1.0], [-1.0], [2.0]])

X = tf.placeholder(tf.float32, [batch_size, 3])
Y = tf.placeholder(tf.float32, [batch_size, 1])
W = tf.Variable(tf.zeros([3, 1]))
error = tf.matmul(X, W) - Y
cost = tf.reduce_mean(error * error)

steps = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(learning_rate=0.005, global_step=steps, decay_steps=100, decay_rate=2)
op = tf.train.GradientDescentOptimizer(lr).minimize(cost, global_step=steps)

sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
i = 0
while i < n_steps:
    bx = rng.randn(batch_size, 3)
    feed_dict = {X: bx, Y: bx.dot(true_w) + 0.2 * rng.randn(batch_size, 1)}
    op.run(feed_dict)
    i += 1
    if i % 100 == 0:
        print(i, "%.4f" % lr.eval(), "%.3f" % cost.eval(feed_dict))
sess.close()
