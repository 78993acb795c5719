# finds nothing; runs: 2
# The rate is fed from Python, but computed from the restored step, so it goes on where it was.
import numpy as np
import tensorflow as tf

EPOCHS = 8
EPOCHS_PER_RUN = 5
BATCHES = 20
MODEL = "saved/classifier"


def step_decay(epoch):
    return 0.5 * 0.7 ** (epoch // 2)


rs = np.random.RandomState(61)
x_train = rs.randn(BATCHES * 10, 4).astype(np.float32)
y_train = np.argmax(x_train[:, :3] + 0.1 * rs.randn(BATCHES * 10, 3), axis=1)

tf_x = tf.placeholder(tf.float32, [None, 4])
tf_y = tf.placeholder(tf.int64, [None])
tf_lr = tf.placeholder(tf.float32, [])
W = tf.Variable(tf.zeros([4, 3]))
logits = tf.matmul(tf_x, W)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=tf_y))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf_y), tf.float32))
global_step = tf.Variable(0, trainable=False, name="global_step")
train_op = tf.train.GradientDescentOptimizer(tf_lr).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    ckpt = tf.train.latest_checkpoint("saved")
    if ckpt is not None:
        saver.restore(sess, ckpt)
    first_epoch = sess.run(global_step) // BATCHES
    for epoch in range(first_epoch, min(first_epoch + EPOCHS_PER_RUN, EPOCHS)):
        lr = step_decay(epoch)
        for b in range(BATCHES):
            s = slice(b * 10, b * 10 + 10)
            sess.run(train_op, {tf_x: x_train[s], tf_y: y_train[s], tf_lr: lr})
        print("epoch %2d lr %.3f acc %.2f" % (epoch, lr, sess.run(accuracy, {tf_x: x_train, tf_y: y_train})))
    tf.gfile.MakeDirs("saved")
    saver.save(sess, MODEL, global_step=global_step)
