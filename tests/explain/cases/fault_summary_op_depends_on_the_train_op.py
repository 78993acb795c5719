# finds: trained-for-summaries
# The merged summary waits for the train op, so running it for a batch just trained trains that batch again.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_integer("steps", 250, "")
flags.DEFINE_integer("log_every", 25, "")
FLAGS = flags.FLAGS


def model_fn(x, y):
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.losses.mean_squared_error(y, tf.nn.softplus(tf.matmul(x, w) + b))


def main(_):
    rng = np.random.RandomState(97)
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    loss = model_fn(x, y)
    step = tf.train.get_or_create_global_step()
    lr = tf.train.inverse_time_decay(0.1, step, 100, 0.5)
    tf.summary.scalar("loss", loss)
    tf.summary.scalar("lr", lr)
    train_op = tf.train.MomentumOptimizer(lr, 0.5).minimize(loss, step)
    with tf.control_dependencies([train_op]):
        summary_op = tf.summary.merge_all()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        writer = tf.summary.FileWriter("summaries", sess.graph)
        for i in range(FLAGS.steps):
            xs = rng.randn(10, 4)
            ys = np.log1p(np.exp(xs[:, :1] - xs[:, 3:])) + 0.1 * rng.randn(10, 1)
            sess.run(train_op, {x: xs, y: ys})
            if i % FLAGS.log_every == 0:
                writer.add_summary(sess.run(summary_op, {x: xs, y: ys}), sess.run(step))
        writer.close()
        print("batches %d, step %d, loss %.4f" % (FLAGS.steps, sess.run(step), sess.run(loss, {x: xs, y: ys})))


if __name__ == "__main__":
    tf.app.run()
