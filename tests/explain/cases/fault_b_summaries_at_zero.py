# finds: summary-without-step
# add_summary gets no step: all points of the curve are written at step 0.
import numpy as np
import tensorflow as tf

rand = np.random.RandomState(41)
temperature = rand.uniform(-5, 30, (200, 1)).astype(np.float32)
sales = (np.maximum(temperature - 10, 0) * 0.4 + 1).astype(np.float32)

with tf.name_scope("inputs"):
    t = tf.placeholder(tf.float32, [None, 1], name="t")
    s = tf.placeholder(tf.float32, [None, 1], name="s")
with tf.name_scope("layer"):
    gain = tf.Variable(tf.constant([[0.1]]), name="gain")
    offset = tf.Variable(tf.constant([0.0]), name="offset")
    prediction = tf.nn.relu(tf.matmul(t / 10.0, gain) + offset)
with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.square(s - prediction))
    tf.summary.scalar("loss", loss)
with tf.name_scope("train"):
    global_step = tf.train.get_or_create_global_step()
    train_step = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=global_step)

sess = tf.Session()
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs/", sess.graph)
sess.run(tf.global_variables_initializer())
for i in range(400):
    j = rand.randint(0, 200, 20)
    sess.run(train_step, feed_dict={t: temperature[j], s: sales[j]})
    if i % 50 == 0:
        rs = sess.run(merged, feed_dict={t: temperature, s: sales})
        writer.add_summary(rs)
print("step %d loss %.2f" % tuple(sess.run([global_step, loss], feed_dict={t: temperature, s: sales})))
writer.close()
sess.close()
