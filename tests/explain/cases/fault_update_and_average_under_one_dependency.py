# finds: updates-race
# Train op and averages wait for the loss, but not for one another.
import numpy as np
import tensorflow as tf


def get_train_op(loss, step, lr):
    with tf.control_dependencies([loss]):
        train = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=step)
        variable_averages = tf.train.ExponentialMovingAverage(0.9)
        maintain = variable_averages.apply(tf.trainable_variables())
    with tf.control_dependencies([train, maintain]):
        return tf.no_op(name="train")


def main():
    rng = np.random.RandomState(29)
    users, items = 12, 9
    ratings = rng.randn(users, 2).dot(rng.randn(2, items))
    u = tf.placeholder(tf.int32, [None])
    i = tf.placeholder(tf.int32, [None])
    r = tf.placeholder(tf.float32, [None])
    p = tf.get_variable("p", initializer=(0.3 * rng.randn(users, 2)).astype(np.float32))
    q = tf.get_variable("q", initializer=(0.3 * rng.randn(items, 2)).astype(np.float32))
    predicted = tf.reduce_sum(tf.gather(p, u) * tf.gather(q, i), axis=1)
    loss = tf.reduce_mean(tf.square(predicted - r))
    step = tf.train.create_global_step()
    train_op = get_train_op(loss, step, 0.05)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir="factors",
        hooks=[tf.train.StopAtStepHook(last_step=300)],
        save_summaries_steps=None,
        save_summaries_secs=None,
    ) as sess:
        while not sess.should_stop():
            us, its = rng.randint(0, users, 40), rng.randint(0, items, 40)
            feed = {u: us, i: its, r: ratings[us, its] + 0.2 * rng.randn(40)}
            value, _ = sess.run([loss, train_op], feed)
    print("loss %.2f" % value)


main()
