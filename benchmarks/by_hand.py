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


def _windows(x, size):
    """The windows of `size` by `size` around each pixel, as rows: [n * h * w, size * size * depth]."""
    x = np.pad(x, ((0, 0), (size // 2, size // 2), (size // 2, size // 2), (0, 0)))
    view = np.lib.stride_tricks.sliding_window_view(x, (size, size), (1, 2))
    return view.transpose(0, 1, 2, 4, 5, 3).reshape(-1, size * size * x.shape[3])


def _corners(x):
    """Of each two by two pixels, the first, and so on: four views."""
    return [x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]


def _pool(x):
    """Of each two by two pixels, the largest."""
    a, b, c, d = _corners(x)
    return np.maximum(np.maximum(a, b), np.maximum(c, d))


def _unpool(x, pooled, dy):
    """The gradient of `x`: the first of the largest pixels gets it."""
    dx, free = np.zeros_like(x), True
    for part, pixels in zip(_corners(dx), _corners(x)):
        hit = (pixels == pooled) & free
        part[:] = dy * hit
        free = free ^ hit
    return dx


def _convolved(x, w, b):
    """relu(convolution(x, w) + b), pooled; and what its gradient needs."""
    rows = _windows(x, len(w))
    y = (rows @ w.reshape(-1, w.shape[3])).reshape(*x.shape[:3], -1)
    y += b
    pooled = _pool(np.maximum(y, 0, out=y))
    return pooled, (rows, y, pooled)


def _back(dy, kept):
    """The gradients of the convolution's result, as rows, of its filters as a matrix, and of its biases."""
    rows, y, pooled = kept
    d = _unpool(y, pooled, dy) * (y > 0)
    d = d.reshape(len(rows), -1)
    return d, rows.T @ d, d.sum(0)


def convnet_gradients(p, x, y):
    """Gradients of a small convolutional network: p = [w1, b1, w2, b2, w3, b3], x [n, h, w, 1]."""
    first, kept_1 = _convolved(x, p[0], p[1])
    second, kept_2 = _convolved(first, p[2], p[3])
    flat = second.reshape(len(x), -1)
    d = (softmax(flat @ p[4] + p[5]) - y) / np.float32(len(x))
    d2, dw2, db2 = _back((d @ p[4].T).reshape(second.shape), kept_2)
    size = len(p[2])
    windows = (d2 @ p[2].reshape(-1, p[2].shape[3]).T).reshape(*first.shape[:3], size, size, -1)
    n, h, w, c = first.shape
    padded = np.zeros((n, h + size - 1, w + size - 1, c), np.float32)
    for i in range(size):
        for j in range(size):
            padded[:, i : i + h, j : j + w] += windows[:, :, :, i, j]
    margin = size // 2
    _, dw1, db1 = _back(padded[:, margin : margin + h, margin : margin + w], kept_1)
    return [dw1.reshape(p[0].shape), db1, dw2.reshape(p[2].shape), db2, flat.T @ d, d.sum(0)]
