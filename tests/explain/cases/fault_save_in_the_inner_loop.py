# finds: saves-every-step
# The save is indented one level too far: it happens for each batch, not for each epoch.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(65)
images = rng.rand(240, 4, 4, 1).astype(np.float32)
bright = (images.mean(axis=(1, 2, 3)) > 0.5).astype(np.int32)

x = tf.placeholder(tf.float32, [None, 4, 4, 1])
y = tf.placeholder(tf.int32, [None])
flat = tf.reshape(x, [-1, 16])
w = tf.Variable(tf.zeros([16, 2]), name="w")
b = tf.Variable(tf.zeros([2]), name="b")
logits = tf.matmul(flat, w) + b
cost = tf.losses.sparse_softmax_cross_entropy(y, logits)
global_step = tf.Variable(0, trainable=False, name="global_step")
optimizer = tf.train.AdamOptimizer(0.05).minimize(cost, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        avg_cost = 0.0
        for i in range(0, 240, 24):
            feed = {x: images[i : i + 24], y: bright[i : i + 24]}
            _, c = sess.run([optimizer, cost], feed_dict=feed)
            avg_cost += c / 10
            saver.save(sess, "./models/bright.ckpt", global_step=global_step)
        print("Epoch:", "%02d" % (epoch + 1), "cost = %.4f" % avg_cost)
