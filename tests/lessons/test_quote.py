"""What the lessons quote of TensorFlow is what TensorFlow was recorded to answer."""

from __future__ import annotations

import json

import pytest

from lab import recorded
from tools.json_files import DATA, name_of
from tools.quote import QUOTES, quoted


@pytest.mark.parametrize("theme", QUOTES)
def test_the_lessons_hold_what_was_recorded(theme):
    version, figures = quoted(theme)
    figures = {"tensorflow": version, **figures}
    assert json.loads((DATA / name_of(theme, version)).read_text(encoding="utf-8")) == figures
    assert recorded(theme) == figures


def test_the_ten_lines():
    answers = recorded("experiment")
    assert answers["with_step"][0] == "0.107177 1"
    assert answers["with_step"][-1] == "0.2 10"
    assert answers["without"] == ["0.1 0"] * 10
    assert answers["w_with_step"][-1] == pytest.approx(-2.115e7, rel=1e-3)
    assert answers["w_without"][-1] == pytest.approx(-4.857e5, rel=1e-3)
