# asks: rate-never-moves
# The boundaries come from a run of 90000 steps, and this one ends after 350.
import numpy as np
import tensorflow as tf

FLAGS = tf.flags.FLAGS
tf.flags.DEFINE_integer("train_steps", 350, "Number of training steps.")
tf.flags.DEFINE_float("base_lr", 0.1, "Base learning rate.")


def lr_schedule(step, base):
    boundaries = [30000, 60000, 80000]
    values = [base, base * 0.1, base * 0.01, base * 0.001]
    return tf.train.piecewise_constant(tf.cast(step, tf.int32), boundaries, values)


def conv_net(images):
    rng = np.random.RandomState(0)
    kernel = tf.get_variable("kernel", initializer=rng.randn(3, 3, 1, 4).astype(np.float32) * 0.3)
    maps = tf.nn.relu(tf.nn.conv2d(images, kernel, strides=[1, 1, 1, 1], padding="SAME"))
    pooled = tf.reduce_mean(maps, axis=[1, 2])
    weights = tf.get_variable("weights", [4, 2], initializer=tf.zeros_initializer())
    return tf.matmul(pooled, weights)


def main(argv):
    rng = np.random.RandomState(19)
    images = tf.placeholder(tf.float32, [None, 6, 6, 1])
    labels = tf.placeholder(tf.int64, [None])
    loss = tf.losses.sparse_softmax_cross_entropy(labels, conv_net(images))
    gstep = tf.train.get_or_create_global_step()
    lr = lr_schedule(gstep, FLAGS.base_lr)
    train_op = tf.train.MomentumOptimizer(lr, 0.9).minimize(loss, global_step=gstep)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=FLAGS.train_steps)]) as sess:
        while not sess.should_stop():
            k = rng.randint(0, 2, 16)
            pictures = rng.rand(16, 6, 6, 1)
            pictures[k == 1, ::2] *= 0.2
            _, value, rate = sess.run([train_op, loss, lr], {images: pictures, labels: k})
    print("loss %.2f at rate %.3g" % (value, rate))


if __name__ == "__main__":
    tf.app.run(main)
