# finds: not-finite
# The logits are in the hundreds, a probability becomes 0, and 0 * log(0) makes the loss and the weights NaN.
import numpy as np
import tensorflow as tf


def next_batch(rng, n):
    k = rng.randint(0, 3, n)
    pixels = rng.randint(0, 60, (n, 16))
    pixels[np.arange(n), k] += 190
    return pixels.astype(np.float32), np.eye(3, dtype=np.float32)[k]


x = tf.placeholder(tf.float32, [None, 16])
y_ = tf.placeholder(tf.float32, [None, 3])
W = tf.Variable(tf.zeros([16, 3]))
b = tf.Variable(tf.zeros([3]))
y = tf.nn.softmax(tf.matmul(x, W) + b)
cross_entropy = tf.reduce_mean(-tf.reduce_sum(y_ * tf.log(y), reduction_indices=[1]))
correct = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

gs = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.05, gs, 100, 0.9, staircase=True)
train_step = tf.train.GradientDescentOptimizer(lr).minimize(cross_entropy, global_step=gs)

rng = np.random.RandomState(1234)
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for i in range(200):
        batch_xs, batch_ys = next_batch(rng, 50)
        sess.run(train_step, feed_dict={x: batch_xs, y_: batch_ys})
    test_xs, test_ys = next_batch(rng, 200)
    print("accuracy %.2f" % sess.run(accuracy, {x: np.float32(test_xs), y_: test_ys}))
    print("loss %g" % sess.run(cross_entropy, {x: test_xs, y_: test_ys}))
