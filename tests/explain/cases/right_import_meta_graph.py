# finds nothing
# The second part has no code of the model: graph, step and train op come from the .meta file and go on counting.
import os

import numpy as np
import tensorflow as tf

rs = np.random.RandomState(18)
xs = rs.randn(300, 3).astype(np.float32)
ys = (xs.dot(np.array([1.0, 1.0, -2.0])) > 0).astype(np.float32)


def feed(graph, step):
    rows = np.random.RandomState(step).randint(0, 300, 30)
    return {graph.get_tensor_by_name("x:0"): xs[rows], graph.get_tensor_by_name("y:0"): ys[rows]}


def first_part(last_step):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.placeholder(tf.float32, [None], name="y")
        w = tf.Variable(tf.zeros([3, 1]), name="w")
        logit = tf.squeeze(tf.matmul(x, w), axis=1)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logit), name="loss")
        step = tf.train.get_or_create_global_step()
        lr = tf.train.exponential_decay(1.0, step, 100, 0.5, name="lr")
        train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
        tf.add_to_collection("train_op", train_op)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            while sess.run(step) < last_step:
                sess.run(train_op, feed(graph, sess.run(step)))
            return tf.train.Saver().save(sess, os.path.join(os.getcwd(), "part"), global_step=step)


def second_part(path, last_step):
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(sess, path)
        step = tf.train.get_global_step()
        train_op = tf.get_collection("train_op")[0]
        print("continues at", sess.run(step))
        while tf.train.global_step(sess, step) < last_step:
            sess.run(train_op, feed(graph, sess.run(step)))
        everything = {"x:0": xs, "y:0": ys}
        print("step %d loss %.2f lr %.3f" % tuple(sess.run([step, "loss:0", "lr:0"], everything)))


second_part(first_part(150), 350)
