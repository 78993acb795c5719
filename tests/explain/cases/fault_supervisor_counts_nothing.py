# finds: step-never-moves; may find: step-not-passed step-in-name-only rate-never-moves
# The Supervisor finds the step, and writes checkpoints named by it, but apply_gradients isn't given it.
import numpy as np
import tensorflow as tf

LOGDIR = "train_logs"

with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [None, 5])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [5, 1], initializer=tf.constant_initializer(0.2))
    cost = tf.losses.absolute_difference(y, tf.matmul(x, w))
    gs = tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(0.1, gs, 40, 0.7))
    apply_op = optimizer.apply_gradients(optimizer.compute_gradients(cost))
    with tf.control_dependencies([apply_op]):
        train_op = tf.identity(cost, name="train_op")

    rng = np.random.RandomState(2)
    goal = rng.randn(5, 1)
    sv = tf.train.Supervisor(logdir=LOGDIR, summary_op=None, save_model_secs=0, save_summaries_secs=0)
    with sv.managed_session() as sess:
        for _ in range(200):
            if sv.should_stop():
                break
            inputs = rng.randn(25, 5)
            sess.run(train_op, {x: inputs, y: inputs.dot(goal)})
        sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
        print("%.3f" % sess.run(cost, {x: inputs, y: inputs.dot(goal)}))
    print(tf.train.latest_checkpoint(LOGDIR))
