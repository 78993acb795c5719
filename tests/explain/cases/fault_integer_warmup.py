# finds: weights-never-move; may find: rate-never-moves
# The warm-up divides integers: during all 200 steps step // 500 is 0, and so is the rate.
import numpy as np
import tensorflow as tf

BASE_RATE = 0.05
WARMUP_STEPS = 500
TRAIN_STEPS = 200

global_step = tf.train.get_or_create_global_step()
done = tf.minimum(global_step // WARMUP_STEPS, 1)
rate = BASE_RATE * tf.to_float(done)

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer([[0.3], [-0.3]]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)

rng = np.random.RandomState(81)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while sess.run(global_step) < TRAIN_STEPS:
        batch = rng.randn(32, 2)
        sess.run(train_op, {x: batch, y: batch.sum(1, keepdims=True) + 0.1 * rng.randn(32, 1)})
    print("step %d" % sess.run(global_step))
    print("w", sess.run(w).ravel().tolist()[0] > 0.9)
    print("loss %.2f" % sess.run(loss, {x: np.ones((1, 2)), y: [[2.0]]}))
