# finds: step-not-restored; runs: 2
# The checkpoint is restored, and then the initializer runs: weights and step are as at first again.
import numpy as np
import tensorflow as tf

SAVE_DIR = "weights/"
EPOCHS = 6

rs = np.random.RandomState(47)
train_x = rs.uniform(0, 1, (150, 2)).astype(np.float32)
train_y = (3 * train_x[:, 0] - train_x[:, 1]).astype(np.float32)


def network(x):
    kernel = tf.Variable(tf.constant([0.1, 0.1]), name="kernel")
    return tf.reduce_sum(x * kernel, axis=1)


x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None])
loss = tf.reduce_mean(tf.square(network(x) - y))
global_step = tf.Variable(0, name="global_step", trainable=False)
train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    checkpoint = tf.train.get_checkpoint_state(SAVE_DIR)
    if checkpoint and checkpoint.model_checkpoint_path:
        print("restoring", checkpoint.model_checkpoint_path)
        saver.restore(sess, checkpoint.model_checkpoint_path)
    else:
        tf.gfile.MakeDirs(SAVE_DIR)
    sess.run(tf.global_variables_initializer())
    first = sess.run(global_step) // 15
    for epoch in range(first, EPOCHS):
        for k in range(0, 150, 10):
            sess.run(train, {x: train_x[k : k + 10], y: train_y[k : k + 10]})
        print("epoch %d loss %.3f" % (epoch, sess.run(loss, {x: train_x, y: train_y})))
    saver.save(sess, SAVE_DIR + "model.ckpt", global_step=global_step)
