# finds nothing
# One graph, a new session for each fold: the initializer runs once in each, and no ops are made in the loop.
import numpy as np
import tensorflow as tf


def kfold(n, k, seed):
    parts = np.array_split(np.random.RandomState(seed).permutation(n), k)
    for i in range(k):
        yield np.hstack(parts[:i] + parts[i + 1 :]), parts[i]


N = 120
angles = np.linspace(0, 6, N)
x_data = np.c_[np.cos(angles), np.sin(angles), angles].astype(np.float32)
y_data = (2 * x_data[:, :1] - x_data[:, 1:2] + 0.1 * x_data[:, 2:]).astype(np.float32)

x_ = tf.placeholder(tf.float32, [None, 3], name="x")
y_ = tf.placeholder(tf.float32, [None, 1], name="y")
weights = tf.get_variable("weights", initializer=np.zeros((3, 1), dtype=np.float32))
l2 = 0.001 * tf.nn.l2_loss(weights)
mse = tf.losses.mean_squared_error(y_, tf.matmul(x_, weights))
global_step = tf.train.get_or_create_global_step()
lr = tf.train.piecewise_constant(global_step, [100, 150], [0.05, 0.02, 0.005])
train = tf.train.MomentumOptimizer(lr, 0.5).minimize(mse + l2, global_step=global_step)
init = tf.global_variables_initializer()
tf.get_default_graph().finalize()

errors = []
for fold, (tr, te) in enumerate(kfold(N, 5, seed=0)):
    shuffle = np.random.RandomState(fold)
    with tf.Session() as sess:
        sess.run(init)
        for epoch in range(10):
            shuffle.shuffle(tr)
            for s in range(0, len(tr), 6):
                sess.run(train, {x_: x_data[tr[s : s + 6]], y_: y_data[tr[s : s + 6]]})
        error, steps = sess.run([mse, global_step], {x_: x_data[te], y_: y_data[te]})
        errors.append(error)
        print("fold", fold, "steps", steps, "mse %.3f" % error)
print("average mse %.3f" % np.mean(errors))
