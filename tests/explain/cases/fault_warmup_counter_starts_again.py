# finds: rate-starts-over; runs: 2
# The warm-up looks at a Python counter: after a restore the rate warms up again although the step is past it.
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_integer("train_steps", 400, "Step at which training is complete.")
flags.DEFINE_integer("session_steps", 200, "Steps after which the job yields the machine.")
flags.DEFINE_integer("warmup", 150, "Steps of linear warm-up.")
flags.DEFINE_float("peak", 0.1, "Learning rate after the warm-up.")
flags.DEFINE_string("train_dir", "train", "Checkpoints.")
FLAGS = flags.FLAGS


def main(_):
    rng = np.random.RandomState(99)
    x = tf.placeholder(tf.float32, [None, 10], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    lr = tf.placeholder(tf.float32, name="learning_rate")
    w = tf.get_variable("w", [10, 3], initializer=tf.zeros_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=tf.matmul(x, w))
    global_step = tf.train.get_or_create_global_step()
    train_op = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=global_step)
    centers = np.eye(3, 10) * 3

    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=FLAGS.train_dir,
        hooks=[tf.train.StopAtStepHook(last_step=FLAGS.train_steps)],
        save_summaries_steps=None,
        save_summaries_secs=None,
    ) as sess:
        done = 0
        while not sess.should_stop() and done < FLAGS.session_steps:
            labels = rng.randint(0, 3, 16)
            rate = FLAGS.peak * min(1.0, (done + 1.0) / FLAGS.warmup)
            feed = {x: centers[labels] + rng.randn(16, 10), y: labels, lr: rate}
            _, value = sess.run([train_op, loss], feed)
            if done % 100 == 0:
                print("rate %.4f loss %.3f" % (rate, value))
            done += 1
    print(tf.train.latest_checkpoint(FLAGS.train_dir))


if __name__ == "__main__":
    tf.app.run()
