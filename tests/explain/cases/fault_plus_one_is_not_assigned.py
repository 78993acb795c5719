# finds: step-never-moves; may find: step-not-passed step-in-name-only
# `step + 1` is run in every turn, but it is only a sum: nothing assigns it to the step.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(17)
points = np.concatenate([rng.randn(60, 2) + 2, rng.randn(60, 2) - 2]).astype(np.float32)
signs = np.concatenate([np.ones((60, 1)), -np.ones((60, 1))]).astype(np.float32)

p = tf.placeholder(tf.float32, [None, 2])
s = tf.placeholder(tf.float32, [None, 1])
normal = tf.Variable([[0.1], [-0.1]], name="normal")
offset = tf.Variable([0.0], name="offset")
margin = s * (tf.matmul(p, normal) + offset)
hinge = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin))

global_step = tf.Variable(0, trainable=False, name="global_step")
next_step = global_step + 1
train = tf.train.GradientDescentOptimizer(0.01).minimize(hinge)
tf.summary.scalar("hinge", hinge)
merged = tf.summary.merge_all()
saver = tf.train.Saver()

with tf.Session() as sess:
    writer = tf.summary.FileWriter("logs/svm", sess.graph)
    sess.run(tf.global_variables_initializer())
    for turn in range(200):
        rows = rng.randint(0, 120, 10)
        _, summary, n = sess.run([train, merged, next_step], {p: points[rows], s: signs[rows]})
        if turn % 10 == 0:
            writer.add_summary(summary, turn)
    writer.close()
    saver.save(sess, "logs/svm/model", global_step=global_step)
    print("count %d, hinge %.4f" % (n, sess.run(hinge, {p: points, s: signs})))
