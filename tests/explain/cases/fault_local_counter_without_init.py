# finds: not-initialized
# The evaluation counts in a local variable, and only global variables are initialized.
import numpy as np
import tensorflow as tf


def inference(images):
    with tf.variable_scope("softmax"):
        w = tf.get_variable("w", [16, 4], initializer=tf.constant_initializer(0.0))
        b = tf.get_variable("b", [4], initializer=tf.constant_initializer(0.0))
        return tf.matmul(images, w) + b


def evaluation(logits, labels):
    right = tf.get_local_variable("right", [], tf.int32, initializer=tf.zeros_initializer())
    hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.int32))
    return tf.assign_add(right, hits)


rng = np.random.RandomState(4)
centers = rng.randn(4, 16)
labels_all = rng.randint(0, 4, 400)
images_all = (centers[labels_all] + rng.randn(400, 16)).astype(np.float32)

images = tf.placeholder(tf.float32, [None, 16])
labels = tf.placeholder(tf.int64, [None])
logits = inference(images)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
global_step = tf.train.create_global_step()
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step)
count_right = evaluation(logits, labels)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for epoch in range(5):
    for i in range(0, 300, 30):
        sess.run(train_op, {images: images_all[i : i + 30], labels: labels_all[i : i + 30]})
print("trained %d steps" % sess.run(global_step))
total = sess.run(count_right, {images: images_all[300:], labels: labels_all[300:]})
print("right: %d of 100" % total)
