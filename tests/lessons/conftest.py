"""The tests import lab as a lesson does: from the lessons' folder."""

from __future__ import annotations

import sys

from tests.lessons.notebooks import LESSONS

sys.path.insert(0, str(LESSONS))
