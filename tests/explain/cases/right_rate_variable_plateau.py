# finds nothing; runs: 2
# The rate is a variable that's halved on a plateau; it isn't trainable, and it is saved and restored with the rest.
import numpy as np
import tensorflow as tf

FINAL_STEP = 700
STEPS_PER_RUN = 400

gen = np.random.RandomState(37)
mat = gen.randn(80, 10).astype(np.float32)
vec = (mat[:, :1] - 2 * mat[:, 3:4] + gen.randn(80, 1)).astype(np.float32)

row = tf.placeholder(tf.float32, [None, 10])
val = tf.placeholder(tf.float32, [None, 1])
sol = tf.get_variable("sol", [10, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(val, tf.matmul(row, sol))
lr = tf.Variable(0.1, trainable=False, name="learning_rate")
halve_lr = lr.assign(tf.maximum(lr * 0.5, 1e-4))
best = tf.Variable(1e6, trainable=False, name="best_loss")
measured = tf.placeholder(tf.float32, [])
keep_best = best.assign(tf.minimum(best, measured))
global_step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=global_step)
saver = tf.train.Saver()

with tf.Session() as sess:
    checkpoint = tf.train.latest_checkpoint("plateau")
    if checkpoint is None:
        tf.gfile.MakeDirs("plateau")
        sess.run(tf.global_variables_initializer())
    else:
        saver.restore(sess, checkpoint)
    step = sess.run(global_step)
    until = min(step + STEPS_PER_RUN, FINAL_STEP)
    while step < until:
        picked = np.random.RandomState(step).randint(0, 80, 8)
        sess.run(train, {row: mat[picked], val: vec[picked]})
        step = tf.train.global_step(sess, global_step)
        if step % 50 == 0:
            now = sess.run(loss, {row: mat, val: vec})
            if now > 0.999 * sess.run(best):
                sess.run(halve_lr)
            sess.run(keep_best, {measured: now})
    saver.save(sess, "plateau/model", global_step=global_step)
    print("step %d: loss %.2f, rate %.4f" % (step, sess.run(loss, {row: mat, val: vec}), sess.run(lr)))
