# finds: decay-in-epochs
# The variable counts epochs, and decay_steps is given in batches: after all 15 epochs the rate has hardly moved.
import numpy as np
import tensorflow as tf

FEATURES, BATCH, EXAMPLES, EPOCHS = 5, 10, 600, 15
steps_per_epoch = EXAMPLES // BATCH

rng = np.random.RandomState(52)
xs = rng.rand(EXAMPLES, FEATURES).astype(np.float32)
ys = (xs.dot(np.arange(FEATURES)) + rng.randn(EXAMPLES) * 0.2).astype(np.float32)

x = tf.placeholder(tf.float32, (None, FEATURES))
y = tf.placeholder(tf.float32, (None,))
w = tf.Variable(tf.zeros([FEATURES, 1]))
c = tf.Variable(tf.zeros([]))
residual = tf.squeeze(tf.matmul(x, w), [1]) + c - y
loss = tf.reduce_mean(tf.square(residual))

global_step = tf.Variable(0, trainable=False, name="global_step")
epoch_counter = tf.Variable(0, trainable=False, name="epoch_counter")
next_epoch = tf.assign_add(epoch_counter, 1)
lr = tf.train.exponential_decay(0.05, epoch_counter, 5 * steps_per_epoch, 0.5)
train = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(EPOCHS):
        for k in range(steps_per_epoch):
            rows = slice(k * BATCH, (k + 1) * BATCH)
            sess.run(train, {x: xs[rows], y: ys[rows]})
        sess.run(next_epoch)
    print("epoch %d, lr %.4f" % tuple(sess.run([epoch_counter, lr])))
    print("loss %.4f" % sess.run(loss, {x: xs, y: ys}))
