# finds: step-not-found
# The step is counted, but under a name that StopAtStepHook doesn't look for.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
features = rng.randn(256, 4).astype(np.float32)
targets = features.dot([[1.0], [-2.0], [0.5], [3.0]]) + 0.1 * rng.randn(256, 1)

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))

iteration = tf.Variable(0, trainable=False, name="iteration")
train_op = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=iteration)

hooks = [tf.train.StopAtStepHook(last_step=200)]
with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
    while not sess.should_stop():
        rows = rng.choice(256, 32)
        _, current = sess.run([train_op, loss], feed_dict={x: features[rows], y: targets[rows]})
    print("done, loss %.3f" % current)
