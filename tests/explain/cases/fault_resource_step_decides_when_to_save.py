# finds: order-undefined
# Whether it is time for a checkpoint depends on a resource step read in the same run as the update.
import numpy as np
import tensorflow as tf

FLAGS = tf.flags.FLAGS
tf.flags.DEFINE_integer("steps", 200, "steps")
tf.flags.DEFINE_integer("save_every", 50, "steps between checkpoints")


def main(_):
    rng = np.random.RandomState(57)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [None, 2], name="y")
    with tf.variable_scope("affine", use_resource=True):
        kernel = tf.get_variable("kernel", [2, 2], initializer=tf.zeros_initializer())
        bias = tf.get_variable("bias", [2], initializer=tf.zeros_initializer())
        counter = tf.get_variable("counter", initializer=np.int64(0), trainable=False)
    loss = tf.reduce_mean(tf.reduce_sum(tf.abs(tf.matmul(x, kernel) + bias - y), axis=1))
    opt = tf.train.AdagradOptimizer(0.5)
    grads_and_vars = opt.compute_gradients(loss, [kernel, bias])
    updates = opt.apply_gradients(grads_and_vars, global_step=counter)
    now = counter.read_value()
    saver = tf.train.Saver(max_to_keep=2)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(FLAGS.steps):
            points = rng.randn(10, 2)
            feed = {x: points, y: 2 * points[:, ::-1] + [1, -1] + 0.2 * rng.randn(10, 2)}
            fetched = sess.run({"updates": updates, "loss": loss, "step": now}, feed)
            if fetched["step"] > 1 and fetched["step"] % FLAGS.save_every == 0:
                saver.save(sess, "model/affine", global_step=counter)
        print("loss %.2f" % sess.run(loss, feed))


if __name__ == "__main__":
    tf.app.run()
