"""Lesson 09's digits as the page gets them, and the rates that its explorer offers."""

from __future__ import annotations

import pytest

import lab
from lab.experiments.first_steps import FORMULAS
from lab.explorers.first_steps import RATES, FirstSteps
from minitf.examples.tutorials.mnist import input_data


@pytest.fixture(scope="module")
def mnist():
    """Read the digits once."""
    return input_data.read_data_sets("no MNIST here", one_hot=True, seed=0)


def test_the_posts_formula_breaks_from_the_same_rate_on_as_in_tensorflow(mnist):
    explorer = FirstSteps(mnist)
    recorded = lab.recorded("digits")["first nan"]
    for rate, end in recorded.items():
        words = explorer.picture(float(rate), FORMULAS[0]).words
        assert ("nan" in words) == (end != "numbers")
    assert [float(rate) for rate in recorded] == list(RATES)


@pytest.mark.parametrize("rate", [0.5, 1.0, 3.0])
def test_from_the_logits_no_rate_breaks(mnist, rate):
    assert "nan" not in FirstSteps(mnist).picture(rate, FORMULAS[1]).words
