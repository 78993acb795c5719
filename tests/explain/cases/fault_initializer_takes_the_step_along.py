# finds: step-not-restored; may ask: trains-more; runs: 2
# After the restore, the slots are meant to begin anew, but the list of what is initialized has the step in it, too.
import numpy as np
import tensorflow as tf

rs = np.random.RandomState(8)
inputs = rs.normal(size=(64, 3)).astype(np.float32)
targets = inputs.dot(np.float32([[1.0], [-1.0], [0.5]]))

w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(targets, tf.matmul(tf.constant(inputs), w))
step = tf.train.get_or_create_global_step()
rate = tf.train.inverse_time_decay(0.1, step, 20, 1.0)
train_op = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)
saver = tf.train.Saver()
anew = [v for v in tf.global_variables() if v not in tf.trainable_variables()]
reset = tf.variables_initializer(anew)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    checkpoint = tf.train.latest_checkpoint("models")
    if checkpoint:
        saver.restore(sess, checkpoint)
        sess.run(reset)
    for _ in range(40):
        sess.run(train_op)
    print("step %d loss %.3f" % tuple(sess.run([step, loss])))
    saver.save(sess, "models/linear", global_step=step)
