# finds nothing
# polynomial_decay raises a weight of the loss from 0 to 1; the learning rate itself is another, and falls.
import numpy as np
import tensorflow as tf


class VAE(object):
    """A linear autoencoder whose code is drawn to 0, the noise fed from outside."""

    def __init__(self, dim=6, code=2, anneal_steps=150):
        r = np.random.RandomState(0)
        self.x = tf.placeholder(tf.float32, [None, dim])
        self.eps = tf.placeholder(tf.float32, [None, code])
        enc_mu = tf.Variable(r.normal(0, 0.3, (dim, code)).astype(np.float32), name="enc_mu")
        log_sigma = tf.Variable(np.full(code, -1, np.float32), name="log_sigma")
        dec = tf.Variable(r.normal(0, 0.3, (code, dim)).astype(np.float32), name="dec")
        mu = tf.matmul(self.x, enc_mu)
        z = mu + self.eps * tf.exp(log_sigma)
        rec = tf.reduce_mean(tf.reduce_sum(tf.square(tf.matmul(z, dec) - self.x), 1))
        kl = 0.5 * tf.reduce_mean(tf.reduce_sum(mu**2 + tf.exp(2 * log_sigma) - 1 - 2 * log_sigma, 1))
        self.global_step = tf.train.get_or_create_global_step()
        self.kl_weight = tf.train.polynomial_decay(0.0, self.global_step, anneal_steps, 1.0)
        self.lr = tf.train.exponential_decay(0.02, self.global_step, 100, 0.8)
        self.rec, self.kl = rec, kl
        self.loss = rec + self.kl_weight * kl
        self.train_op = tf.train.AdamOptimizer(self.lr).minimize(self.loss, global_step=self.global_step)


def main():
    rng = np.random.RandomState(1)
    codes = rng.randn(500, 2)
    data = codes.dot(rng.randn(2, 6)) + 0.1 * rng.randn(500, 6)
    vae = VAE()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for it in range(400):
            i = rng.randint(0, 500, 50)
            sess.run(vae.train_op, {vae.x: data[i], vae.eps: rng.randn(50, 2)})
            if it % 133 == 0:
                print("kl weight %.2f lr %.4f" % tuple(sess.run([vae.kl_weight, vae.lr])))
        feed = {vae.x: data, vae.eps: np.zeros((500, 2))}
        print("rec %.1f kl %.1f" % tuple(sess.run([vae.rec, vae.kl], feed)))


main()
