# finds: step-trained
# The step is a trainable float, and the L2 term over all trainable variables pulls it back to 0 as it counts.
import numpy as np
import tensorflow as tf

REG = 1e-2

rs = np.random.RandomState(73)
data = rs.rand(400, 5).astype(np.float32)
label = (data.dot([1.0, 2.0, 3.0, 0.0, 0.0]) > 3).astype(np.float32).reshape(-1, 1)

tf_data = tf.placeholder(tf.float32, [None, 5])
tf_label = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.zeros([5, 1]), name="W")
b = tf.Variable(tf.zeros([1]), name="b")
step = tf.Variable(0.0, name="step")
scores = tf.matmul(tf_data, W) + b
data_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=scores, labels=tf_label))
reg_loss = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
loss = data_loss + REG * reg_loss
lr = tf.train.exponential_decay(0.5, step, 100, 0.9)
optimize = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(301):
        at = rs.randint(0, 400, 40)
        if i % 100 == 0:
            print("batch %d: step %.1f, lr %.3f" % (i, sess.run(step), sess.run(lr)))
        sess.run(optimize, {tf_data: data[at], tf_label: label[at]})
    print("loss %.2f" % sess.run(data_loss, {tf_data: data, tf_label: label}))
