# finds nothing
# decay_steps is written in epochs, but multiplied by the batches of an epoch; the staircase falls every second epoch.
import numpy as np
import tensorflow as tf

NUM_EXAMPLES_PER_EPOCH_FOR_TRAIN = 480
NUM_EPOCHS_PER_DECAY = 2.0
LEARNING_RATE_DECAY_FACTOR = 0.5
INITIAL_LEARNING_RATE = 0.4
BATCH_SIZE = 16


def inputs(seed=0):
    r = np.random.RandomState(seed)
    images = r.rand(NUM_EXAMPLES_PER_EPOCH_FOR_TRAIN, 7).astype(np.float32)
    return images, images.argmax(axis=1).astype(np.int32)


def train(total_loss, global_step):
    num_batches_per_epoch = NUM_EXAMPLES_PER_EPOCH_FOR_TRAIN / BATCH_SIZE
    decay_steps = int(num_batches_per_epoch * NUM_EPOCHS_PER_DECAY)
    lr = tf.train.exponential_decay(
        INITIAL_LEARNING_RATE, global_step, decay_steps, LEARNING_RATE_DECAY_FACTOR, staircase=True
    )
    opt = tf.train.GradientDescentOptimizer(lr)
    grads = opt.compute_gradients(total_loss)
    return opt.apply_gradients(grads, global_step=global_step), lr


images, labels = inputs()
image_ph = tf.placeholder(tf.float32, [None, 7])
label_ph = tf.placeholder(tf.int32, [None])
softmax_w = tf.get_variable("softmax_w", [7, 7], initializer=tf.zeros_initializer())
xent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label_ph, logits=tf.matmul(image_ph, softmax_w))
loss = tf.reduce_mean(xent)
global_step = tf.Variable(0, trainable=False)
train_op, lr = train(loss, global_step)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for epoch in range(7):
    for start in range(0, NUM_EXAMPLES_PER_EPOCH_FOR_TRAIN, BATCH_SIZE):
        end = start + BATCH_SIZE
        sess.run(train_op, feed_dict={image_ph: images[start:end], label_ph: labels[start:end]})
    print("epoch %d, lr %.3f" % (epoch, sess.run(lr)))
print("loss %.2f" % sess.run(loss, {image_ph: images, label_ph: labels}))
sess.close()
