# finds nothing
# It makes no saver, no writer and no counter: the session's hooks save, write and stop by the step.
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.INFO)


class BestLossHook(tf.train.SessionRunHook):
    def __init__(self, loss):
        self.loss = loss
        self.best = float("inf")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.best = min(self.best, run_values.results)

    def end(self, session):
        print("best loss %.3f" % self.best)


def main():
    r = np.random.RandomState(8)
    images = r.rand(200, 16).astype(np.float32)
    labels = (images[:, :8].sum(1) > images[:, 8:].sum(1)).astype(np.int32)
    w = tf.get_variable("weights", [16, 2], initializer=tf.zeros_initializer())
    b = tf.get_variable("biases", [2], initializer=tf.zeros_initializer())
    logits = tf.nn.xw_plus_b(images, w, b)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.piecewise_constant(global_step, [100, 200], [1.0, 0.5, 0.1])
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step)
    tf.summary.scalar("loss", loss)
    tf.summary.scalar("learning_rate", lr)
    hooks = [
        tf.train.StopAtStepHook(last_step=300),
        tf.train.NanTensorHook(loss),
        tf.train.LoggingTensorHook({"loss": loss, "lr": lr}, every_n_iter=100),
        BestLossHook(loss),
    ]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir="logs", hooks=hooks, save_checkpoint_steps=150, save_summaries_steps=50
    ) as sess:
        while not sess.should_stop():
            sess.run(train_op)
    print(tf.train.latest_checkpoint("logs"))
    print(tf.train.load_variable("logs", "global_step"))


main()
