"""A widget's output stands for it where it can't run, and Python sets only what the reader could."""

from __future__ import annotations

import base64

import pytest
from traitlets import TraitError

import lab
from lab.widget import PICTURES


def test_the_output_holds_a_picture_and_words_that_keep_w_secret():
    data, metadata = lab.Toy()._repr_mimebundle_()
    png = base64.b64decode(data["image/png"])
    assert png == (PICTURES / "toy.png").read_bytes()
    assert len(png) <= 60_000
    size = metadata["image/png"]
    assert (size["width"], size["height"]) == (784, 350)
    assert "0.2 10" in data["text/plain"]
    assert "million" not in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


@pytest.mark.parametrize("rate", [0.004, 0.3])
def test_python_sets_no_rate_that_the_slider_lacks(rate):
    with pytest.raises(TraitError):
        lab.Toy().rate = rate
