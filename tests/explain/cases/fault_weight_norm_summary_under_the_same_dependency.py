# finds: updates-race; may find: order-undefined
# The norm's summary and the update both wait for the gradients only, so the norm is the old or the new weights'.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(94)
x = tf.placeholder(tf.float32, [None, 6], name="x")
y = tf.placeholder(tf.float32, [None, 2], name="y")
w = tf.get_variable("w", [6, 2], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, w)))
global_step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.5, global_step, 50, 0.8)
optimizer = tf.train.GradientDescentOptimizer(lr)
gradient = tf.gradients(loss, [w])[0]

with tf.control_dependencies([gradient]):
    update = optimizer.apply_gradients([(gradient, w)], global_step=global_step)
    norms = tf.summary.merge(
        [
            tf.summary.scalar("norm/weights", tf.sqrt(tf.reduce_sum(tf.square(w)))),
            tf.summary.scalar("norm/gradient", tf.sqrt(tf.reduce_sum(tf.square(gradient)))),
        ]
    )

with tf.Session() as sess:
    writer = tf.summary.FileWriter("logs/norms")
    sess.run(tf.global_variables_initializer())
    for _ in range(200):
        xs = rng.randn(25, 6)
        feed = {x: xs, y: np.eye(2)[(xs.sum(axis=1) > 0).astype(int)]}
        _, summary = sess.run([update, norms], feed)
        writer.add_summary(summary, sess.run(global_step))
    writer.close()
    print("step %d loss %.3f" % tuple(sess.run([global_step, loss], feed)))
