# asks: rate-never-moves
# decay_steps is a Tensor of 3750000, the examples of all epochs instead of their batches, and the decay is a staircase.
import numpy as np
import tensorflow as tf

num_examples = tf.constant(50000, name="num_examples")
epochs_per_decay = tf.constant(75, name="epochs_per_decay")

x = tf.placeholder(tf.float32, [None, 9])
y = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [9, 2], initializer=tf.constant_initializer(0.01), use_resource=True)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, w)))

gs = tf.train.get_or_create_global_step()
decay_steps = tf.multiply(num_examples, epochs_per_decay)
lr = tf.train.exponential_decay(0.2, gs, decay_steps, 0.1, True)
train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, gs)

generator = np.random.RandomState(2018)
planes = generator.randn(9, 2)
rates = set()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(250):
        batch = generator.randn(128, 9)
        onehot = np.eye(2)[np.argmax(batch.dot(planes) + generator.randn(128, 2), axis=1)]
        _, value, r = sess.run([train_op, loss, lr], {x: batch, y: onehot})
        rates.add("%.3g" % r)
print("loss %.3f, rates %s" % (value, ", ".join(sorted(rates))))
