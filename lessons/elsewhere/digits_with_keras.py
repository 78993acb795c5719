"""The inherited script's loop in Keras, with the two optimizers that it had before lesson 13."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.optimizers import SGD
from tensorflow.keras.optimizers.schedules import ExponentialDecay

with np.load("data/optdigits.npz") as file:
    images = (file["images"].reshape(-1, 64) / 16).astype("float32")
    labels = np.eye(10, dtype="float32")[file["labels"]]
w, b = tf.Variable(tf.zeros([64, 10])), tf.Variable(tf.zeros([10]))
train = SGD(ExponentialDecay(0.5, decay_steps=100, decay_rate=0.8))
polish = SGD(ExponentialDecay(0.05, decay_steps=100, decay_rate=0.8))
for i in range(400):
    batch = slice(50 * i % 1500, 50 * i % 1500 + 50)
    optimizer = train if i < 300 else polish
    with tf.GradientTape() as tape:
        logits = tf.matmul(images[batch], w) + b
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels[batch], logits))
    rate = float(optimizer.learning_rate)
    optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b], strict=True))
    if i % 50 == 0:
        step = int(optimizer.iterations)
        right = tf.argmax(tf.matmul(images[1500:], w) + b, 1) == tf.argmax(labels[1500:], 1)
        print(f"step {step} rate {rate:.4f} test accuracy {np.mean(right):.3f}")
