# finds: not-finite
# The cross entropy is written as y * log(softmax): when a probability is exactly 0, the loss becomes NaN and stays so.
import numpy as np
import tensorflow as tf

N_CLASSES = 3
rs = np.random.RandomState(6)
centers = np.array([[0, 0], [40, 0], [0, 40]], np.float32)
which = rs.randint(0, N_CLASSES, 300)
inputs = centers[which] + rs.randn(300, 2).astype(np.float32)
onehot = np.eye(N_CLASSES, dtype=np.float32)[which]

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, N_CLASSES])
W = tf.Variable(tf.zeros([2, N_CLASSES]))
b = tf.Variable(tf.zeros([N_CLASSES]))
y_hat = tf.nn.softmax(tf.matmul(x, W) + b)
cross_entropy = tf.reduce_mean(-tf.reduce_sum(y * tf.log(y_hat), axis=1))
global_step = tf.Variable(0, name="global_step", trainable=False)
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        for i in range(0, 300, 30):
            sess.run(train_step, {x: inputs[i : i + 30], y: onehot[i : i + 30]})
        print("epoch", epoch, "cross entropy", sess.run(cross_entropy, {x: inputs, y: onehot}))
    print("steps", sess.run(global_step))
