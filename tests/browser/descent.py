"""The rate decides whether gradient descent arrives: lesson 03's experiment, with any rate and loss."""

import numpy as np

import minitf as tf

STEPS = 10


class Descent:
    """Gradient descent on one weight, built once: the rate and the examples are fed."""

    def __init__(self) -> None:
        """Build both train ops: for the sum of the examples' losses, and for the mean."""
        with tf.Graph().as_default():
            self.x, self.rate = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
            self.w = tf.Variable(0.0)
            squares = (self.w * self.x - self.x) ** 2
            losses = {"sum": squares, "mean": tf.reduce_mean(squares)}
            minimize = tf.train.GradientDescentOptimizer(self.rate).minimize
            self.train_ops = {name: minimize(loss) for name, loss in losses.items()}
            slopes = {name: tf.gradients(loss, self.w) for name, loss in losses.items()}
            self.bends = {name: tf.gradients(slope, self.w)[0] for name, slope in slopes.items()}
            self.session = tf.Session()

    def __call__(self, loss: str, rate: float, examples: int, start: float = 0.0) -> tuple:
        """Return the curvature of each loss, and `w` before the first step and after each."""
        feeds, weights = {self.x: np.linspace(1, 2, examples), self.rate: rate}, [start]
        self.w.load(start, self.session)
        for _ in range(STEPS):
            self.session.run(self.train_ops[loss], feeds)
            weights.append(float(self.session.run(self.w)))
        bends = self.session.run(self.bends, feeds)
        return {name: float(bend) for name, bend in bends.items()}, weights
