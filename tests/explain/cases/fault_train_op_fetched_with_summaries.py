# finds: trained-for-summaries
# Every tenth batch is trained twice: the train op is fetched again together with the summaries.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(55)
n_in, n_out = 6, 2
mapping = rng.randn(n_in, n_out)

with tf.name_scope("input"):
    x = tf.placeholder(tf.float32, [None, n_in], name="x-input")
    y_ = tf.placeholder(tf.float32, [None, n_out], name="y-input")
with tf.name_scope("layer"):
    weights = tf.Variable(tf.constant(0.1, shape=[n_in, n_out]))
    biases = tf.Variable(tf.constant(0.0, shape=[n_out]))
    y = tf.matmul(x, weights) + biases
with tf.name_scope("train"):
    loss = tf.losses.mean_squared_error(y_, y)
    global_step = tf.train.get_or_create_global_step()
    train_step = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=global_step)
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()

sess = tf.InteractiveSession()
train_writer = tf.summary.FileWriter("logs/train", sess.graph)
tf.global_variables_initializer().run()
for i in range(300):
    xs = rng.randn(32, n_in)
    feed = {x: xs, y_: xs.dot(mapping) + 0.1 * rng.randn(32, n_out)}
    sess.run(train_step, feed_dict=feed)
    if i % 10 == 9:
        summary, _ = sess.run([merged, train_step], feed_dict=feed)
        train_writer.add_summary(summary, sess.run(global_step))
train_writer.close()
print("batches: 300, step: %d, loss: %.4f" % (sess.run(global_step), loss.eval(feed)))
