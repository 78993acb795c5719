"""The benchmark's yardstick: one training step as a careful person would write it in NumPy.

The functions compute only what the step needs (no loss that nothing reads), work in place where
that helps, and use float32 throughout. The benchmarks run them in turns with minitf, both on one
thread, and report the medians of the ratios. Both must end with the same weights.
"""

import numpy as np


def experiment_a(w, step, x, rate=0.1, decay_steps=10, decay_rate=2.0):
    """One step on the sum of (w*x - x)**2, with exponential decay. Returns the new w and step."""
    lr = rate * decay_rate ** (step / decay_steps)
    error = w * x - x
    return w - np.float32(2 * lr) * (error * x).sum(), step + 1


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def softmax_regression(w, b, x, y, rate):
    """One step for w [784, 10], b [10], x [batch, 784], y [batch, 10]; updates w and b in place."""
    d = (softmax(x @ w + b) - y) / np.float32(len(x))
    w -= np.float32(rate) * (x.T @ d)
    b -= np.float32(rate) * d.sum(0)


def mlp_gradients(p, x, y):
    """Gradients of the mean cross entropy of relu(x w1 + b1) w2 + b2 by p = [w1, b1, w2, b2]."""
    z = x @ p[0] + p[1]
    h = np.maximum(z, 0)
    d = (softmax(h @ p[2] + p[3]) - y) / np.float32(len(x))
    dh = (d @ p[2].T) * (z > 0)
    return [x.T @ dh, dh.sum(0), h.T @ d, d.sum(0)]


def sgd(p, gradients, rate):
    for v, g in zip(p, gradients):
        v -= np.float32(rate) * g


def adam(p, gradients, m, v, t, rate=1e-4, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """One step of Adam in TensorFlow's form, epsilon outside the bias correction, in place.

    `t` is the number of the step, starting at 1.
    """
    scaled = np.float32(rate * np.sqrt(1 - beta2**t) / (1 - beta1**t))
    for x, g, mi, vi in zip(p, gradients, m, v):
        mi += np.float32(1 - beta1) * (g - mi)
        vi += np.float32(1 - beta2) * (g * g - vi)
        x -= scaled * mi / (np.sqrt(vi) + np.float32(epsilon))
