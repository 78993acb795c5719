"""What the tests of minitf share: an empty graph to begin with, comparisons, and how many examples."""

import inspect
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import minitf as tf

LONG = "long"  # pytest --hypothesis-profile=long: a hundred times as many examples (conftest.py)


@pytest.fixture(autouse=True)
def empty_default_graph():
    """The default graph of each test holds nothing of another test."""
    with tf.Graph().as_default() as graph:
        yield graph


def examples(count):
    """Try a property on `count` examples, or on a hundred times as many in the long profile."""
    if settings.get_current_profile_name() == LONG:
        count *= 100
    return settings(
        max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
    )


def in_new_graph(test):
    """Run the body of a property in a new graph for each example."""

    def wrapped(*args, **kwargs):
        with tf.Graph().as_default():
            return test(*args, **kwargs)

    wrapped.__name__, wrapped.__doc__ = test.__name__, test.__doc__
    wrapped.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    wrapped.__module__, wrapped.__qualname__ = test.__module__, test.__qualname__
    return wrapped


def assert_same(actual, expected, what="", tolerance=0.0):
    """The same dtype and shape; the same numbers up to `tolerance`, NaN being equal to NaN."""
    actual_array, expected_array = np.asarray(actual), np.asarray(expected)
    assert actual_array.dtype == expected_array.dtype, what
    assert actual_array.shape == expected_array.shape, what
    np.testing.assert_allclose(actual_array, expected_array, rtol=tolerance, atol=tolerance, err_msg=what)


def here():
    """The place of the line that calls this, as messages write it: `test_x.py:12`."""
    frame = inspect.currentframe().f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def initialized_session(graph=None):
    """A session, all of whose variables have their initial values."""
    graph = graph or tf.get_default_graph()
    session = tf.Session(graph=graph)
    with graph.as_default():
        session.run(tf.global_variables_initializer())
    return session
