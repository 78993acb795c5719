# finds: decay-in-epochs
# The boundaries 8, 12 and 16 are epochs of 30 batches each, while the step counts batches.
import numpy as np
import tensorflow as tf

NUM_EPOCHS = 20
DROP_AT = [8, 12, 16]
RATES = [0.3, 0.1, 0.03, 0.01]

rng = np.random.RandomState(36)
anchors = rng.randn(5, 12) * 1.5
labels = rng.randint(0, 5, 600)
data = anchors[labels] + rng.randn(600, 12)


def iterate(batch):
    order = rng.permutation(len(data))
    for i in range(0, len(data), batch):
        yield data[order[i : i + batch]], labels[order[i : i + batch]]


inp = tf.placeholder(tf.float32, [None, 12])
lab = tf.placeholder(tf.int32, [None])
weights = tf.get_variable("weights", [12, 5], initializer=tf.zeros_initializer(), use_resource=True)
biases = tf.get_variable("biases", [5], initializer=tf.zeros_initializer(), use_resource=True)
scores = tf.nn.xw_plus_b(inp, weights, biases)
loss = tf.losses.sparse_softmax_cross_entropy(lab, scores)
hits = tf.reduce_mean(tf.to_float(tf.nn.in_top_k(scores, lab, 1)))

step = tf.get_variable("step", [], tf.int32, tf.zeros_initializer(), trainable=False, use_resource=True)
lr = tf.train.piecewise_constant(step, DROP_AT, RATES)
train = tf.train.MomentumOptimizer(lr, 0.5, use_nesterov=True).minimize(loss, step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(NUM_EPOCHS):
        for bx, by in iterate(20):
            sess.run(train, {inp: bx, lab: by})
    print("accuracy %.3f" % sess.run(hits, {inp: data, lab: labels}))
    print("rate %.3g after %d steps" % tuple(sess.run([lr, step])))
