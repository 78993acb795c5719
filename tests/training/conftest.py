"""Every test begins with an empty default graph, and with its own event files."""

import pytest

import minitf as tf
from tests.extras.conftest import tensorflow
from tests.support import empty_default_graph

__all__ = ["empty_default_graph", "tensorflow"]


@pytest.fixture(autouse=True)
def writers():
    """Close the event files of a test before the next one."""
    yield
    tf.summary.FileWriterCache.clear()
