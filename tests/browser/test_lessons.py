"""A learner goes through the lessons."""

from __future__ import annotations

import pytest

from tests.browser.journey import goes_through
from tests.lessons.notebooks import lessons

pytestmark = pytest.mark.browser

# Between them, these lessons have nearly every kind of control; the way through the others is long.
QUICK = ("00", "07", "10")
PATHS = [
    pytest.param(path, id=path.stem, marks=[] if path.name.startswith(QUICK) else pytest.mark.long)
    for path in lessons()
]


@pytest.mark.parametrize("path", PATHS)
def test_a_learner_goes_through(open_lesson, path):
    goes_through(open_lesson, path)
