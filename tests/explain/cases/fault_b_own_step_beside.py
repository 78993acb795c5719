# finds: step-created-twice; may find: step-never-moves rate-never-moves
# train() makes and counts its own step; the schedule and the hook take get_or_create_global_step's, which stays 0.
import numpy as np
import tensorflow as tf

LOGDIR = "train_logs"


def learning_rate_schedule(base):
    return tf.train.exponential_decay(base, tf.train.get_or_create_global_step(), 50, 0.7)


def train(loss, lr):
    step = tf.Variable(0, trainable=False, name="train_step")
    return tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step), step


noise = np.random.RandomState(20)
t = np.linspace(0, 1, 100, dtype=np.float32).reshape(-1, 1)
curve = (2 * t**2 - t + 0.02 * noise.randn(100, 1)).astype(np.float32)

basis = tf.constant(np.hstack([np.ones_like(t), t, t**2]))
coefficients = tf.get_variable("coefficients", [3, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(curve, tf.matmul(basis, coefficients))
lr = learning_rate_schedule(0.5)
train_op, step = train(loss, lr)
tf.summary.scalar("loss", loss)
summary_hook = tf.train.SummarySaverHook(save_steps=50, output_dir=LOGDIR, summary_op=tf.summary.merge_all())

with tf.train.SingularMonitoredSession(hooks=[summary_hook]) as sess:
    for _ in range(300):
        sess.run(train_op)
    steps = sess.run([step, tf.train.get_global_step()])
    print("train_step %d, global_step %d, lr %.2f, loss %.4f" % (steps[0], steps[1], sess.run(lr), sess.run(loss)))
