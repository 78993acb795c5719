# finds: step-not-restored; runs: 2
# After the restore everything but the weights is initialized, the restored step too.
import numpy as np
import tensorflow as tf

TARGET_STEP = 400
rng = np.random.RandomState(53)

x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
w = tf.Variable(tf.zeros([4, 1]), name="w")
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w)) - y))
global_step = tf.Variable(0, name="global_step", trainable=False)
learning_rate = tf.train.exponential_decay(0.2, global_step, 100, 0.7, staircase=True)
train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    latest = tf.train.latest_checkpoint("model")
    if latest:
        print("Restoring", latest)
        saver.restore(sess, latest)
    else:
        sess.run(w.initializer)
    others = [v for v in tf.global_variables() if v not in tf.trainable_variables()]
    sess.run(tf.variables_initializer(others))

    budget = 250  # steps until the job's time is over
    while sess.run(global_step) < TARGET_STEP and budget:
        inputs = rng.randn(16, 4)
        outputs = np.tanh(inputs.dot([[0.5], [-0.5], [1.0], [0.0]])) + 0.1 * rng.randn(16, 1)
        sess.run(train_op, {x: inputs, y: outputs})
        budget -= 1
    saver.save(sess, "model/tanh", global_step=global_step)
    step, rate, value = sess.run([global_step, learning_rate, loss], {x: inputs, y: outputs})
    print("step %d rate %.4f loss %.4f" % (step, rate, value))
