# finds: rate-not-used
# The decayed rate is evaluated once and its number goes to the optimizer: it stays at the first value.
import numpy as np
import tensorflow as tf

config = {"lr": 0.2, "decay_steps": 70, "decay_rate": 0.5, "max_iter": 300}

rng = np.random.RandomState(16)
signals = rng.randn(256, 4).astype(np.float32)
answers = np.tanh(signals.dot(np.array([[1.0], [-1.0], [0.5], [0.0]]))).astype(np.float32)

s = tf.placeholder(tf.float32, [None, 4])
a = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([4, 1]))
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(s, w)) - a))

sess = tf.Session()
global_step = tf.Variable(0, trainable=False, name="global_step")
lr = tf.train.exponential_decay(config["lr"], global_step, config["decay_steps"], config["decay_rate"])
sess.run(tf.variables_initializer([global_step]))
optimizer = tf.train.GradientDescentOptimizer(learning_rate=float(sess.run(lr)))
train_op = optimizer.minimize(loss, global_step=global_step)
sess.run(tf.variables_initializer([w]))

for it in range(config["max_iter"]):
    idx = rng.randint(0, 256, 32)
    sess.run(train_op, {s: signals[idx], a: answers[idx]})
    if it % 100 == 99:
        print("iter %d loss %.4f" % (it + 1, sess.run(loss, {s: signals, a: answers})))
print("schedule %.4f" % sess.run(lr))
sess.close()
