# finds: rate-starts-over; may find: trains-more; may ask: trains-more; runs: 2
# The fed rate is computed from the loop's epoch: the second run goes on from step 300, but with the first epoch's rate.
import numpy as np
import tensorflow as tf

EPOCHS_PER_JOB = 10
ITERATIONS = 30

rng = np.random.RandomState(71)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
learning_rate = tf.placeholder(tf.float32, shape=[])
w = tf.Variable(tf.zeros([3, 1]), name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    checkpoint = tf.train.get_checkpoint_state("model")
    if checkpoint and checkpoint.model_checkpoint_path:
        saver.restore(sess, checkpoint.model_checkpoint_path)
        print("restored", checkpoint.model_checkpoint_path)
    for epoch in range(EPOCHS_PER_JOB):
        rate = 0.2 * 0.7**epoch
        for _ in range(ITERATIONS):
            xs = rng.randn(8, 3)
            ys = xs.dot([[1.0], [2.0], [3.0]]) + 0.5 * rng.randn(8, 1)
            sess.run(train_op, {x: xs, y: ys, learning_rate: rate})
        saver.save(sess, "model/ckpt", global_step=global_step)
    print("step %d, last rate %.4f" % (sess.run(global_step), rate))
    print("w", np.round(sess.run(w).ravel(), 1))
