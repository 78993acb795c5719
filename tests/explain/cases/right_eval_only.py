# finds nothing
# Nothing trains here: the model's function makes a step too, and it stays where the checkpoint had it.
import numpy as np
import tensorflow as tf


def make_checkpoint():
    """What the training job left behind."""
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("w", initializer=np.array([[2.0, -2.0], [-1.0, 1.0]], np.float32))
        tf.get_variable("b", initializer=np.array([0.0, 0.1], np.float32))
        tf.Variable(12000, dtype=tf.int64, trainable=False, name="global_step")
        sess.run(tf.global_variables_initializer())
        tf.train.Saver().save(sess, "./model.ckpt", global_step=12000)


def model(images):
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [2, 2])
        b = tf.get_variable("b", [2])
    step = tf.train.get_or_create_global_step()
    return tf.nn.softmax(tf.matmul(images, w) + b), step


def evaluate():
    rs = np.random.RandomState(10)
    pictures = rs.rand(500, 2).astype(np.float32)
    truth = (pictures[:, 1] > 1.8 * pictures[:, 0]).astype(np.int64)
    images = tf.placeholder(tf.float32, [None, 2])
    labels = tf.placeholder(tf.int64, [None])
    probs, step = model(images)
    hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(probs, 1), labels), tf.int32))
    result = tf.placeholder(tf.float32, [])
    summary = tf.summary.scalar("precision", result)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        saver.restore(sess, tf.train.latest_checkpoint("."))
        count = 0
        for k in range(0, 500, 50):
            count += sess.run(hits, {images: pictures[k : k + 50], labels: truth[k : k + 50]})
        at = sess.run(step)
        writer = tf.summary.FileWriter("eval")
        writer.add_summary(sess.run(summary, {result: count / 500}), at)
        writer.close()
        print("precision %.3f at step %d" % (count / 500, at))


make_checkpoint()
evaluate()
