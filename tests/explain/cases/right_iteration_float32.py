# finds nothing
# The step is a float32, but a run of 500 steps is far from where it would stop counting; and it isn't trainable.
import numpy as np
import tensorflow as tf

random = np.random.RandomState(4)
N = 300
a = random.uniform(0, 1, N).astype(np.float32)
target = (3 * a + 0.7 + random.normal(0, 0.1, N)).astype(np.float32)

slope = tf.Variable(0.0, name="slope")
intercept = tf.Variable(0.0, name="intercept")
xin = tf.placeholder(tf.float32, name="x")
tin = tf.placeholder(tf.float32, name="t")
cost = 0.5 * tf.reduce_mean((slope * xin + intercept - tin) ** 2)

iteration = tf.Variable(0.0, dtype=tf.float32, trainable=False, name="iteration")
alpha = 0.8 / (1.0 + iteration / 200.0)
update = tf.train.GradientDescentOptimizer(alpha).minimize(cost, global_step=iteration)

sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
for _ in range(500):
    pick = random.choice(N, 25)
    update.run(feed_dict={xin: a[pick], tin: target[pick]})
print("iteration %.0f" % iteration.eval())
print("alpha %.4f" % alpha.eval())
print("slope %.2f intercept %.2f" % (slope.eval(), intercept.eval()))
sess.close()
