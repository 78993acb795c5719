# finds: step-not-found; may find: step-not-passed step-never-moves step-in-name-only
# get_global_step gives None when the train op is built, so minimize counts nothing; the step is created afterwards.
import numpy as np
import tensorflow as tf


def build_train_op(loss, lr):
    optimizer = tf.train.MomentumOptimizer(lr, 0.9)
    return optimizer.minimize(loss, global_step=tf.train.get_global_step())


def main():
    rng = np.random.RandomState(11)
    data = rng.uniform(-1, 1, [200, 2]).astype(np.float32)
    labels = (data[:, :1] * 2 - data[:, 1:] + 0.05 * rng.randn(200, 1)).astype(np.float32)

    inputs = tf.placeholder(tf.float32, [None, 2], name="inputs")
    outputs = tf.placeholder(tf.float32, [None, 1], name="outputs")
    weights = tf.Variable(tf.zeros([2, 1]), name="weights")
    bias = tf.Variable(tf.zeros([1]), name="bias")
    loss = tf.losses.mean_squared_error(outputs, tf.matmul(inputs, weights) + bias)

    train_op = build_train_op(loss, 0.01)
    step = tf.train.get_or_create_global_step()
    saver = tf.train.Saver()

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(15):
            for start in range(0, 200, 20):
                batch = slice(start, start + 20)
                sess.run(train_op, {inputs: data[batch], outputs: labels[batch]})
        path = saver.save(sess, "model/linear", global_step=step)
        print("saved", path, "loss %.3g" % sess.run(loss, {inputs: data, outputs: labels}))


main()
