"""A learner goes through the lessons 10 to 15."""

from __future__ import annotations

import pytest

from tests.browser.journey import goes_through, journeys

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", journeys("1"))
def test_a_learner_goes_through(open_lesson, path):
    goes_through(open_lesson, path)
