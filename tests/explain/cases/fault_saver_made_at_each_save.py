# finds: graph-grows
# Each save makes its own Saver, and with it new save and restore ops; the printed step is a new sum as well.
import numpy as np
import tensorflow as tf


def save_model(sess, step):
    saver = tf.train.Saver(max_to_keep=1)
    saver.save(sess, "backup/model", global_step=step)


rng = np.random.RandomState(86)
tokens = tf.placeholder(tf.int32, [None], name="tokens")
scores = tf.placeholder(tf.float32, [None], name="scores")
vectors = tf.get_variable("vectors", [20, 1], initializer=tf.zeros_initializer())
guess = tf.squeeze(tf.nn.embedding_lookup(vectors, tokens), axis=1)
loss = tf.reduce_mean(tf.square(guess - scores))
global_step = tf.train.create_global_step()
train = tf.train.AdagradOptimizer(0.5).minimize(loss, global_step=global_step)

values = np.sin(np.arange(20))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(12):
        for _ in range(25):
            ids = rng.randint(0, 20, 30)
            sess.run(train, {tokens: ids, scores: values[ids] + 0.1 * rng.randn(30)})
        save_model(sess, sess.run(global_step))
        next_step = sess.run(global_step + 1)
    print("next step %d, loss %.4f" % (next_step, sess.run(loss, {tokens: ids, scores: values[ids]})))
