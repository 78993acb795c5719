"""The experiment in TensorFlow 2 and Keras: the optimizer counts, in its iterations."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.optimizers import SGD
from tensorflow.keras.optimizers.schedules import ExponentialDecay

x = np.linspace(1, 2, 10, dtype="float32")
w = tf.Variable(0.0)
schedule = ExponentialDecay(0.1, decay_steps=10, decay_rate=2)
optimizer = SGD(schedule)
for _ in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - x) ** 2)
    gradient = tape.gradient(loss, w)
    optimizer.apply_gradients([(gradient, w)])
    step = int(optimizer.iterations)
    print(f"{schedule(step):.6g} {step} {w.numpy():.4f}")
