# finds: not-initialized
# init is built before minimize: Adam's slots and beta powers have no value when training begins.
import numpy as np
import tensorflow as tf

rs = np.random.RandomState(2)
xs = rs.randn(64, 3).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]), name="w")
energy = tf.reduce_mean(tf.square(tf.matmul(x, w)))
global_step = tf.Variable(0, name="global_step", trainable=False)
init = tf.global_variables_initializer()
train = tf.train.AdamOptimizer(0.01).minimize(energy, global_step=global_step, name="train")

with tf.Session() as sess:
    sess.run(init)
    print("before: %.2f" % sess.run(energy, {x: xs}))
    try:
        for _ in range(100):
            sess.run(train, {x: xs})
    except tf.errors.FailedPreconditionError as error:
        print("stopped by", type(error).__name__)
    print("step", sess.run(global_step), "energy %.2f" % sess.run(energy, {x: xs}))
