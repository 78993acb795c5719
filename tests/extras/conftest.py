"""Every test begins with an empty default graph, and can ask for TensorFlow."""

import importlib.util

import pytest

from tests.conformance.referee import import_tensorflow
from tests.support import empty_default_graph

__all__ = ["empty_default_graph"]


@pytest.fixture(scope="session")
def tensorflow():
    """TensorFlow in its graph mode."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    return import_tensorflow()
