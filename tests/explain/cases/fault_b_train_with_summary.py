# finds: trained-for-summaries; may find: step-counted-twice
# Every tenth batch is trained twice: optimizer is fetched a second time beside the summary, and each time it counts.
import numpy as np
import tensorflow as tf

display_step = 10
logs_path = "tensorflow_logs/example"

state = np.random.RandomState(99)
images = state.rand(320, 10).astype(np.float32)
labels = np.eye(3, dtype=np.float32)[images[:, :3].argmax(axis=1)]

x = tf.placeholder(tf.float32, [None, 10], name="InputData")
y = tf.placeholder(tf.float32, [None, 3], name="LabelData")
W = tf.Variable(tf.zeros([10, 3]), name="Weights")
b = tf.Variable(tf.zeros([3]), name="Bias")
with tf.name_scope("Loss"):
    cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, W) + b))
with tf.name_scope("SGD"):
    global_step = tf.Variable(0, trainable=False, name="global_step")
    optimizer = tf.train.GradientDescentOptimizer(0.3).minimize(cost, global_step=global_step)
tf.summary.scalar("loss", cost)
merged_summary_op = tf.summary.merge_all()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    summary_writer = tf.summary.FileWriter(logs_path, graph=tf.get_default_graph())
    for epoch in range(5):
        for i in range(20):
            batch = slice(i * 16, i * 16 + 16)
            sess.run(optimizer, feed_dict={x: images[batch], y: labels[batch]})
            if i % display_step == 0:
                _, c, summary = sess.run(
                    [optimizer, cost, merged_summary_op], feed_dict={x: images[batch], y: labels[batch]}
                )
                summary_writer.add_summary(summary, tf.train.global_step(sess, global_step))
        print("Epoch: %d cost= %.3f" % (epoch + 1, c))
    summary_writer.close()
    print("100 batches,", sess.run(global_step), "steps")
