# finds nothing; runs: 2
# The loop ends at max_steps of the restored step: a second run finds that it's done and trains no more.
import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("max_steps", 400, "Train up to this step.")
flags.DEFINE_integer("batch_size", 20, "Batch size.")
flags.DEFINE_float("learning_rate", 0.3, "Initial learning rate.")
flags.DEFINE_string("train_dir", "train", "Where to keep checkpoints and summaries.")
FLAGS = flags.FLAGS


def inputs():
    r = np.random.RandomState(42)
    points = r.uniform(-1, 1, (600, 2)).astype(np.float32)
    labels = (points[:, 0] * points[:, 1] > -0.2).astype(np.int32)
    return points, labels


def inference(points):
    r = np.random.RandomState(1)
    w1 = tf.get_variable("w1", initializer=r.normal(size=(2, 12)).astype(np.float32))
    b1 = tf.get_variable("b1", initializer=np.full(12, 0.1, np.float32))
    w2 = tf.get_variable("w2", initializer=(0.1 * r.normal(size=(12, 2))).astype(np.float32))
    return tf.matmul(tf.nn.relu(tf.matmul(points, w1) + b1), w2)


def main(_):
    points, labels = inputs()
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.int32, [None])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=inference(x)))
    global_step = tf.Variable(0, name="global_step", trainable=False)
    rate = tf.train.exponential_decay(FLAGS.learning_rate, global_step, 100, 0.9)
    train_op = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=global_step)
    tf.summary.scalar("loss", loss)
    summary_op = tf.summary.merge_all()
    saver = tf.train.Saver(max_to_keep=3)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        ckpt = tf.train.get_checkpoint_state(FLAGS.train_dir)
        if ckpt and ckpt.model_checkpoint_path:
            saver.restore(sess, ckpt.model_checkpoint_path)
        writer = tf.summary.FileWriter(FLAGS.train_dir, sess.graph)
        step = sess.run(global_step)
        print("starting at", step)
        while step < FLAGS.max_steps:
            rows = np.random.RandomState(step).randint(0, len(points), FLAGS.batch_size)
            feed = {x: points[rows], y: labels[rows]}
            sess.run(train_op, feed)
            step = sess.run(global_step)
            if step % 50 == 0:
                writer.add_summary(sess.run(summary_op, feed), step)
            if step % 200 == 0:
                saver.save(sess, os.path.join(FLAGS.train_dir, "model.ckpt"), global_step=step)
        writer.close()
        print("step %d, loss %.2f" % (step, sess.run(loss, {x: points, y: labels})))


if __name__ == "__main__":
    tf.app.run()
