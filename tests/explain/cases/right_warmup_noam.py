# finds nothing
# The rate grows for the first 80 steps and falls after: minimum(step^-0.5, step * warmup^-1.5), with step + 1.
import numpy as np
import tensorflow as tf

d_model = 16
warmup_steps = 80


def noam_scheme(init_lr, global_step, warmup_steps=4000.0):
    step = tf.cast(global_step + 1, dtype=tf.float32)
    return init_lr * warmup_steps**0.5 * tf.minimum(step * warmup_steps**-1.5, step**-0.5)


rng = np.random.RandomState(100)
tokens = rng.randint(0, 10, size=(256,))
nexts = (tokens * 3 + 1) % 10

ids = tf.placeholder(tf.int32, [None])
tgt = tf.placeholder(tf.int32, [None])
emb = tf.get_variable("emb", initializer=(rng.randn(10, d_model) * d_model**-0.5).astype(np.float32))
proj = tf.get_variable("proj", initializer=(rng.randn(d_model, 10) * d_model**-0.5).astype(np.float32))
logits = tf.matmul(tf.nn.embedding_lookup(emb, ids), proj)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tgt, logits=logits))

global_step = tf.train.get_or_create_global_step()
lr = noam_scheme(0.02, global_step, warmup_steps)
train_op = tf.train.AdamOptimizer(lr, beta2=0.98, epsilon=1e-9).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1, 401):
        rows = rng.choice(256, 32)
        sess.run(train_op, {ids: tokens[rows], tgt: nexts[rows]})
        if i in (20, 80, 200, 400):
            print("step %3d lr %.4f" % (i, sess.run(lr)))
    print("loss %.2f" % sess.run(loss, {ids: tokens, tgt: nexts}))
