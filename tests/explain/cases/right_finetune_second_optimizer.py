# finds nothing
# First only the head trains, then a second optimizer takes all weights; both count one step, never in the same turn.
import numpy as np
import tensorflow as tf

PHASE1, PHASE2 = 150, 350

rand = np.random.RandomState(404)
imgs = rand.rand(256, 12).astype(np.float32) - 0.5
cls = (imgs[:, 0] * 2 + imgs[:, 5] > imgs[:, 7]).astype(np.int32)

x = tf.placeholder(tf.float32, [None, 12])
t = tf.placeholder(tf.int32, [None])
with tf.variable_scope("base"):
    base_w = tf.get_variable("w", initializer=rand.normal(0, 0.4, (12, 10)).astype(np.float32))
with tf.variable_scope("head"):
    head_w = tf.get_variable("w", initializer=np.zeros((10, 2), np.float32))
    head_b = tf.get_variable("b", initializer=np.zeros(2, np.float32))
feat = tf.nn.relu(tf.matmul(x, base_w))
logits = tf.matmul(feat, head_w) + head_b
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=t, logits=logits))
acc = tf.reduce_mean(tf.to_float(tf.nn.in_top_k(logits, t, 1)))

global_step = tf.train.get_or_create_global_step()
head_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="head")
train_head = tf.train.MomentumOptimizer(0.2, 0.9).minimize(loss, global_step=global_step, var_list=head_vars)
slow = tf.train.polynomial_decay(0.1, global_step - PHASE1, PHASE2 - PHASE1, 0.01)
train_all = tf.train.GradientDescentOptimizer(slow).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    everything = {x: imgs, t: cls}
    step = 0
    while step < PHASE2:
        rows = rand.choice(256, 32, replace=False)
        op = train_head if step < PHASE1 else train_all
        sess.run(op, feed_dict={x: imgs[rows], t: cls[rows]})
        step = sess.run(global_step)
        if step in (PHASE1, PHASE2):
            print("step %d acc %.2f" % (step, sess.run(acc, everything)), "base %.2f" % abs(sess.run(base_w)).mean())
