# finds: graph-grows
# The loop makes a new op in a monitored session, whose graph is finalized: it fails at the first check.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(96)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.int64, [None])
w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
logits = tf.matmul(x, w)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=step)

with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=120)]) as sess:
    while not sess.should_stop():
        xs = rng.randn(16, 3)
        ys = (xs[:, 0] > xs[:, 1]).astype(np.int64)
        _, value = sess.run([train, loss], {x: xs, y: ys})
        if not sess.should_stop() and sess.run(step) % 40 == 0:
            print("loss %.3f" % value)
            predictions = sess.run(tf.argmax(logits, 1), {x: xs})
            print("accuracy %.3f" % np.mean(predictions == ys))
