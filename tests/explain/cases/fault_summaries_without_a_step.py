# finds: summary-without-step
# add_summary isn't given a step, so all points are written at 0.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(75)
X = rng.randn(150, 2).astype(np.float32)
Y = (X[:, :1] - 2 * X[:, 1:] + 1 + 0.1 * rng.randn(150, 1)).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable([[0.0], [0.0]], name="w")
b = tf.Variable([0.0], name="b")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
tf.summary.scalar("loss", loss)
tf.summary.scalar("bias", b[0])
merged = tf.summary.merge_all()
gs = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=gs)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs", sess.graph)
    for i in range(200):
        rows = rng.randint(0, 150, 15)
        sess.run(train, {x: X[rows], y: Y[rows]})
        if i % 20 == 0:
            writer.add_summary(sess.run(merged, {x: X, y: Y}))
    writer.close()
    print("step %d loss %.4f" % (sess.run(gs), sess.run(loss, {x: X, y: Y})))
