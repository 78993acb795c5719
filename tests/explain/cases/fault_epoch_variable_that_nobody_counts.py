# finds: rate-never-moves; may find: step-never-moves
# The schedule reads an epoch variable. The step is counted, but nothing ever counts the epochs.
import numpy as np
import tensorflow as tf

EPOCHS, BATCH = 12, 50

rng = np.random.RandomState(404)
xs = rng.rand(500, 4).astype(np.float32)
ys = (xs.sum(axis=1, keepdims=True) + 0.1 * rng.randn(500, 1)).astype(np.float32)

with tf.name_scope("inputs"):
    x = tf.placeholder(tf.float32, [None, 4])
    y = tf.placeholder(tf.float32, [None, 1])
with tf.name_scope("model"):
    w = tf.Variable(tf.ones([4, 1]) * 0.1)
    b = tf.Variable(tf.zeros([]))
    loss = tf.reduce_mean(tf.squared_difference(tf.matmul(x, w) + b, y))
with tf.name_scope("training"):
    global_step = tf.Variable(0, trainable=False, name="global_step")
    epoch = tf.Variable(0, trainable=False, name="epoch")
    learning_rate = tf.train.exponential_decay(0.05, epoch, 1, 0.8)
    train = tf.train.MomentumOptimizer(learning_rate, 0.9).minimize(loss, global_step=global_step)
tf.summary.scalar("loss", loss)
tf.summary.scalar("learning_rate", learning_rate)
merged = tf.summary.merge_all()

with tf.Session() as sess:
    writer = tf.summary.FileWriter("tb")
    sess.run(tf.global_variables_initializer())
    for e in range(EPOCHS):
        order = rng.permutation(500)
        for s in range(0, 500, BATCH):
            chosen = order[s : s + BATCH]
            sess.run(train, {x: xs[chosen], y: ys[chosen]})
        step, summary, lr = sess.run([global_step, merged, learning_rate], {x: xs, y: ys})
        writer.add_summary(summary, step)
    writer.close()
    print("%d epochs, %d steps, lr %.4f, loss %.4f" % (e + 1, step, lr, sess.run(loss, {x: xs, y: ys})))
