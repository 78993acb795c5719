# finds: step-in-name-only; runs: 2
# Checkpoints are numbered by the epoch, and the script reads the epoch back from the name.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(61)
heights = rng.normal(170, 9, (200, 1)).astype(np.float32)
weights = (0.9 * heights - 85 + rng.normal(0, 6, (200, 1))).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 1])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable([[0.0]], name="w")
b = tf.Variable([0.0], name="b")
loss = tf.reduce_mean(tf.square(y - tf.matmul((x - 170) / 10, w) - b))
step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.2, step, 50, 0.9)
train = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    latest, first = tf.train.latest_checkpoint("people"), 0
    if latest:
        saver.restore(sess, latest)
        first = int(latest.split("-")[-1])
    for epoch in range(first + 1, first + 4):
        for i in range(0, 200, 20):
            sess.run(train, {x: heights[i : i + 20], y: weights[i : i + 20]})
        saver.save(sess, "people/model", global_step=epoch)
        print("epoch %d, step %d, loss %.2f" % (epoch, sess.run(step), sess.run(loss, {x: heights, y: weights})))
