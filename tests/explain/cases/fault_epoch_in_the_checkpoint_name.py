# finds: step-in-name-only
# Checkpoints are numbered by the epoch, although the step is counted and the schedule reads it.
import numpy as np
import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("epochs", 6, "Epochs.")
tf.app.flags.DEFINE_integer("batch", 32, "Batch size.")
tf.app.flags.DEFINE_string("checkpoint_path", "checkpoints/mlp", "Prefix of checkpoints.")


def load_data():
    rng = np.random.RandomState(40)
    xs = rng.uniform(-1, 1, (640, 2)).astype(np.float32)
    inside = (np.square(xs).sum(axis=1) < 0.5).astype(np.float32)
    return xs, inside[:, None]


def main(argv):
    xs, ys = load_data()
    rng = np.random.RandomState(41)
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.float32, [None, 1])
    w1 = tf.Variable(rng.randn(2, 12).astype(np.float32), name="w1")
    b1 = tf.Variable(tf.zeros([12]), name="b1")
    w2 = tf.Variable((rng.randn(12, 1) * 0.3).astype(np.float32), name="w2")
    b2 = tf.Variable(tf.zeros([1]), name="b2")
    logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
    loss = tf.losses.sigmoid_cross_entropy(y, logits)
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.exponential_decay(0.3, global_step, 60, 0.8)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(1, FLAGS.epochs + 1):
            order = rng.permutation(640)
            for i in range(0, 640, FLAGS.batch):
                rows = order[i : i + FLAGS.batch]
                sess.run(train_op, feed_dict={x: xs[rows], y: ys[rows]})
            saver.save(sess, FLAGS.checkpoint_path, global_step=epoch)
        print(tf.train.latest_checkpoint("checkpoints"), "step %d" % sess.run(global_step))
        print("loss %.3f" % sess.run(loss, {x: xs, y: ys}))


if __name__ == "__main__":
    tf.app.run()
