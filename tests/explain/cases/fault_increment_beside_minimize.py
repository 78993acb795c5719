# finds: step-counted-twice
# The loop runs an increment although minimize already counts: the rate decays twice as fast as it should.
import numpy as np
import tensorflow as tf

learning_rate, decay_steps, training_steps, display = 0.5, 100, 500, 100

data = np.random.RandomState(31)
X = data.rand(64, 2).astype("float32")
T = (X[:, :1] > X[:, 1:]).astype("float32")

x_in = tf.placeholder("float", [None, 2])
t_in = tf.placeholder("float", [None, 1])
W = tf.Variable(tf.zeros([2, 1]))
b = tf.Variable(tf.zeros([1]))
pred = tf.sigmoid(tf.matmul(x_in, W) + b)
cost = -tf.reduce_mean(t_in * tf.log(pred + 1e-6) + (1 - t_in) * tf.log(1 - pred + 1e-6))

step_var = tf.Variable(0, trainable=False, name="step_var")
increment_step = tf.assign_add(step_var, 1, name="increment_step")
decayed = tf.train.natural_exp_decay(learning_rate, step_var, decay_steps, 0.3)
optimizer = tf.train.GradientDescentOptimizer(decayed).minimize(cost, global_step=step_var)

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for epoch in range(1, training_steps + 1):
        sess.run(optimizer, feed_dict={x_in: X, t_in: T})
        sess.run(increment_step)
        if epoch % display == 0:
            c, r = sess.run([cost, decayed], feed_dict={x_in: X, t_in: T})
            print("%04d cost=%.4f rate=%.4f" % (epoch, c, r))
