"""TensorFlow, where it is installed, still answers as recorded.

Not run by default: `pytest -m tensorflow tests/conformance`.
"""

import importlib.util

import pytest

from tests.conformance import recordings
from tests.conformance.outcomes import differences, encode, observe
from tests.conformance.programs import every
from tests.conformance.record import import_tensorflow

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

PROGRAMS = [pytest.param(*item, id=".".join(item[:2])) for item in every()]


@pytest.fixture(scope="module")
def live_tf():
    """TensorFlow in its graph mode; imported by the first test that runs, never by collecting."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    return import_tensorflow()


@pytest.mark.parametrize(("theme", "name", "program"), PROGRAMS)
def test_tensorflow_answers_as_recorded(live_tf, theme, name, program):
    lines = differences(recordings.read(theme)[name], encode(observe(program, live_tf)))
    assert not lines, "\n".join(lines)
