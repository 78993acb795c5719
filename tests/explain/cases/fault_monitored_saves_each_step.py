# finds: saves-every-step
# save_checkpoint_steps=1: the monitored session writes a checkpoint after every step.
import numpy as np
import tensorflow as tf

with tf.Graph().as_default():
    obs = tf.placeholder(tf.float32, [None, 4], name="obs")
    act = tf.placeholder(tf.int32, [None], name="act")
    adv = tf.placeholder(tf.float32, [None], name="adv")
    policy = tf.get_variable("policy", [4, 2], initializer=tf.zeros_initializer())
    nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=act, logits=tf.matmul(obs, policy))
    loss = tf.reduce_mean(nll * adv)
    step = tf.train.get_or_create_global_step()
    train = tf.train.RMSPropOptimizer(0.01, decay=0.99).minimize(loss, global_step=step)

    rng = np.random.RandomState(80)
    session = tf.train.MonitoredTrainingSession(
        checkpoint_dir="policy",
        save_checkpoint_steps=1,
        save_summaries_steps=None,
        save_summaries_secs=None,
        hooks=[tf.train.StopAtStepHook(last_step=50)],
    )
    with session as sess:
        while not sess.should_stop():
            states = rng.randn(20, 4)
            actions = rng.randint(0, 2, 20)
            rewards = np.where(actions == (states[:, 2] > 0), 1.0, -1.0)
            _, value = sess.run([train, loss], {obs: states, act: actions, adv: rewards})
    print("loss %.3f" % value, tf.train.latest_checkpoint("policy"))
