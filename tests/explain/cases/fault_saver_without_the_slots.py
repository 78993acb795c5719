# asks: slots-not-restored; may ask: trains-more; runs: 2
# The saver holds the weights and the step. Adam's moments aren't saved, so they begin at 0 again after a restart.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(67)
features = rng.normal(0, 1, (400, 3)).astype(np.float32)
prices = (features @ np.array([[3.0], [-1.0], [0.5]]) + 7 + rng.normal(0, 0.1, (400, 1))).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=global_step)
saver = tf.train.Saver(tf.trainable_variables() + [global_step])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    latest = tf.train.latest_checkpoint("prices")
    if latest:
        saver.restore(sess, latest)
    for i in range(100):
        rows = rng.randint(0, 400, 32)
        sess.run(train_op, {x: features[rows], y: prices[rows]})
    saver.save(sess, "prices/model", global_step=global_step)
    print("step %d, loss %.1f" % tuple(sess.run([global_step, loss], {x: features, y: prices})))
