# finds: decay-in-epochs
# The rate should fall every 10 epochs, but decay_steps counts batches: after one epoch of 40 it's down four times.
import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_float("learning_rate", 0.1, "initial learning rate")
tf.app.flags.DEFINE_float("decay_factor", 0.5, "learning rate decay factor")
tf.app.flags.DEFINE_integer("num_epochs_per_decay", 10, "epochs after which the learning rate decays")
tf.app.flags.DEFINE_integer("num_epochs", 20, "epochs to train")
tf.app.flags.DEFINE_integer("batch_size", 10, "examples per batch")
FLAGS = tf.app.flags.FLAGS


def train_fn(total_loss, global_step):
    lr = tf.train.exponential_decay(
        FLAGS.learning_rate, global_step, FLAGS.num_epochs_per_decay, FLAGS.decay_factor, staircase=True
    )
    opt = tf.train.GradientDescentOptimizer(lr)
    grads = opt.compute_gradients(total_loss)
    return opt.apply_gradients(grads, global_step=global_step), lr


def main(argv=None):
    rng = np.random.RandomState(15)
    n = 400
    xs = rng.randn(n, 6).astype(np.float32)
    ys = (np.abs(xs[:, :2]).sum(axis=1, keepdims=True) + 0.1 * rng.randn(n, 1)).astype(np.float32)
    x = tf.placeholder(tf.float32, [None, 6])
    y = tf.placeholder(tf.float32, [None, 1])
    w1 = tf.Variable((0.4 * rng.randn(6, 16)).astype(np.float32), name="w1")
    w2 = tf.Variable((0.4 * rng.randn(16, 1)).astype(np.float32), name="w2")
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2) - y))
    global_step = tf.train.get_or_create_global_step()
    train_op, lr = train_fn(loss, global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(FLAGS.num_epochs):
            for b in range(n // FLAGS.batch_size):
                part = slice(b * FLAGS.batch_size, (b + 1) * FLAGS.batch_size)
                sess.run(train_op, {x: xs[part], y: ys[part]})
            if epoch % 5 == 4:
                print("epoch %d loss %.3f lr %.3g" % (epoch + 1, sess.run(loss, {x: xs, y: ys}), sess.run(lr)))


if __name__ == "__main__":
    tf.app.run()
