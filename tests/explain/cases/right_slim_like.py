# finds nothing
# create_train_op hands the loss on after the update, as slim does; the step is found in the graph by a helper.
import numpy as np
import tensorflow as tf

WEIGHT_DECAY = 1e-3


def l2_regularizer(scale):
    return lambda w: scale * tf.nn.l2_loss(w)


def fully_connected(inputs, num_outputs, scope, activation_fn=tf.nn.relu, seed=0):
    with tf.variable_scope(scope):
        n = inputs.get_shape().as_list()[-1]
        init = np.random.RandomState(seed).normal(0, 1 / np.sqrt(n), (n, num_outputs)).astype(np.float32)
        w = tf.get_variable("weights", initializer=init, regularizer=l2_regularizer(WEIGHT_DECAY))
        b = tf.get_variable("biases", initializer=np.zeros(num_outputs, np.float32))
        out = tf.nn.bias_add(tf.matmul(inputs, w), b)
        return activation_fn(out) if activation_fn else out


def create_train_op(total_loss, optimizer, clip_gradient_norm=0):
    grads = optimizer.compute_gradients(total_loss)
    if clip_gradient_norm > 0:
        clipped, _ = tf.clip_by_global_norm([g for g, _ in grads], clip_gradient_norm)
        grads = list(zip(clipped, [v for _, v in grads]))
    with tf.control_dependencies([total_loss]):
        update = optimizer.apply_gradients(grads, global_step=tf.train.get_or_create_global_step())
    with tf.control_dependencies([update]):
        return tf.identity(total_loss, name="train_op")


def train(train_op, logdir, number_of_steps):
    saver = tf.train.Saver()
    step = tf.train.get_global_step()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        while tf.train.global_step(sess, step) < number_of_steps:
            total_loss = sess.run(train_op)
        tf.gfile.MakeDirs(logdir)
        saver.save(sess, logdir + "/model.ckpt", global_step=step)
        return total_loss


rng = np.random.RandomState(33)
features = rng.randn(150, 4).astype(np.float32)
labels = np.argmax(features[:, :3], axis=1)

net = fully_connected(tf.constant(features), 16, "fc1", seed=1)
logits = fully_connected(net, 3, "fc2", activation_fn=None, seed=2)
tf.losses.sparse_softmax_cross_entropy(labels, logits)
total = tf.losses.get_total_loss()
train_op = create_train_op(total, tf.train.MomentumOptimizer(0.1, 0.9), clip_gradient_norm=4)
print("regularized weights:", len(tf.losses.get_regularization_losses()))
print("final loss %.3f" % train(train_op, "slim_logs", 250))
