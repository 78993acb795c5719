# finds: step-created-twice; may find: step-never-moves step-in-name-only
# prepare() creates the step that the saving hook names checkpoints by, but training counts a second one, global_step_1.
import numpy as np
import tensorflow as tf

BATCH = 16


def prepare():
    tf.train.create_global_step()
    return tf.train.CheckpointSaverHook("model", save_steps=100)


def model(x):
    hidden_w = tf.Variable(np.random.RandomState(1).randn(5, 8).astype(np.float32) * 0.3, name="hidden_w")
    out_w = tf.Variable(np.random.RandomState(2).randn(8, 1).astype(np.float32) * 0.3, name="out_w")
    return tf.matmul(tf.nn.tanh(tf.matmul(x, hidden_w)), out_w)


rng = np.random.RandomState(77)
train_x = rng.randn(320, 5).astype(np.float32)
train_y = np.sin(train_x[:, :1]) + 0.1 * rng.randn(320, 1)

saver_hook = prepare()
x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(model(x) - y))
global_step = tf.Variable(0, dtype=tf.int64, trainable=False, name="global_step")
train = tf.train.AdamOptimizer(1e-2).minimize(loss, global_step=global_step)

with tf.train.MonitoredTrainingSession(hooks=[saver_hook]) as sess:
    for epoch in range(12):
        order = rng.permutation(320)
        for k in range(320 // BATCH):
            rows = order[k * BATCH : (k + 1) * BATCH]
            sess.run(train, feed_dict={x: train_x[rows], y: train_y[rows]})
    final = sess.run(loss, feed_dict={x: train_x, y: train_y})

print("final loss: %.3f" % final)
print(tf.train.latest_checkpoint("model"))
