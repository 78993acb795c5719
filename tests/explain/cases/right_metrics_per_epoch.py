# finds nothing
# The local initializer runs each epoch: it resets tf.metrics' counters only, not the step.
import numpy as np
import tensorflow as tf

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_integer("num_epochs", 5, "")
flags.DEFINE_integer("batch", 16, "")


def main(unused_argv):
    rng = np.random.RandomState(31)
    examples = rng.randn(320, 6).astype(np.float32)
    classes = (np.abs(examples).sum(axis=1) > 4.8).astype(np.int64)

    example = tf.placeholder(tf.float32, [None, 6])
    klass = tf.placeholder(tf.int64, [None])
    w1 = tf.get_variable("w1", initializer=(rng.randn(6, 24) * 0.5).astype(np.float32))
    b1 = tf.get_variable("b1", initializer=np.zeros(24, np.float32))
    w2 = tf.get_variable("w2", initializer=(rng.randn(24, 2) * 0.1).astype(np.float32))
    logits = tf.matmul(tf.nn.relu(tf.nn.xw_plus_b(example, w1, b1)), w2)
    loss = tf.losses.sparse_softmax_cross_entropy(klass, logits)
    accuracy, update_accuracy = tf.metrics.accuracy(klass, tf.argmax(logits, 1))
    mean_loss, update_loss = tf.metrics.mean(loss)
    step = tf.train.get_or_create_global_step()
    train_op = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
    reset_metrics = tf.local_variables_initializer()

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(FLAGS.num_epochs):
            sess.run(reset_metrics)
            for i in range(0, 320, FLAGS.batch):
                feed = {example: examples[i : i + FLAGS.batch], klass: classes[i : i + FLAGS.batch]}
                sess.run([update_accuracy, update_loss], feed)
                sess.run(train_op, feed)
            print("epoch %d: accuracy %.2f, loss %.2f" % ((epoch,) + tuple(sess.run([accuracy, mean_loss]))))
        print("step", sess.run(step))


if __name__ == "__main__":
    tf.app.run()
