# asks: trains-more; runs: 2
# StopAtStepHook(num_steps=...) means that many steps from where the session starts, so each new run adds 200.
import numpy as np
import tensorflow as tf

TRAIN_STEPS = 200


def input_fn(rng):
    hour = rng.uniform(0, 24, (32, 1))
    return np.hstack([np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12)]), 5 - 3 * np.cos(hour * np.pi / 12)


features = tf.placeholder(tf.float32, [None, 2], name="features")
demand = tf.placeholder(tf.float32, [None, 1], name="demand")
with tf.variable_scope("regression"):
    w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
loss = tf.losses.huber_loss(demand, tf.matmul(features, w) + b)
step = tf.train.get_or_create_global_step()
rate = tf.train.cosine_decay(0.5, step, TRAIN_STEPS, alpha=0.1)
train_op = tf.train.AdagradOptimizer(rate).minimize(loss, global_step=step)

hooks = [tf.train.StopAtStepHook(num_steps=TRAIN_STEPS), tf.train.NanTensorHook(loss)]
rng = np.random.RandomState(24)
with tf.train.MonitoredTrainingSession(checkpoint_dir="demand", hooks=hooks) as sess:
    while not sess.should_stop():
        hours, values = input_fn(rng)
        _, current = sess.run([train_op, loss], feed_dict={features: hours, demand: values})
print("%s loss %.3f" % (tf.train.latest_checkpoint("demand"), current))
