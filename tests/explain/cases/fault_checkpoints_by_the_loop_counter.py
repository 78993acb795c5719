# finds: python-counter; may find: step-in-name-only; runs: 2
# The number of a checkpoint is a counter that starts at 1 in each run, so the second run overwrites the first one's.
import itertools

import numpy as np
import tensorflow as tf

GOAL, PER_RUN = 240, 120


def features(rng, n):
    t = rng.uniform(0, 1, n)
    return np.stack([np.ones(n), t, t**2], axis=1), 1 - 2 * t + 3 * t**2 + 0.1 * rng.randn(n)


with tf.Graph().as_default(), tf.Session() as sess:
    phi = tf.placeholder(tf.float32, [None, 3])
    out = tf.placeholder(tf.float32, [None])
    coef = tf.get_variable("coef", [3], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(out, tf.reduce_sum(phi * coef, axis=1))
    step = tf.get_variable("step", initializer=0, trainable=False)
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, global_step=step)
    saver = tf.train.Saver(max_to_keep=10)

    ckpt = tf.train.get_checkpoint_state("poly")
    if ckpt:
        saver.restore(sess, ckpt.model_checkpoint_path)
    else:
        sess.run(tf.global_variables_initializer())
    rng = np.random.RandomState(92)
    for n in itertools.count(1):
        p, o = features(rng, 20)
        sess.run(train, {phi: p, out: o})
        if n % 40 == 0:
            saver.save(sess, "poly/fit", global_step=n)
        if n == PER_RUN or sess.run(step) >= GOAL:
            break
    print(tf.train.latest_checkpoint("poly"), "step %d loss %.3f" % (sess.run(step), sess.run(loss, {phi: p, out: o})))
