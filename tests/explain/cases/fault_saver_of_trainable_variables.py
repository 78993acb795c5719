# finds: step-not-saved
# The saver holds the trainable variables, and the step isn't one.
import numpy as np
import tensorflow as tf

EPOCHS = 6

rng = np.random.RandomState(32)
docs = rng.poisson(1.0, (300, 15)).astype(np.float32)
topic = (docs[:, :5].sum(1) > docs[:, 5:10].sum(1)).astype(np.int32)

counts = tf.placeholder(tf.float32, [None, 15])
labels = tf.placeholder(tf.int32, [None])
w = tf.get_variable("w", [15, 2], initializer=tf.zeros_initializer())
b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
logits = tf.matmul(counts, w) + b
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels))
global_step = tf.Variable(0, name="global_step", trainable=False)
lr = tf.train.exponential_decay(0.2, global_step, 30, 0.9, staircase=True)
train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
saver = tf.train.Saver(tf.trainable_variables(), max_to_keep=2)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(EPOCHS):
        for i in range(0, 300, 15):
            sess.run(train_op, {counts: docs[i : i + 15], labels: topic[i : i + 15]})
        path = saver.save(sess, "checkpoints/topics", global_step=global_step)
        print("Saved %s, loss %.3f" % (path, sess.run(loss, {counts: docs, labels: topic})))
