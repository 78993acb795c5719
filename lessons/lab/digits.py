"""Pictures of handwritten digits, and of the weights that look for them."""

from __future__ import annotations

import numpy as np

from lab.pixels import Pixels
from lab.scene import Box, Scene, Text
from lab.shown import Still

SIDE = 28  # pixels of a digit, across and down
ROW = 10  # how many stand in a row


def show_digits(images: np.ndarray, labels: np.ndarray) -> Still:
    """Return a picture of the first ten images, each with its label (of ten numbers, a 1 and nines 0)."""
    names = [str(np.argmax(label)) for label in labels[:ROW]]
    shapes: list = []
    for number, (image, name) in enumerate(zip(images, names, strict=False)):
        shapes += _framed(4 + 63.5 * number, 4, 58, image.reshape(SIDE, SIDE), name)
    return Still(Scene(640, 88, shapes, f"The first ten: {', '.join(names)}."))


def show_weights(weights: np.ndarray) -> Still:
    """Return a picture of the weights [784, 10]: for each digit, how much each pixel speaks for it."""
    shapes = [*columns(weights, 20, 4, 100, 125), *_legend(20, 268)]
    near = slice(SIDE // 2 - 2, SIDE // 2 + 2)
    middle = weights.reshape(SIDE, SIDE, -1)[near, near].mean((0, 1))
    means = ", ".join(
        f"{digit}: {round(float(mean), 2) + 0:.2f}" for digit, mean in enumerate(middle)
    )
    words = (
        "One picture for each digit. Ink on a blue pixel speaks for the digit (the weight is above 0), "
        f"ink on an orange one against it.\nIn the middle, 4 by 4 pixels, the mean weights are {means}."
    )
    return Still(Scene(640, 276, shapes, words))


def columns(weights: np.ndarray, x: float, y: float, side: float, across: float) -> list:
    """Draw the ten columns of the weights as two rows of five pictures."""
    largest = np.nanmax(np.abs(weights), initial=1e-9)
    shapes: list = []
    for digit in range(weights.shape[1]):
        row, column = divmod(digit, 5)
        numbers = weights[:, digit].reshape(SIDE, SIDE) / largest
        shapes += _framed(x + across * column, y + (side + 23) * row, side, numbers, str(digit))
    return shapes


def _framed(x: float, y: float, side: float, numbers: np.ndarray, name: str) -> list:
    """Draw pixels in a frame, and their name below it."""
    return [
        Pixels(x, y, side, side, numbers),
        Box(x, y, side, side),
        Text(x + side / 2, y + side + 16, name, anchor="middle", bold=True),
    ]


def _legend(x: float, y: float) -> list:
    shapes = []
    for number, (value, words) in enumerate([(0.8, "for the digit"), (-0.8, "against it")]):
        left = x + 130 * number
        shapes += [
            Pixels(left, y - 11, 14, 14, np.array([[value]])),
            Text(left + 20, y, words, size=12),
        ]
    return shapes
