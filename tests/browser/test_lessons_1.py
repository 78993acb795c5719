"""A learner goes through the lessons 10 to 15."""

from __future__ import annotations

import pytest

from tests.browser.journey import goes_through
from tests.lessons.notebooks import lessons

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", lessons("1"), ids=lambda path: path.stem)
def test_a_learner_goes_through(open_lesson, path):
    goes_through(open_lesson, path)
