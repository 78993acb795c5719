# finds nothing
# The schedule is in epochs, and so is what it reads: a variable that counts once per epoch. Batches have another.
import numpy as np
import tensorflow as tf

EPOCHS = 12
BATCH = 20

prng = np.random.RandomState(50)
attributes = prng.normal(size=(300, 4)).astype(np.float32)
response = (attributes[:, :2].sum(axis=1, keepdims=True) > 0).astype(np.float32)

a = tf.placeholder(tf.float32, [None, 4])
r = tf.placeholder(tf.float32, [None, 1])
coefficients = tf.get_variable("coefficients", initializer=tf.zeros([4, 1]))
nll = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=r, logits=tf.matmul(a, coefficients)))

global_step = tf.train.get_or_create_global_step()
epoch = tf.get_variable("epoch", initializer=0, trainable=False)
next_epoch = epoch.assign_add(1)
learning_rate = tf.train.piecewise_constant(epoch, [3, 7], [1.0, 0.3, 0.1])
train = tf.train.GradientDescentOptimizer(learning_rate).minimize(nll, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while sess.run(epoch) < EPOCHS:
        order = prng.permutation(300)
        for first in range(0, 300, BATCH):
            rows = order[first : first + BATCH]
            sess.run(train, {a: attributes[rows], r: response[rows]})
        done = sess.run(next_epoch)
        if done % 4 == 0:
            saver.save(sess, "./logistic", global_step=global_step)
            print("epoch %d rate %.1f" % (done, sess.run(learning_rate)))
    print("steps %d, nll %.2f" % tuple(sess.run([global_step, nll], {a: attributes, r: response})))
