# finds nothing
# Eight small batches are summed for one update; only the update counts, and decay_steps counts updates too.
import numpy as np
import tensorflow as tf

ACCUMULATE = 8
UPDATES = 60

rs = np.random.RandomState(3)
data_x = rs.randn(512, 5).astype(np.float32)
true_w = np.array([[1.0], [-2.0], [0.5], [3.0], [0.0]], np.float32)
data_y = data_x.dot(true_w) + 0.05 * rs.randn(512, 1).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([5, 1]), name="w")
b = tf.Variable(tf.zeros([1]), name="b")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))

global_step = tf.train.get_or_create_global_step()
learning_rate = tf.train.exponential_decay(0.2, global_step, 20, 0.7, staircase=True)
opt = tf.train.GradientDescentOptimizer(learning_rate)

tvs = tf.trainable_variables()
accum = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for v in tvs]
zero_ops = [a.assign(tf.zeros_like(a)) for a in accum]
gvs = opt.compute_gradients(loss, tvs)
accum_ops = [a.assign_add(g) for a, (g, _) in zip(accum, gvs)]
train_step = opt.apply_gradients([(a / ACCUMULATE, v) for a, v in zip(accum, tvs)], global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for update in range(UPDATES):
        sess.run(zero_ops)
        for _ in range(ACCUMULATE):
            idx = rs.randint(0, 512, 16)
            sess.run(accum_ops, {x: data_x[idx], y: data_y[idx]})
        sess.run(train_step)
    final, step, lr = sess.run([loss, global_step, learning_rate], {x: data_x, y: data_y})
    print("step %d loss %.4f lr %.4f" % (step, final, lr))
