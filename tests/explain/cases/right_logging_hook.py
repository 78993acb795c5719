# finds nothing
# Hooks of a MonitoredSession that it makes itself, and num_steps counted from where it begins: nothing is restored.
import numpy as np
import tensorflow as tf


class RateRecorder(tf.train.SessionRunHook):
    """Keeps the rate of every 50th step."""

    def __init__(self, lr, every):
        self._lr, self._every, self.rates = lr, every, []

    def begin(self):
        self._calls = 0

    def before_run(self, run_context):
        self._calls += 1
        if self._calls % self._every == 1:
            return tf.train.SessionRunArgs({"lr": self._lr})

    def after_run(self, run_context, run_values):
        if run_values.results is not None:
            self.rates.append("%.3f" % run_values.results["lr"])


tf.logging.set_verbosity(tf.logging.WARN)
generator = np.random.RandomState(64)
design = generator.randn(90, 2).astype(np.float32)
observed = (1.5 * design[:, 0] - 0.5 * design[:, 1] + 0.2 * generator.randn(90)).astype(np.float32)

beta = tf.get_variable("beta", shape=[2], initializer=tf.zeros_initializer())
predicted = tf.reduce_sum(design * beta, axis=1)
loss = tf.losses.absolute_difference(observed, predicted)
step = tf.train.get_or_create_global_step()
lr = tf.train.linear_cosine_decay(0.2, step, 200, beta=0.01)
train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, step)

recorder = RateRecorder(lr, every=50)
hooks = [
    tf.train.LoggingTensorHook({"lr": lr}, every_n_iter=50),
    tf.train.StepCounterHook(every_n_steps=100, output_dir="steps"),
    tf.train.StopAtStepHook(num_steps=200),
    tf.train.FinalOpsHook([loss, step]),
    recorder,
]
with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(), hooks=hooks) as session:
    while not session.should_stop():
        session.run(train_op)
print("rates", recorder.rates)
print("final: loss %.2f step %d" % tuple(hooks[3].final_ops_values))
