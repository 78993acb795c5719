# finds: updates-race
# The averages are applied in a group with the train op, so they may read weights from before or after the update.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(83)

signal = tf.placeholder(tf.float32, [None, 8])
label = tf.placeholder(tf.float32, [None, 1])
filters = tf.Variable((0.3 * rng.randn(8, 6)).astype(np.float32), name="filters")
readout = tf.Variable((0.3 * rng.randn(6, 1)).astype(np.float32), name="readout")
logit = tf.matmul(tf.nn.relu(tf.matmul(signal, filters)), readout)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logit))

global_step = tf.train.get_or_create_global_step()
learning_rate = tf.train.exponential_decay(0.3, global_step, 200, 0.5)
optimizer = tf.train.GradientDescentOptimizer(learning_rate)
ema = tf.train.ExponentialMovingAverage(0.95, num_updates=global_step)
train_op = tf.group(optimizer.minimize(loss, global_step=global_step), ema.apply([filters, readout]), name="train_op")
saver = tf.train.Saver()

phase = np.arange(8) / 8.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(300):
        fast = rng.randint(0, 2, (25, 1))
        waves = np.sin(2 * np.pi * (1 + fast) * phase) + 0.3 * rng.randn(25, 8)
        sess.run(train_op, {signal: waves, label: fast})
    saver.save(sess, "ckpt/waves", global_step=global_step)
    print("step %d loss %.4f" % tuple(sess.run([global_step, loss], {signal: waves, label: fast})))
