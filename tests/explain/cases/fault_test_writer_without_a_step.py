# finds: summary-without-step
# The training summaries have their step, those of the test writer have none.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(78)
means = rng.randn(3, 10)


def draw(n):
    k = rng.randint(0, 3, n)
    return means[k] + rng.randn(n, 10), k


x = tf.placeholder(tf.float32, [None, 10])
k = tf.placeholder(tf.int64, [None])
with tf.variable_scope("net", use_resource=True):
    w = tf.get_variable("w", [10, 3], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
logits = tf.nn.xw_plus_b(x, w, b)
loss = tf.losses.sparse_softmax_cross_entropy(k, logits)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), k), tf.float32))
merged = tf.summary.merge([tf.summary.scalar("loss", loss), tf.summary.scalar("accuracy", accuracy)])
step = tf.train.get_or_create_global_step()
train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, global_step=step)

test_x, test_k = draw(200)
with tf.Session() as sess:
    writers = {name: tf.summary.FileWriter("logs/" + name) for name in ("train", "test")}
    sess.run(tf.global_variables_initializer())
    now = 0
    while now < 200:
        xs, ks = draw(32)
        _, summary = sess.run([train, merged], {x: xs, k: ks})
        now = sess.run(step)
        writers["train"].add_summary(summary, global_step=now)
        if now % 25 == 0:
            summary, acc = sess.run([merged, accuracy], {x: test_x, k: test_k})
            writers["test"].add_summary(summary)
    for writer in writers.values():
        writer.close()
    print("step %d accuracy %.3f" % (now, acc))
