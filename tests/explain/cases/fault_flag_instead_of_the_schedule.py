# finds: rate-not-used; may find: order-undefined
# The optimizer gets the flag's rate and not the schedule made from it.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_float("lr", 0.05, "Initial learning rate.")
flags.DEFINE_integer("decay_steps", 80, "Steps per decay.")
flags.DEFINE_float("decay_rate", 0.6, "Decay rate.")
flags.DEFINE_integer("max_steps", 320, "Steps.")
FLAGS = flags.FLAGS


def build(x, y):
    w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer(0.3))
    rotated = tf.matmul(x, w)
    return tf.reduce_mean(tf.norm(rotated - y + 1e-6, axis=1))


def main(_):
    global_step = tf.train.get_or_create_global_step()
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.float32, [None, 2])
    loss = build(x, y)
    learning_rate = tf.train.exponential_decay(FLAGS.lr, global_step, FLAGS.decay_steps, FLAGS.decay_rate)
    tf.summary.scalar("learning_rate", learning_rate)
    tf.summary.scalar("loss", loss)
    train_op = tf.train.GradientDescentOptimizer(FLAGS.lr).minimize(loss, global_step=global_step)
    summary_hook = tf.train.SummarySaverHook(save_steps=40, output_dir="summaries", summary_op=tf.summary.merge_all())
    stop = tf.train.StopAtStepHook(last_step=FLAGS.max_steps)
    rng = np.random.RandomState(18)
    angle = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with tf.train.MonitoredTrainingSession(hooks=[stop, summary_hook], save_summaries_steps=None) as sess:
        while not sess.should_stop():
            points = rng.randn(20, 2)
            value, _ = sess.run([loss, train_op], {x: points, y: points.dot(angle)})
    print("loss %.2f" % value)


if __name__ == "__main__":
    tf.app.run()
