"""minitf answers every program as TensorFlow did when it was recorded."""

import pytest

import minitf as tf
from tests.conformance import recordings
from tests.conformance.outcomes import Raised, differences, encode, observe
from tests.conformance.programs import every, programs, themes

PROGRAMS = [pytest.param(*item, id=".".join(item[:2])) for item in every()]


@pytest.mark.parametrize(("theme", "name", "program"), PROGRAMS)
def test_minitf_answers_as_tensorflow(theme, name, program):
    recorded = recordings.read(theme)
    assert name in recorded, f"not recorded: python -m tests.conformance.record {theme}"
    outcome = observe(program, tf)
    lines = differences(recorded[name], encode(outcome))
    if lines:
        cause = outcome.error if isinstance(outcome, Raised) else None
        text = "\n".join([f"TensorFlow answers otherwise: {program.__doc__}", *lines])
        raise AssertionError(text) from cause


def test_every_recording_has_its_program():
    assert recordings.recorded_themes() == themes()
    strays = {theme: sorted(recordings.read(theme).keys() - programs(theme).keys()) for theme in themes()}
    assert not any(strays.values()), strays
