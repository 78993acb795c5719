# asks: order-undefined
# The step that the summaries are written at is fetched in the run that changes it: it may be the old or the new one.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(35)
data = rng.randn(256, 5).astype(np.float32)
target = (data[:, 0] * data[:, 1] + 0.1 * rng.randn(256)).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None])
w1 = tf.get_variable("w1", initializer=(rng.randn(5, 20) * 0.5).astype(np.float32))
b1 = tf.get_variable("b1", [20], initializer=tf.zeros_initializer())
w2 = tf.get_variable("w2", initializer=(rng.randn(20, 1) * 0.2).astype(np.float32))
out = tf.matmul(tf.nn.elu(tf.matmul(x, w1) + b1), w2)[:, 0]
loss = tf.losses.mean_squared_error(y, out)
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=global_step)
summary_op = tf.summary.scalar("loss", loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs")
    for epoch in range(20):
        for rows in np.array_split(rng.permutation(256), 8):
            _, step, summary = sess.run([train_op, global_step, summary_op], {x: data[rows], y: target[rows]})
            writer.add_summary(summary, step)
    writer.close()
    print("epochs %d, loss %.3f" % (epoch + 1, sess.run(loss, {x: data, y: target})))
