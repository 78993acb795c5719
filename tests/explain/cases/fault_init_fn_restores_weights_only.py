# finds: step-not-restored; may find: trains-more; runs: 2
# The scaffold's init_fn loads the weights of the last checkpoint, but the step begins at 0 and the full rate with it.
import numpy as np
import tensorflow as tf

MODEL_DIR = "crf"
LAST_STEP = 200


def potentials(tokens):
    with tf.variable_scope("potentials"):
        table = tf.get_variable("table", [10, 3], initializer=tf.zeros_initializer())
        return tf.nn.embedding_lookup(table, tokens)


tokens = tf.placeholder(tf.int32, [None])
tags = tf.placeholder(tf.int32, [None])
loss = tf.losses.sparse_softmax_cross_entropy(tags, potentials(tokens))
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(2.0, step, 50, 0.5)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

previous = tf.train.latest_checkpoint(MODEL_DIR)
weights_saver = tf.train.Saver(tf.trainable_variables("potentials"))


def init_fn(scaffold, session):
    if previous:
        weights_saver.restore(session, previous)


hooks = [
    tf.train.StopAtStepHook(last_step=LAST_STEP),
    tf.train.CheckpointSaverHook(MODEL_DIR, save_steps=100, saver=tf.train.Saver()),
]
rng = np.random.RandomState(100)
with tf.train.MonitoredTrainingSession(scaffold=tf.train.Scaffold(init_fn=init_fn), hooks=hooks) as sess:
    first = True
    while not sess.should_stop():
        words = rng.randint(0, 10, 20)
        _, value, r = sess.run([train_op, loss, rate], {tokens: words, tags: words % 3})
        if first:
            print("first loss %.3f, rate %.3g" % (value, r))
            first = False
print("last loss %.3f" % value)
