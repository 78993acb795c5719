# finds nothing
# It saves once an epoch of 25 batches, not once a step, and keeps all of them; the names have the step.
import glob

import numpy as np
import tensorflow as tf

num_epochs = 6
batch_size = 8


def next_batch(features, labels, size):
    for start in range(0, len(features), size):
        yield features[start : start + size], labels[start : start + size]


state = np.random.RandomState(70)
features = state.uniform(0, 1, size=(200, 3))
labels = (features[:, 0] > features[:, 2]).astype(int)

features_ph = tf.placeholder(tf.float32, [None, 3], "features")
labels_ph = tf.placeholder(tf.int32, [None], "labels")
kernel = tf.get_variable("kernel", [3, 2], initializer=tf.constant_initializer(0.0))
logits = tf.matmul(features_ph, kernel)
xent = tf.losses.sparse_softmax_cross_entropy(labels_ph, logits)
global_step = tf.train.create_global_step()
train_op = tf.train.RMSPropOptimizer(0.02).minimize(xent, global_step=global_step)
saver = tf.train.Saver(max_to_keep=None)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(1, num_epochs + 1):
        losses = []
        for fx, fy in next_batch(features, labels, batch_size):
            _, batch_loss = sess.run([train_op, xent], {features_ph: fx, labels_ph: fy})
            losses.append(batch_loss)
        saver.save(sess, "./epoch.ckpt", global_step=global_step)
        print("Epoch %d: loss %.3f" % (epoch, np.mean(losses)))

print(sorted(int(name.split("-")[1][:-6]) for name in glob.glob("epoch.ckpt-*.index")))
