# finds nothing
# A decay of 0.9999 would be far too slow for 300 steps, but num_updates makes it smaller at first.
import numpy as np
import tensorflow as tf

MOVING_AVERAGE_DECAY = 0.9999


def loss_fn(images, labels):
    r = np.random.RandomState(3)
    w = tf.get_variable("w", initializer=r.normal(0, 0.1, (8, 4)).astype(np.float32))
    b = tf.get_variable("b", initializer=np.zeros(4, np.float32))
    return tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.one_hot(labels, 4), logits=tf.matmul(images, w) + b)
    )


def train(total_loss, global_step):
    lr = tf.train.exponential_decay(0.5, global_step, 100, 0.5, staircase=True)
    opt = tf.train.GradientDescentOptimizer(lr)
    grads = opt.compute_gradients(total_loss)
    apply_gradient_op = opt.apply_gradients(grads, global_step=global_step)
    variable_averages = tf.train.ExponentialMovingAverage(MOVING_AVERAGE_DECAY, global_step)
    with tf.control_dependencies([apply_gradient_op]):
        variables_averages_op = variable_averages.apply(tf.trainable_variables())
    return variables_averages_op, variable_averages


rng = np.random.RandomState(4)
images = rng.rand(400, 8).astype(np.float32)
labels = np.argmax(images[:, :4], axis=1).astype(np.int32)
global_step = tf.train.get_or_create_global_step()
im = tf.placeholder(tf.float32, [None, 8])
la = tf.placeholder(tf.int32, [None])
loss = loss_fn(im, la)
train_op, averages = train(loss, global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(300):
        i = rng.randint(0, 400, 40)
        sess.run(train_op, {im: images[i], la: labels[i]})
    w = [v for v in tf.trainable_variables() if v.op.name == "w"][0]
    now, avg = sess.run([w, averages.average(w)])
    print("step", sess.run(global_step), "loss %.2f" % sess.run(loss, {im: images, la: labels}))
    print("w[0, 0] %.1f, its average %.1f" % (now[0, 0], avg[0, 0]))
