# finds: updates-race
# train_op and the averages' op are fetched side by side: an average may take the old weights or the new ones.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(58)
xs = rng.rand(220, 3).astype(np.float32)
ys = (xs.dot([1.0, 2.0, -1.0]) + 0.05 * rng.randn(220)).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [3], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.reduce_sum(x * w, axis=1) - y))
step = tf.train.get_or_create_global_step()
train_op = tf.train.GradientDescentOptimizer(0.2).minimize(loss, global_step=step)
ema = tf.train.ExponentialMovingAverage(0.95)
maintain_averages_op = ema.apply([w])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(20):
        order = rng.permutation(220)
        for k in range(0, 220, 11):
            rows = order[k : k + 11]
            sess.run([train_op, maintain_averages_op], feed_dict={x: xs[rows], y: ys[rows]})
    print("steps", sess.run(step))
    print("weights, averaged:", " ".join("%.1f" % v for v in sess.run(ema.average(w))))
