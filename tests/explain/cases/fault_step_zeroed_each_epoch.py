# finds: step-starts-over; may find: rate-never-moves
# The step is assigned 0 at the start of each epoch, so the decay never gets past one epoch.
import numpy as np
import tensorflow as tf

NUM_EPOCHS = 8
BATCHES = 40

rng = np.random.RandomState(14)
x = tf.placeholder(tf.float32, [None, 7], name="x")
y = tf.placeholder(tf.int32, [None], name="y")
w = tf.Variable(tf.zeros([7, 3]), name="w")
b = tf.Variable(tf.zeros([3]), name="b")
logits = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), tf.float32))

global_step = tf.Variable(0, name="global_step", trainable=False)
reset_step = global_step.assign(0)
learning_rate = tf.train.exponential_decay(0.8, global_step, 2 * BATCHES, 0.5, staircase=True)
train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)

centers = rng.randn(3, 7)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(NUM_EPOCHS):
        sess.run(reset_step)
        for _ in range(BATCHES):
            ys = rng.randint(0, 3, 30)
            feed = {x: centers[ys] + rng.randn(30, 7), y: ys}
            sess.run(train_op, feed)
        print("epoch %d: accuracy %.3g, rate %.3g" % (epoch, sess.run(accuracy, feed), sess.run(learning_rate)))
