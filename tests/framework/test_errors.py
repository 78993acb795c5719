"""Errors of runs: kinds, numbers, words."""

import pickle

import pytest

import minitf as tf

KINDS = [getattr(tf.errors, name) for name in dir(tf.errors) if name.endswith("Error")]
KINDS = [k for k in KINDS if issubclass(k, tf.errors.OpError) and k is not tf.errors.OpError]


def test_every_kind_has_a_number_of_its_own():
    codes = [kind(None, None, "words").error_code for kind in KINDS]
    assert sorted(codes) == list(range(1, 17))


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_says_what_it_was_told_and_survives_pickling(kind):
    op = tf.no_op(name="nothing")
    error = kind(op, op, "the words")
    assert (error.message, error.op, error.node_def) == ("the words", op, op)
    assert "the words" in str(error) and "nothing" in str(error)
    assert str(kind(None, None, "the words")) == "the words"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
