"""A name that minitf lacks says what minitf covers."""

from __future__ import annotations

import pytest

import minitf as tf


@pytest.mark.parametrize("name", ["signal", "estimator", "nothing_like_it"])
def test_a_missing_name_says_so(name):
    with pytest.raises(AttributeError, match=f"minitf has no tf.{name}"):
        getattr(tf, name)
    assert not hasattr(tf, name)


def test_a_missing_name_of_train_says_so():
    with pytest.raises(AttributeError, match=r"minitf has no tf\.train\.Nothing"):
        _ = tf.train.Nothing


def test_private_names_are_plainly_missing():
    with pytest.raises(AttributeError):
        _ = tf.__wrapped__
