# finds nothing
# Each fold has its own graph and session, so its step and rate begin anew on purpose.
import numpy as np
import tensorflow as tf

K = 4
STEPS = 120

random_state = np.random.RandomState(19)
X = random_state.randn(160, 5).astype(np.float32)
y = (X[:, 0] + 0.5 * X[:, 3] + 0.3 * random_state.randn(160) > 0).astype(np.float32).reshape(-1, 1)
folds = np.array_split(random_state.permutation(160), K)


def run_fold(train_idx, test_idx, fold):
    graph = tf.Graph()
    with graph.as_default():
        inputs = tf.placeholder(tf.float32, [None, 5])
        targets = tf.placeholder(tf.float32, [None, 1])
        w = tf.Variable(np.zeros((5, 1), np.float32))
        b = tf.Variable(0.0)
        logits = tf.matmul(inputs, w) + b
        loss = tf.losses.sigmoid_cross_entropy(targets, logits)
        correct = tf.equal(logits > 0, targets > 0.5)
        accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
        global_step = tf.Variable(0, trainable=False, name="global_step")
        lr = tf.train.exponential_decay(1.0, global_step, 40, 0.5)
        train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
        tf.summary.scalar("loss", loss)
        merged = tf.summary.merge_all()
        init = tf.global_variables_initializer()
    with tf.Session(graph=graph) as sess:
        writer = tf.summary.FileWriter("logs/fold%d" % fold, graph)
        sess.run(init)
        for _ in range(STEPS):
            batch = random_state.choice(train_idx, 24)
            feed = {inputs: X[batch], targets: y[batch]}
            sess.run(train_op, feed)
            step = sess.run(global_step)
            if step % 30 == 0:
                writer.add_summary(sess.run(merged, feed), step)
        writer.close()
        return sess.run(accuracy, {inputs: X[test_idx], targets: y[test_idx]})


scores = []
for k in range(K):
    train_idx = np.concatenate([f for j, f in enumerate(folds) if j != k])
    scores.append(run_fold(train_idx, folds[k], k))
    print("fold %d: %.2f" % (k, scores[-1]))
print("mean %.2f" % np.mean(scores))
