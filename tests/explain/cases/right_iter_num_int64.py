# finds nothing
# The step has another name and is an int64 that was made by hand; everything that counts or writes gets it.
import numpy as np
import tensorflow as tf


def get_batch(rs, size=24):
    x = rs.uniform(-3, 3, size=(size, 1))
    return x, np.abs(x)


x = tf.placeholder(tf.float32, [None, 1], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")

init = np.random.RandomState(21)
W1 = tf.Variable(init.randn(1, 10).astype("float32"))
B1 = tf.Variable(init.randn(10).astype("float32"))
W2 = tf.Variable(0.1 * init.randn(10, 1).astype("float32"))
out = tf.matmul(tf.nn.relu(tf.matmul(x, W1) + B1), W2)
mse = tf.reduce_mean(tf.square(out - y))

iter_num = tf.Variable(0, dtype=tf.int64, trainable=False, name="iter_num")
rate = tf.train.piecewise_constant(iter_num, boundaries=[200, 350], values=[0.02, 0.01, 0.002])
optimizer = tf.train.GradientDescentOptimizer(rate)
train_step = optimizer.minimize(mse, global_step=iter_num)
tf.summary.scalar("mse", mse)
tf.summary.scalar("rate", rate)
merged = tf.summary.merge_all()

batches = np.random.RandomState(22)
with tf.Session() as sess:
    writer = tf.summary.FileWriter("summaries", sess.graph)
    sess.run(tf.global_variables_initializer())
    for i in range(400):
        bx, by = get_batch(batches)
        _, summ = sess.run([train_step, merged], feed_dict={x: bx, y: by})
        if i % 20 == 0:
            writer.add_summary(summ, tf.train.global_step(sess, iter_num))
    writer.close()
    grid = np.linspace(-3, 3, 61).reshape(-1, 1)
    print("iterations", tf.train.global_step(sess, iter_num))
    print("error %.2f" % sess.run(mse, {x: grid, y: np.abs(grid)}))
    print("rate %.3f" % sess.run(rate))
