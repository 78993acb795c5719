# finds: step-created-twice; may find: rate-never-moves step-never-moves step-not-passed
# The schedule asks get_or_create_global_step for a step while the script counts its own variable, num_updates.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_float("learning_rate", 0.2, "Initial learning rate.")
flags.DEFINE_integer("decay_every", 50, "Steps between two decays.")
flags.DEFINE_integer("max_steps", 300, "Number of updates.")
FLAGS = flags.FLAGS


def get_learning_rate():
    step = tf.train.get_or_create_global_step()
    return tf.train.exponential_decay(FLAGS.learning_rate, step, FLAGS.decay_every, 0.7, staircase=True)


def main(_):
    rng = np.random.RandomState(5)
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    w = tf.Variable(tf.zeros([6, 1]), name="w")
    b = tf.Variable(0.0, name="b")
    logits = tf.squeeze(tf.matmul(x, w), axis=1) + b
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))

    num_updates = tf.Variable(0, name="num_updates", trainable=False)
    rate = get_learning_rate()
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=num_updates)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        while sess.run(num_updates) < FLAGS.max_steps:
            xs = rng.randn(40, 6)
            ys = (xs[:, 0] + xs[:, 3] + 0.5 * rng.randn(40) > 0).astype(np.float32)
            _, value, lr = sess.run([train_op, loss, rate], {x: xs, y: ys})
        print("updates %d rate %.4g loss %.4g" % (sess.run(num_updates), lr, value))


if __name__ == "__main__":
    tf.app.run()
