# finds nothing
# The variable counts batches, and the schedule reads batch * BATCH_SIZE, so that decay_steps is in examples: one epoch.
import numpy as np
import tensorflow as tf

BATCH_SIZE = 32
NUM_EPOCHS = 8
SEED = 66478

rng = np.random.RandomState(SEED)
train_data = rng.rand(480, 9).astype(np.float32) - 0.5
train_labels = (train_data[:, 4] > train_data[:, [0, 8]].mean(axis=1)).astype(np.int64)
train_size = train_labels.shape[0]

train_data_node = tf.placeholder(tf.float32, shape=(BATCH_SIZE, 9))
train_labels_node = tf.placeholder(tf.int64, shape=(BATCH_SIZE,))
fc_weights = tf.Variable(0.1 * rng.randn(9, 2).astype(np.float32))
fc_biases = tf.Variable(tf.constant(0.1, shape=[2]))


def model(data):
    return tf.matmul(data, fc_weights) + fc_biases


logits = model(train_data_node)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=train_labels_node, logits=logits))
loss += 5e-4 * tf.nn.l2_loss(fc_weights)
batch = tf.Variable(0, dtype=tf.float32, trainable=False)
learning_rate = tf.train.exponential_decay(0.5, batch * BATCH_SIZE, train_size, 0.95, staircase=True)
optimizer = tf.train.MomentumOptimizer(learning_rate, 0.9).minimize(loss, global_step=batch)
full_prediction = tf.argmax(model(tf.constant(train_data)), 1)

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for step in range(int(NUM_EPOCHS * train_size) // BATCH_SIZE):
        offset = (step * BATCH_SIZE) % (train_size - BATCH_SIZE)
        batch_data = train_data[offset : (offset + BATCH_SIZE), ...]
        batch_labels = train_labels[offset : (offset + BATCH_SIZE)]
        sess.run(optimizer, feed_dict={train_data_node: batch_data, train_labels_node: batch_labels})
        if step % 40 == 0:
            print("Step %d (epoch %.2f)" % (step, float(step) * BATCH_SIZE / train_size), end=", ")
            print("learning rate: %.4f" % sess.run(learning_rate))
    error = 100.0 * np.mean(sess.run(full_prediction) != train_labels)
    print("Error: %.0f%%" % error)
