"""The files that the lessons open stay short."""

from __future__ import annotations

import re

import pytest

from tools.sizes import ROOT, lines, tokens

EXPLAINED = "graph compiler session variables gradients optimizer training_util learning_rate_decay"


def test_the_files_that_the_lessons_open_are_no_longer_than_contributing_says():
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    [limit] = re.findall(r"at most ([\d,]+) lines of code\b", text)
    explained = [path for path in (ROOT / "minitf").rglob("*.py") if path.stem in EXPLAINED.split()]
    assert len(explained) == 8
    assert sum(map(lines, explained)) <= int(limit.replace(",", ""))


@pytest.mark.parametrize(
    "text, count",
    [
        ('"""About."""\nx = 1  # one\n', 3),
        ('def f():\n    """About."""\n    return "x"\n', 7),
        ("x = f\"a{b + 1}{f'{c}'}\"\n", 3),
        ("x = [\n    1,\n]\n", 6),
    ],
)
def test_what_is_a_token(tmp_path, text, count):
    (tmp_path / "code.py").write_text(text, encoding="utf-8")
    assert len(list(tokens(tmp_path / "code.py"))) == count
