# finds nothing
# The step is fetched in the run that counts it, but read by read_value() under control_dependencies: in a set order.
import numpy as np
import tensorflow as tf

rnd = np.random.RandomState(9)
feature = rnd.uniform(0, 1, (128, 2)).astype(np.float32)
goal = (feature[:, :1] * 0.3 + feature[:, 1:] * 0.9).astype(np.float32)

inp = tf.placeholder(tf.float32, [None, 2], name="inp")
out = tf.placeholder(tf.float32, [None, 1], name="out")
m = tf.Variable(tf.zeros([2, 1]), name="m")
loss = tf.reduce_mean(tf.abs(tf.matmul(inp, m) - out))
global_step = tf.Variable(0, dtype=tf.int64, trainable=False, name="global_step")
lr = tf.train.exponential_decay(0.3, global_step, 100, 0.3)
with tf.control_dependencies([tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)]):
    step_now = global_step.read_value()
loss_summary = tf.summary.scalar("loss", loss)
writer = tf.summary.FileWriter("tb")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    step = 0
    while step < 300:
        i = rnd.randint(0, 128, 16)
        step = sess.run(step_now, {inp: feature[i], out: goal[i]})
        if step % 25 == 0:
            writer.add_summary(sess.run(loss_summary, {inp: feature, out: goal}), step)
    print("loss %.2f" % sess.run(loss, {inp: feature, out: goal}), "step", step)
writer.close()
