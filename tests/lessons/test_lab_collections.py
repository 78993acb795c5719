"""The ways to make a step that the collection viewer shows are those that TensorFlow was asked about."""

from __future__ import annotations

import logging

import pytest

import minitf as tf
from lab import logged
from lab.experiments.ways_to_count import WAYS, look
from tests.conformance.transcripts import answers

# What was asked of TensorFlow, in that order: a line of the script in each way.
BARE = "tf.Variable(0, trainable=False)"
NAMED = 'tf.Variable(0, trainable=False, name="global_step")'
ASKED = [
    "global_step = tf.Variable(0)",
    f"global_step = {BARE}",
    f"global_step = {NAMED}",
    f'with tf.name_scope("train"):\n    global_step = {NAMED}',
    f"global_step = {BARE}\ntf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, global_step)",
    "global_step = tf.train.create_global_step()",
    "global_step = tf.train.get_or_create_global_step()",
]


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def test_the_ways_are_those_that_were_asked_of_tensorflow():
    asked = answers("finding", "ways_to_make_a_counter")
    for code, (name, found, _, counted) in zip(ASKED, asked, strict=True):
        seen = look(code)
        assert name in seen.held["GLOBAL_VARIABLES"]
        assert repr(seen.found) == found
        steps = [step for step, _ in seen.points]
        if found == "None":
            assert steps == [0] * 8
        else:
            assert steps == [1, 51, 101, 151, 201, 251, 300, 300]
        assert counted == 3  # training counts each of them


def test_every_way_trains_the_same_model():
    curves = [[share for _, share in look(code).points] for code in WAYS.values()]
    assert curves == [curves[0]] * len(WAYS)
    assert curves[0][0] < 0.25 < 0.85 < curves[0][-1] < 0.9


def test_two_in_the_collection_are_none_and_an_error():
    seen = look(WAYS["two in the collection"])
    assert seen.found is None
    assert len(seen.held["GLOBAL_STEP"]) == 2
    assert set(seen.log) == {"ERROR:tensorflow:Multiple tensors in global_step collection."}


def test_what_is_logged_is_kept_from_the_page_and_only_inside(capsys):
    log = logging.getLogger("tensorflow")
    with logged() as lines:
        log.error("One %s.", "thing")
    assert lines == ["ERROR:tensorflow:One thing."]
    assert capsys.readouterr().err == ""
    filters = list(log.filters)
    with pytest.raises(ValueError), logged():
        raise ValueError
    assert log.filters == filters
