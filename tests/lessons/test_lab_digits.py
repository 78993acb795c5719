"""Lesson 09's pictures, its explorer, and other right answers to its exercise."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from lab.drawing.digits import pixels, pixels_of_weights, show_digits
from lab.drawing.learned import learned_and_counted
from lab.experiments.first_steps import FORMULAS
from lab.explorers.first_steps import FirstSteps
from minitf.examples.tutorials.mnist import input_data


@pytest.fixture(scope="module")
def mnist():
    """Read the digits once."""
    return input_data.read_data_sets("no MNIST here", one_hot=True, seed=0)


# Other right answers.


# Pictures.


def sent(part, number):
    data = base64.b64decode(part["images"][number]["data"])
    return np.frombuffer(data, np.int8).reshape(part["side"], part["side"])


def test_small_digits_are_sent_small_and_large_ones_as_they_are(mnist):
    image, large = mnist.test.images[0], np.linspace(-1, 1, 784)
    assert np.array_equal(sent(pixels(image[None], ["5"], 56), 0).repeat(3, 0).repeat(3, 1), digit(image)[2:-2, 2:-2])
    part = pixels(np.stack([image, large]), ["5", "?"], 56)
    assert np.array_equal(sent(part, 0), digit(image)) and np.array_equal(sent(part, 1), digit(large))
    assert (sent(part, 1).min(), sent(part, 1).max()) == (-127, 127)


def digit(numbers):
    return np.rint(127 * numbers).reshape(28, 28)


def test_pictures_say_what_they_show(mnist):
    digits = show_digits(mnist.test.images, mnist.test.labels)
    assert digits.words == "The first ten: 5, 1, 7, 3, 9, 5, 4, 1, 8, 3."
    assert "".join(image["label"] for image in digits.data["picture"]["parts"][0]["images"]) == "5173954183"
    weights = pixels_of_weights(np.full((784, 10), -0.004, np.float32), size=58)
    assert len(weights["images"]) == 10 and (sent(weights, 9) == -127).all()  # as much as any


@pytest.mark.parametrize(
    "points, other, kinds, words",
    [
        ([(1, 0.2), (300, 0.9)], (), ["done", "now"], "gets 0.900 of the test digits right, and the step is 300."),
        ([(1, 0.2), (351, 0.9)], (), ["done", "done"], "and the step is 351."),
        ([(1, 0.4), (351, 0.1)], (0.4, 0.9), ["now", "done"], "gets 0.100 of the test digits right"),
    ],
)
def test_what_is_learned_is_drawn_beside_what_is_counted(points, other, kinds, words):
    view = learned_and_counted([1, 351], points, other)
    assert view.words.startswith("After 351 batches, the model") and words in view.words
    learned, counted = view.data["picture"]["parts"]
    assert [part["lines"][-1]["kind"] for part in (learned, counted)] == kinds
    steps, shares = zip(*points, strict=True)
    assert learned["lines"][-1]["points"] == [[1, shares[0]], [351, shares[1]]]
    assert counted["lines"][-1]["points"] == [[0, 0], [1, steps[0]], [351, steps[1]]]
    assert len(learned["lines"]) == len(learned.get("notes", [])) + 1 == 1 + bool(other)
    assert learned["x"]["max"] == counted["x"]["max"] == counted["y"]["max"] == 400


# The explorer.


@pytest.fixture(scope="module")
def explorer(mnist):
    """Make one for all tests, which leaves the lesson's own batches where they are."""
    before = mnist.train.epochs_completed
    yield FirstSteps(mnist)
    assert mnist.train.epochs_completed == before


def test_the_posts_formula_breaks_from_the_same_rate_on_as_in_tensorflow(explorer):
    rates = [n / 20 for n in range(1, 61)]
    broken = [rate for rate in rates if "nan" in explorer.picture(rate, FORMULAS[0]).words]
    assert broken == [rate for rate in rates if rate > 0.8]
    assert not any("nan" in explorer.picture(rate, FORMULAS[1]).words for rate in rates[::10])
