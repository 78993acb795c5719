"""Rare names are loaded when they are first needed; one that minitf lacks says what minitf covers."""

import re
from operator import attrgetter

import pytest

import minitf as tf
from minitf.framework import late


@pytest.mark.parametrize(
    "module, name, words",
    [
        ("", "signal", "minitf has no tf.signal. TensorFlow has it, but it's outside of what minitf covers"),
        ("", "estimator", "minitf has no tf.estimator. TensorFlow has it"),
        ("", "nothing_like_it", "module 'tensorflow' has no attribute 'nothing_like_it'"),
        ("train", "Nothing", "module 'tensorflow.train' has no attribute 'Nothing'"),
        ("train", "QueueRunner", "minitf has no tf.train.QueueRunner. TensorFlow has it"),
        ("math", "placeholder", "module 'tensorflow.math' has no attribute 'placeholder'"),
        ("contrib.layers", "layer_norm", "minitf has no tf.contrib.layers.layer_norm. TensorFlow has it"),
        ("flags", "DEFINE_nothing", "has no attribute 'DEFINE_nothing'"),  # of absl's own
    ],
)
def test_a_missing_name_says_whose_it_is(module, name, words):
    home = attrgetter(module)(tf) if module else tf
    with pytest.raises(AttributeError, match=re.escape(words)):
        getattr(home, name)
    assert not hasattr(home, name)


def test_private_names_are_plainly_missing():
    with pytest.raises(AttributeError):
        _ = tf.__wrapped__


@pytest.fixture
def loaded(monkeypatch):
    """What has been loaded of `tf.place`, which has one late name."""
    monkeypatch.setattr(late, "_LOADERS", late._LOADERS.copy())
    names = []

    def load():
        names.append("thing")
        return object()

    late.provide("tf.place", {"thing": load})
    return names


def test_a_late_name_is_loaded_once_and_then_kept(loaded):
    module = late.LateModule("tf.place")
    assert dir(module).count("thing") == 1
    assert loaded == []
    assert module.thing is module.thing
    assert loaded == ["thing"]


def test_whoever_asks_by_name_gets_it_as_well(loaded):
    assert late.names("tf.place") == ["thing"]
    assert late.load("tf.place", "thing") is not None
    assert loaded == ["thing"]
