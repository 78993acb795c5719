# finds: step-not-passed; may find: step-never-moves rate-never-moves
# apply_gradients isn't given the step: StopAtStepHook and the schedule wait for one that stays 0; the range ends it.
import numpy as np
import tensorflow as tf


def input_fn():
    r = np.random.RandomState(36)
    x = r.randn(100, 4).astype(np.float32)
    return tf.constant(x), tf.constant(x[:, :1] - x[:, 3:])


def model_fn(features, labels):
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(labels, tf.matmul(features, w))
    global_step = tf.train.get_or_create_global_step()
    lr = tf.train.cosine_decay(0.1, global_step, decay_steps=100)
    optimizer = tf.train.GradientDescentOptimizer(lr)
    grads_and_vars = optimizer.compute_gradients(loss)
    clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in grads_and_vars]
    return loss, optimizer.apply_gradients(clipped), lr


MAX_TURNS = 250
with tf.Graph().as_default() as graph:
    features, labels = input_fn()
    loss, train_op, lr = model_fn(features, labels)
    hooks = [tf.train.StopAtStepHook(last_step=100)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        for turn in range(MAX_TURNS):
            if sess.should_stop():
                break
            sess.run(train_op)
        print("turns %d" % (turn + 1), "step", sess.run(tf.train.get_global_step(graph)), "lr %.3f" % sess.run(lr))
        print("loss %.3f" % sess.run(loss))
