# finds: step-not-passed; may find: step-never-moves rate-never-moves
# apply_gradients gets no global_step, so the decay never sees a step counted.
import numpy as np
import tensorflow as tf

HIDDEN = 12
MAX_NORM = 1.0

rng = np.random.RandomState(9)
xs = rng.uniform(-3, 3, [300, 1]).astype(np.float32)
ys = (np.sin(xs) + 0.05 * rng.randn(300, 1)).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 1], "x")
y = tf.placeholder(tf.float32, [None, 1], "y")
w1 = tf.Variable(rng.randn(1, HIDDEN).astype(np.float32), name="w1")
b1 = tf.Variable(np.linspace(-2, 2, HIDDEN).astype(np.float32), name="b1")
w2 = tf.Variable((0.2 * rng.randn(HIDDEN, 1)).astype(np.float32), name="w2")
out = tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2)
loss = tf.reduce_mean(tf.square(out - y))

global_step = tf.Variable(0, name="global_step", trainable=False)
lr = tf.train.exponential_decay(0.1, global_step, 100, 0.5, staircase=True)
tvars = tf.trainable_variables()
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, tvars), MAX_NORM)
optimizer = tf.train.GradientDescentOptimizer(lr)
train_op = optimizer.apply_gradients(zip(grads, tvars))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(400):
        idx = rng.randint(0, 300, 32)
        _, l, current_lr = sess.run([train_op, loss, lr], feed_dict={x: xs[idx], y: ys[idx]})
        if i % 100 == 0:
            print("step: %d  loss: %.3g  lr: %.3g" % (i, l, current_lr))
    print("final loss: %.3g" % sess.run(loss, feed_dict={x: xs, y: ys}))
