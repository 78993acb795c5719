"""tf.contrib.training.HParams, as TensorFlow 1.15 has it (TensorFlow 2.21 doesn't)."""

from __future__ import annotations

import json
import re

import pytest

import minitf as tf


@pytest.fixture
def hparams():
    return tf.contrib.training.HParams(rate=0.1, steps=3, name="a", sizes=[1, 2], train=True)


def test_they_are_attributes_and_values(hparams):
    assert (hparams.rate, hparams.sizes, hparams.get("steps"), hparams.get("none", 7)) == (0.1, [1, 2], 3, 7)
    assert "rate" in hparams and "none" not in hparams
    assert json.loads(hparams.to_json()) == hparams.values()
    assert str(hparams) == "rate=0.1,steps=3,name=a,sizes=[1, 2],train=True"
    assert repr(tf.contrib.training.HParams(b=1, a="x")) == "HParams([('a', 'x'), ('b', 1)])"


def test_a_text_changes_them(hparams):
    assert hparams.parse("rate=1,steps=5,name=b c,sizes=[3,4],train=false") is hparams
    assert hparams.values() == {"rate": 1.0, "steps": 5, "name": "b c", "sizes": [3, 4], "train": False}
    hparams.parse_json('{"steps": 6}').override_from_dict({"rate": 2})
    assert (hparams.steps, hparams.rate, type(hparams.rate)) == (6, 2.0, float)
    hparams.add_hparam("more", 1)
    hparams.del_hparam("rate")
    assert list(hparams.values()) == ["steps", "name", "sizes", "train", "more"]


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda h: h.parse("none=1"), "Unknown hyperparameter type for none"),
        (lambda h: h.parse("rate"), "Malformed hyperparameter value: rate"),
        (lambda h: h.parse("steps=1.5"), "Could not parse hparam 'steps' of type 'int' with value '1.5' in steps=1.5"),
        (lambda h: h.parse("rate=1,rate=2"), "Multiple assignments to variable 'rate' in rate=1,rate=2"),
        (lambda h: h.parse("sizes[0]=[1]"), "Assignment of a list to a list index."),
        (lambda h: h.parse("sizes=1"), "Must pass a list for multi-valued parameter: sizes."),
        (lambda h: h.set_hparam("rate", [1]), "Must not pass a list for single-valued parameter: rate"),
        (lambda h: h.set_hparam("steps", 1.5), "Could not cast hparam 'steps' of type '<class 'int'>' from value 1.5"),
        (lambda h: h.set_hparam("train", 1), "Could not cast hparam 'train'"),
        (lambda h: h.set_hparam("name", 1), "Could not cast hparam 'name'"),
        (lambda h: h.set_hparam("rate", "1"), "Could not cast hparam 'rate'"),
        (lambda h: h.get("steps", "x"), "Hparam 'steps' of type '<class 'int'>' is incompatible with default=x"),
        (lambda h: h.add_hparam("rate", 1), "Hyperparameter name is reserved: rate"),
        (lambda h: h.add_hparam("empty", []), "Multi-valued hyperparameters cannot be empty: empty"),
    ],
)
def test_what_does_not_fit(hparams, change, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        change(hparams)


def test_one_that_is_not_there(hparams):
    with pytest.raises(KeyError):
        hparams.set_hparam("none", 1)


def test_the_digits_of_contrib_are_those_of_the_tutorial():
    from minitf.examples.tutorials.mnist import input_data

    assert tf.contrib.learn.datasets.mnist.read_data_sets is input_data.read_data_sets
