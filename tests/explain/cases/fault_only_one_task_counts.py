# finds: step-not-passed
# Two tasks take turns at random with one decaying rate, but only one of their train ops counts.
import numpy as np
import tensorflow as tf


def dense(x, n_in, n_out, name, seed):
    init = (np.random.RandomState(seed).randn(n_in, n_out) / np.sqrt(n_in)).astype(np.float32)
    with tf.variable_scope(name):
        return tf.matmul(x, tf.get_variable("kernel", initializer=tf.constant(init)))


inputs = tf.placeholder(tf.float32, [None, 8])
labels = tf.placeholder(tf.float32, [None, 1])
shared = tf.nn.relu(dense(inputs, 8, 16, "shared", 1))
tagging_loss = tf.losses.sigmoid_cross_entropy(labels, dense(shared, 16, 1, "tagging", 2))
scoring_loss = tf.losses.mean_squared_error(labels, dense(shared, 16, 1, "scoring", 3))

step = tf.train.get_or_create_global_step()
rate = tf.train.polynomial_decay(0.1, step, decay_steps=400, end_learning_rate=0.001)
opt = tf.train.GradientDescentOptimizer(rate)
train_ops = {"tagging": opt.minimize(tagging_loss, global_step=step), "scoring": opt.minimize(scoring_loss)}
losses = {"tagging": tagging_loss, "scoring": scoring_loss}

rng = np.random.RandomState(13)
w_tag, w_score = rng.randn(8, 1), rng.randn(8, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    seen = {"tagging": [], "scoring": []}
    for _ in range(400):
        task = "tagging" if rng.rand() < 0.5 else "scoring"
        xs = rng.randn(20, 8)
        target = (xs.dot(w_tag) > 0).astype(np.float32) if task == "tagging" else 0.3 * xs.dot(w_score)
        _, value = sess.run([train_ops[task], losses[task]], {inputs: xs, labels: target})
        seen[task].append(value)
    for task in sorted(seen):
        print(task, len(seen[task]), "%.3f" % np.mean(seen[task][-50:]))
    print("rate %.4g" % sess.run(rate))
