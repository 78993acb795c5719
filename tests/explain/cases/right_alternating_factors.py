# finds nothing
# Two train ops share one step, but each turn of the loop runs only one of them.
import numpy as np
import tensorflow as tf

USERS, ITEMS, RANK = 20, 15, 2

rs = np.random.RandomState(5)
ratings = rs.rand(USERS, RANK).dot(rs.rand(RANK, ITEMS)).astype(np.float32)
known = (rs.rand(USERS, ITEMS) < 0.7).astype(np.float32)

R = tf.constant(ratings)
M = tf.constant(known)
U = tf.get_variable("users", initializer=rs.rand(USERS, RANK).astype(np.float32))
V = tf.get_variable("items", initializer=rs.rand(RANK, ITEMS).astype(np.float32))
error = tf.reduce_sum(M * tf.square(tf.matmul(U, V) - R)) / known.sum()
loss = error + 1e-4 * (tf.nn.l2_loss(U) + tf.nn.l2_loss(V))

counter = tf.Variable(0, name="counter", trainable=False)
lr = tf.train.exponential_decay(4.0, counter, 100, 0.8)
update_users = tf.train.GradientDescentOptimizer(lr).minimize(loss, var_list=[U], global_step=counter)
update_items = tf.train.GradientDescentOptimizer(lr).minimize(loss, var_list=[V], global_step=counter)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("error at first %.3f" % sess.run(error))
    for turn in range(400):
        sess.run(update_users if turn % 2 == 0 else update_items)
    print("error at last %.3f" % sess.run(error))
    print("counter %d lr %.3f" % tuple(sess.run([counter, lr])))
