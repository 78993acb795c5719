"""TensorFlow, where it is installed, still answers as recorded.

Not run by default: `pytest -m tensorflow tests/conformance`.
"""

import importlib.util

import pytest

from tests.conformance import transcripts
from tests.conformance.outcomes import differences
from tests.conformance.referee import import_tensorflow

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

SECTIONS = [pytest.param(it, id=f"{it.theme.path.stem}.{it.name}") for it in transcripts.every()]


@pytest.fixture(scope="module")
def live_tf():
    """TensorFlow in its graph mode; imported by the first test that runs, never by collecting."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    return import_tensorflow()


@pytest.mark.parametrize("section", SECTIONS)
def test_tensorflow_answers_as_recorded(live_tf, section):
    for cell, (outcome, _) in zip(section.cells, section.observed(live_tf), strict=True):
        lines = differences(cell.answer(), outcome)
        assert not lines, "\n".join([f">>> {cell.code}", *lines])


def test_some_staircases_are_a_step_late(live_tf):
    """`step / decay_steps` becomes `step * (1 / decay_steps)`, which is rounded; the field guide says so."""
    with live_tf.Graph().as_default(), live_tf.Session() as sess:
        step = live_tf.placeholder(live_tf.int64, [])
        late = []
        for decay_steps in (20, 40, 41, 47, 55, 80):
            rate = live_tf.train.exponential_decay(0.4, step, decay_steps, 0.5, staircase=True)
            rates = sess.run(rate, {step: decay_steps}), sess.run(rate, {step: decay_steps + 1})
            assert rates[1] == pytest.approx(0.2)
            late += [decay_steps] if rates[0] != rates[1] else []
        assert late == [41, 47, 55]
