# finds: order-undefined
# The step is fetched beside the train op that counts it, and decides what is saved: it may be the one before or after.
import numpy as np
import tensorflow as tf

SAVE_EVERY = 100
MAX_STEP = 300

rng = np.random.RandomState(95)
matrix = rng.rand(128, 6).astype(np.float32)
total = matrix.sum(axis=1, keepdims=True)

inp = tf.placeholder(tf.float32, [None, 6])
tgt = tf.placeholder(tf.float32, [None, 1])
k = tf.get_variable("k", [6, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(tgt, tf.matmul(inp, k))
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.02).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saved = 0
    while True:
        i = rng.randint(0, 128, 16)
        _, step = sess.run([train_op, global_step], feed_dict={inp: matrix[i], tgt: total[i]})
        if step > 0 and step % SAVE_EVERY == 0:
            saver.save(sess, "./adder", global_step=step)
            saved += 1
        if step >= MAX_STEP:
            break
    print("saved", saved >= 2, "loss %.2f" % sess.run(loss, {inp: matrix, tgt: total}))
