# finds nothing; runs: 2
# One saver to resume from, another for the best weights so far; the best score is a variable and outlives the run.
import os

import numpy as np
import tensorflow as tf

CHECKPOINTS = os.path.join("run", "last")
BEST = os.path.join("run", "best", "model.ckpt")
STEPS_IN_ALL = 800
STEPS_A_DAY = 400

np_rand = np.random.RandomState(1234)
inputs = np_rand.rand(240, 4).astype(np.float32)
outputs = np.prod(inputs[:, :2], axis=1, keepdims=True)

xs = tf.placeholder(tf.float32, [None, 4])
ys = tf.placeholder(tf.float32, [None, 1])
w1 = tf.get_variable("w1", initializer=np_rand.normal(0, 0.5, (4, 8)).astype(np.float32))
w2 = tf.get_variable("w2", initializer=np_rand.normal(0, 0.5, (8, 1)).astype(np.float32))
loss = tf.losses.mean_squared_error(ys, tf.matmul(tf.nn.sigmoid(tf.matmul(xs, w1)), w2))
step = tf.train.get_or_create_global_step()
best_loss = tf.get_variable("best_loss", initializer=1e9, trainable=False)
new_best = tf.placeholder(tf.float32, [])
set_best = best_loss.assign(new_best)
train = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=step)
resume_saver = tf.train.Saver(max_to_keep=2)
best_saver = tf.train.Saver(max_to_keep=1)

for folder in (CHECKPOINTS, os.path.dirname(BEST)):
    if not os.path.exists(folder):
        os.makedirs(folder)

with tf.Session() as sess:
    state = tf.train.get_checkpoint_state(CHECKPOINTS)
    if state:
        resume_saver.restore(sess, state.model_checkpoint_path)
    else:
        sess.run(tf.global_variables_initializer())
    begin = now = sess.run(step)
    while now < min(begin + STEPS_A_DAY, STEPS_IN_ALL):
        rows = np.random.RandomState(now).randint(0, 180, 20)
        sess.run(train, {xs: inputs[rows], ys: outputs[rows]})
        now = sess.run(step)
        if now % 100 == 0:
            score = sess.run(loss, {xs: inputs[180:], ys: outputs[180:]})
            if score < sess.run(best_loss):
                sess.run(set_best, {new_best: score})
                best_saver.save(sess, BEST)
            resume_saver.save(sess, os.path.join(CHECKPOINTS, "model.ckpt"), global_step=now)
    print("from %d to %d, best %.3f" % (begin, now, sess.run(best_loss)))
