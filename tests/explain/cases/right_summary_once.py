# finds nothing
# One summary has no step, but it's written only once: the settings. All others have the step.
import numpy as np
import tensorflow as tf

settings = {"units": 5, "rate": 0.1, "steps": 240}


def write_settings(writer, sess):
    text = ", ".join("%s=%s" % item for item in sorted(settings.items()))
    writer.add_summary(sess.run(tf.summary.text("settings", tf.constant(text), collections=[])))


rand = np.random.RandomState(29)
day = np.arange(120) / 20.0
load = (np.sin(day) + 0.05 * rand.randn(120)).astype(np.float32).reshape(-1, 1)
base = np.stack([np.sin(day + k) for k in range(settings["units"])], axis=1).astype(np.float32)

mix = tf.Variable(np.zeros((settings["units"], 1), np.float32), name="mix")
feats = tf.placeholder(tf.float32, [None, settings["units"]])
loads = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(feats, mix) - loads))
tf.summary.scalar("loss", loss)
tf.summary.histogram("mix", mix)
summaries = tf.summary.merge_all()
global_step = tf.Variable(0, trainable=False, name="global_step")
train = tf.train.MomentumOptimizer(settings["rate"], 0.5).minimize(loss, global_step=global_step)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
writer = tf.summary.FileWriter("events", sess.graph)
write_settings(writer, sess)
for _ in range(settings["steps"]):
    pick = rand.randint(0, 120, 12)
    sess.run(train, {feats: base[pick], loads: load[pick]})
    step = tf.train.global_step(sess, global_step)
    if step % 40 == 0:
        value, summary = sess.run([loss, summaries], {feats: base, loads: load})
        writer.add_summary(summary, step)
        print("%3d: %.3f" % (step, value))
writer.close()
sess.close()
