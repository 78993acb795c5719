# finds: graph-grows
# evaluate() builds its ops anew each time the loop calls it, and assign_add makes one more op for each epoch.
import numpy as np
import tensorflow as tf

r = np.random.RandomState(83)
pts = r.randn(240, 2).astype(np.float32)
tags = (pts[:, 0] > pts[:, 1]).astype(np.int64)

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.int64, [None])
w = tf.Variable(tf.zeros([2, 2]))
logits = tf.matmul(x, w)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
global_step = tf.train.get_or_create_global_step()
epochs_done = tf.Variable(0, trainable=False, name="epochs_done")
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=global_step)


def evaluate(sess):
    correct = tf.equal(tf.argmax(logits, 1), y)
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    return sess.run(accuracy, feed_dict={x: pts, y: tags})


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    at_first = len(tf.get_default_graph().get_operations())
    for epoch in range(30):
        for start in range(0, 240, 24):
            feed = {x: pts[start : start + 24], y: tags[start : start + 24]}
            sess.run(train_op, feed_dict=feed)
        sess.run(tf.assign_add(epochs_done, 1))
        acc = evaluate(sess)
    print("epochs %d, steps %d, accuracy %.2f" % (sess.run(epochs_done), sess.run(global_step), acc))
    print("more ops than at first:", len(tf.get_default_graph().get_operations()) - at_first > 100)
