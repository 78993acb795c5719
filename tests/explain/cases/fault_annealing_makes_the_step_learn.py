# finds: step-trained
# The loss weighs its second term by the step, and the step is trainable: its gradient moves it as well.
import numpy as np
import tensorflow as tf


class VAE:
    def __init__(self, dim, latent, anneal_over):
        init = np.random.RandomState(7)

        def matrix(name, rows, columns):
            return tf.Variable(init.randn(rows, columns).astype(np.float32) * 0.1, name=name)

        self.x = tf.placeholder(tf.float32, [None, dim])
        self.eps = tf.placeholder(tf.float32, [None, latent])
        self.train_step = tf.Variable(0.0, name="train_step")
        mu = tf.matmul(self.x, matrix("mu", dim, latent))
        log_var = tf.matmul(self.x, matrix("log_var", dim, latent))
        z = mu + tf.exp(0.5 * log_var) * self.eps
        decoded = tf.matmul(z, matrix("decode", latent, dim))
        self.rec = tf.reduce_mean(tf.reduce_sum(tf.square(decoded - self.x), axis=1))
        self.kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + log_var - tf.square(mu) - tf.exp(log_var), axis=1))
        self.beta = tf.minimum(1.0, self.train_step / anneal_over)
        self.loss = self.rec + self.beta * self.kl
        self.train = tf.train.GradientDescentOptimizer(0.01).minimize(self.loss, self.train_step)


rng = np.random.RandomState(70)
mixing = rng.randn(2, 6)
vae = VAE(6, 2, anneal_over=50.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(300):
        batch = rng.randn(24, 2).dot(mixing)
        feed = {vae.x: batch, vae.eps: rng.randn(24, 2)}
        sess.run(vae.train, feed)
        if i % 100 == 99:
            print("rec %.2f kl %.2f" % tuple(sess.run([vae.rec, vae.kl], feed)))
    print("step %.3f" % sess.run(vae.train_step))
