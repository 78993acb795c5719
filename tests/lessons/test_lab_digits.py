"""Lesson 09's digits as the page gets them, and the rates that its explorer draws."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import lab
from lab.drawing.digits import pixels
from lab.experiments.first_steps import FORMULAS
from lab.explorers.first_steps import STORED, FirstSteps
from minitf.examples.tutorials.mnist import input_data


@pytest.fixture(scope="module")
def mnist():
    """Read the digits once."""
    return input_data.read_data_sets("no MNIST here", one_hot=True, seed=0)


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


def test_the_posts_formula_breaks_from_the_same_rate_on_as_in_tensorflow(mnist):
    explorer = FirstSteps(mnist)
    recorded = lab.recorded("digits")["first nan"]
    for rate, end in recorded.items():
        words = explorer.picture(float(rate), FORMULAS[0]).words
        assert ("nan" in words) == (end != "numbers")
    assert [float(rate) for rate in recorded] == list(STORED)


@pytest.mark.parametrize("rate", [0.5, 1.0, 3.0])
def test_from_the_logits_no_rate_breaks(mnist, rate):
    assert "nan" not in FirstSteps(mnist).picture(rate, FORMULAS[1]).words
