# finds: rate-not-used
# The optimizer is built with the fed base rate; the decayed rate only gets into the summary.
import numpy as np
import tensorflow as tf


def input_pipeline(seed):
    rng = np.random.RandomState(seed)
    while True:
        bits = rng.randint(0, 2, (24, 4))
        yield bits.astype(np.float32), (bits.sum(axis=1) % 2).astype(np.float32)[:, None]


bits = tf.placeholder(tf.float32, [None, 4])
parity = tf.placeholder(tf.float32, [None, 1])
init = np.random.RandomState(3)
hidden = tf.tanh(tf.matmul(bits - 0.5, tf.Variable(init.randn(4, 16).astype(np.float32))))
output = tf.matmul(hidden, tf.Variable(0.5 * init.randn(16, 1).astype(np.float32)))
loss = tf.losses.sigmoid_cross_entropy(parity, output)

base_lr = tf.placeholder(tf.float32, [], name="base_lr")
step = tf.Variable(0, trainable=False, name="global_step")
optimizer = tf.train.AdamOptimizer(base_lr)
lr = tf.train.exponential_decay(base_lr, step, 100, 0.5)
train = optimizer.minimize(loss, global_step=step)

tf.summary.scalar("lr", lr)
tf.summary.scalar("loss", loss)
summaries = tf.summary.merge_all()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs/parity", sess.graph)
    for i, (b, p) in enumerate(input_pipeline(5)):
        if i == 300:
            break
        sess.run(train, {bits: b, parity: p, base_lr: 0.02})
        if i % 50 == 0:
            writer.add_summary(sess.run(summaries, {bits: b, parity: p, base_lr: 0.02}), sess.run(step))
    writer.close()
    print("loss %.2f" % sess.run(loss, {bits: b, parity: p}), "rate %.4f" % sess.run(lr, {base_lr: 0.02}))
