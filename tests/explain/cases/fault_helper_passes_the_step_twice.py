# finds: step-counted-twice
# One method makes the train ops of both players, and passes the step to each of them.
import numpy as np
import tensorflow as tf


class Game(object):
    def __init__(self, rate):
        self.rate = rate
        self.step = tf.Variable(0, name="global_step", trainable=False)
        self.a = tf.Variable(1.0, name="a")
        self.b = tf.Variable(-1.0, name="b")
        self.noise = tf.placeholder(tf.float32, [])
        value = self.a * self.b + 0.1 * tf.square(self.a) - 0.1 * tf.square(self.b) + self.noise * self.a
        self.train_a = self.player(value, self.a)
        self.train_b = self.player(-value, self.b)
        self.saver = tf.train.Saver()

    def player(self, loss, variable):
        optimizer = tf.train.GradientDescentOptimizer(self.rate)
        return optimizer.minimize(loss, global_step=self.step, var_list=[variable])

    def play(self, sess, rounds):
        rng = np.random.RandomState(2)
        for _ in range(rounds):
            feed = {self.noise: rng.normal(0, 0.1)}
            sess.run(self.train_a, feed)
            sess.run(self.train_b, feed)
        self.saver.save(sess, "game/played", global_step=self.step)


game = Game(0.1)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    game.play(session, 60)
    print("step %d, a %.2f, b %.2f" % tuple(session.run([game.step, game.a, game.b])))
