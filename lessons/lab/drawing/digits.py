"""Pictures of handwritten digits, and of the weights that look for them."""

import base64
from collections.abc import Sequence

import numpy as np

from lab.drawing.parts import still
from lab.page.view import View

SIDE = 28  # width and height of a digit, in pixels
FIRST = 10  # how many digits are shown


def show_digits(images: np.ndarray, labels: np.ndarray) -> View:
    """Return a picture of the first ten images, each with its one-hot label."""
    names = [str(np.argmax(label)) for label in labels[:FIRST]]
    words = f"The first ten: {', '.join(names)}."
    return still(pixels(images[:FIRST], names, size=56), words=words)


def pixels_of_weights(weights: np.ndarray, size: int, title: str = "") -> dict:
    """Describe the ten columns of weights as pictures; one with nan stays empty and says so."""
    largest = np.nanmax(np.abs(weights), initial=1e-9)
    spoiled = np.isnan(weights).any(axis=0)
    names = [f"{digit}: nan" if bad else str(digit) for digit, bad in enumerate(spoiled)]
    return {**pixels(np.nan_to_num(weights.T / largest), names, size), "title": title}


def pixels(images: np.ndarray, names: Sequence[str], size: int) -> dict:
    """Describe images, each a row of numbers from -1 to 1, with one signed byte per pixel."""
    squares = np.rint(127 * images).astype(np.int8).reshape(-1, SIDE, SIDE)
    small = squares[:, 3:-2:3, 3:-2:3]  # the smaller digits are 8 by 8, scaled up by 3
    large = np.pad(small.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2)))
    sent = small if np.array_equal(large, squares) else squares
    data = [base64.b64encode(image.tobytes()).decode() for image in sent]
    pictures = [{"data": one, "label": name} for one, name in zip(data, names, strict=True)]
    return {"type": "pixels", "side": sent.shape[1], "size": size, "images": pictures}
