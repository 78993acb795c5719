# finds nothing
# A Scaffold's init_fn loads earlier weights into a new run, whose step begins at 0 as it should.
import numpy as np
import tensorflow as tf

r = np.random.RandomState(81)
pretrained = r.normal(0, 0.5, (6, 4)).astype(np.float32)
x = r.randn(128, 6).astype(np.float32)
y = np.tanh(x.dot(pretrained)).sum(axis=1, keepdims=True)


def build_graph():
    with tf.variable_scope("encoder"):
        enc = tf.get_variable("kernel", [6, 4], initializer=tf.zeros_initializer())
    with tf.variable_scope("head"):
        head = tf.get_variable("kernel", [4, 1], initializer=tf.zeros_initializer())
    out = tf.matmul(tf.tanh(tf.matmul(tf.constant(x), enc)), head)
    return enc, tf.losses.mean_squared_error(y, out)


with tf.Graph().as_default():
    encoder, loss = build_graph()
    step = tf.train.get_or_create_global_step()
    lr = tf.train.exponential_decay(0.1, step, 50, 0.8)
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, global_step=step)
    value = tf.placeholder(tf.float32, encoder.shape)
    load_encoder = encoder.assign(value)

    def init_fn(scaffold, session):
        session.run(load_encoder, feed_dict={value: pretrained})

    scaffold = tf.train.Scaffold(init_fn=init_fn, saver=tf.train.Saver(max_to_keep=2))
    hooks = [tf.train.StopAtStepHook(last_step=200)]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir="finetuned", scaffold=scaffold, hooks=hooks, save_checkpoint_steps=100, log_step_count_steps=50
    ) as sess:
        while not sess.should_stop():
            sess.run(train_op)

with tf.Graph().as_default(), tf.Session() as sess:
    _, loss = build_graph()
    step = tf.train.get_or_create_global_step()
    tf.train.Saver().restore(sess, tf.train.latest_checkpoint("finetuned"))
    print("step %d loss %.3f" % tuple(sess.run([step, loss])))
