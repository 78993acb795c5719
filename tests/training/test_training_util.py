"""The global step: made once, found by its collection, checked for what it is."""

from __future__ import annotations

import logging
import re

import numpy as np
import pytest

import minitf as tf
from tests.support import initialized_session

train = tf.train


def test_there_is_none_at_first():
    assert train.get_global_step() is None
    assert train.get_global_step(tf.Graph()) is None


def test_it_is_an_int64_scalar_zero_that_no_optimizer_trains():
    step = train.create_global_step()
    assert repr(step) == "<tf.Variable 'global_step:0' shape=() dtype=int64_ref>"
    assert tf.get_collection(tf.GraphKeys.GLOBAL_STEP) == [step]
    assert tf.global_variables() == [step]
    assert tf.trainable_variables() == []
    value = initialized_session().run(step)
    assert value == 0 and value.dtype == np.int64


def test_it_is_found_again():
    step = train.get_or_create_global_step()
    assert train.get_or_create_global_step() is step
    assert train.get_global_step() is step
    assert train.get_global_step(step.graph) is step


def test_a_second_one_is_refused():
    step = train.create_global_step()
    with pytest.raises(ValueError, match='"global_step" already exists.'):
        train.create_global_step()
    assert tf.get_collection(tf.GraphKeys.GLOBAL_STEP) == [step]
    assert initialized_session().run(step) == 0


def test_it_is_made_outside_of_all_scopes_and_in_the_graph_that_is_named():
    graph = tf.Graph()
    with tf.name_scope("scope"):
        assert train.create_global_step().name == "global_step:0"
        assert train.get_or_create_global_step(graph).graph is graph
    assert train.get_global_step(graph).graph is graph


def test_without_the_collection_it_is_found_by_its_name_as_a_tensor():
    v = tf.Variable(5, trainable=False, name="global_step")
    found = train.get_global_step()
    assert isinstance(found, tf.Tensor) and found.name == "global_step:0"
    assert train.get_or_create_global_step() is found
    assert train.global_step(initialized_session(), v) == 5
    with pytest.raises(ValueError, match="already exists"):
        train.create_global_step()


def test_several_in_the_collection_are_none_and_an_error_in_the_log(caplog):
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, trainable=False))
    logger = logging.getLogger("tensorflow")
    logger.addHandler(caplog.handler)
    try:
        assert train.get_global_step() is None
    finally:
        logger.removeHandler(caplog.handler)
    assert "Multiple tensors in global_step collection." in caplog.text


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: tf.Variable(1.0), "does not have integer type: <dtype: 'float32_ref'>"),
        (lambda: tf.constant(1.0), "does not have integer type: <dtype: 'float32'>"),
        (lambda: tf.Variable([1, 2]), "is not scalar: (2,)"),
        (lambda: tf.placeholder(tf.int64, [1, 1]), "is not scalar: (1, 1)"),
        (lambda: 5, "must be a Variable or Tensor: 5."),
        (lambda: "global_step", "must be a Variable or Tensor: global_step."),
        (lambda: None, "must be a Variable or Tensor: None."),
    ],
)
def test_what_is_no_whole_number_scalar_is_refused(make, words):
    step = make()
    with pytest.raises(TypeError, match=re.escape(f'Existing "global_step" {words}')):
        train.assert_global_step(step)
    if not isinstance(step, str | None):
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
        with pytest.raises(TypeError, match=re.escape(words)):
            train.get_global_step()


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.uint8])
def test_a_whole_number_scalar_is_accepted(dtype):
    train.assert_global_step(tf.Variable(0, dtype=dtype))
    train.assert_global_step(tf.constant(0, dtype))
    train.assert_global_step(tf.placeholder(dtype))


def test_the_step_of_a_session_is_a_python_int():
    step = train.create_global_step()
    session = initialized_session()
    session.run(tf.assign(step, 10))
    found = train.global_step(session, step)
    assert found == 10 and type(found) is int


def test_an_uninitialized_step_says_so():
    step = train.create_global_step()
    with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value global_step"):
        train.global_step(tf.Session(), step)
