"""What Keras saves: 400 steps, three ways to go on, and one step more."""

import os
import tempfile

import keras
import numpy as np
from keras.optimizers import SGD
from keras.optimizers.schedules import ExponentialDecay

loss = keras.losses.CategoricalCrossentropy(from_logits=True)
schedule = ExponentialDecay(0.5, decay_steps=100, decay_rate=0.8)
images, labels = np.ones([50, 64]), np.eye(10)[[3] * 50]


def build():
    """Return a model that is not compiled."""
    return keras.Sequential([keras.Input([64]), keras.layers.Dense(10)])


def one_more(way, model):
    """Train on one batch more; print the step after it and the rate that it used."""
    rate = float(model.optimizer.learning_rate)
    model.train_on_batch(images, labels)
    print(f"{way}: step {int(model.optimizer.iterations)} rate {rate:.4f}")


with tempfile.TemporaryDirectory() as folder:
    model = build()
    model.compile(SGD(schedule), loss)
    for _ in range(400):
        model.train_on_batch(images, labels)
    model.save_weights(os.path.join(folder, "digits.weights.h5"))
    model.save(os.path.join(folder, "digits.keras"))

    model = build()
    model.load_weights(os.path.join(folder, "digits.weights.h5"))
    model.compile(SGD(schedule), loss)
    one_more("load_weights, then compile", model)

    model = build()
    model.compile(SGD(schedule), loss)
    model.load_weights(os.path.join(folder, "digits.weights.h5"))
    one_more("compile, then load_weights", model)

    one_more("load_model", keras.models.load_model(os.path.join(folder, "digits.keras")))
