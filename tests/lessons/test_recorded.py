"""What a lesson shows is what TensorFlow was recorded to answer: recorded.txt says for each cell which answers.

Below the number of a lesson and the name of its recording come the cells, and for each the lines that it has to
show. Braces hold Python, which knows the parts of the recording by their names, the recording as `its`,
and the transcripts of the same name by `told`. Spaces don't count. (nbval sees that the cells still show it.)
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

import lab
from tests.conformance.transcripts import answers
from tests.lessons.notebooks import cell

TABLE = Path(__file__).with_name("recorded.txt").read_text(encoding="utf-8")
TRANSCRIPTS_ALONE = ("watching", "who_calls_whom")
LESSONS = re.split(r"^# (\d\d) (\w+)\n\n", TABLE, flags=re.MULTILINE)[1:]
ROWS = [
    (number, recording, *section.split("\n", 1))
    for number, recording, text in zip(*[iter(LESSONS)] * 3, strict=True)
    for section in text.removeprefix("## ").split("\n## ")
]


def race(*names):
    """Return what was counted in some cases of the race."""
    return [lab.recorded("race")["cases"][name] for name in names]


def expected(recording, text):
    """Return the lines with the answers in them."""
    its = lab.recorded(recording) if recording not in TRANSCRIPTS_ALONE else {}
    helpers = {"lines": "\n".join, "recorded": lab.recorded, "race": race, "re": re}
    told = partial(answers, recording)
    return eval(f"fr'''{text}'''", {**helpers, **its, "its": its, "told": told})


def shown(number, cell_id):
    """Return the lines that a cell prints and the words of its view, or the whole text of a Markdown cell."""
    found = cell(number, cell_id)
    if found.cell_type == "markdown":
        return without_spaces(found.source)
    texts = [output.get("text") or output.data.get("text/plain", "") for output in found.outputs]
    return [without_spaces(line) for text in texts for line in text.splitlines()]


def without_spaces(text):
    return " ".join(text.split())


@pytest.mark.parametrize("number, recording, cell_id, text", ROWS, ids=[f"{row[0]} {row[2]}" for row in ROWS])
def test_a_cell_shows_what_tensorflow_answered(number, recording, cell_id, text):
    has = shown(number, cell_id)
    lines = filter(None, expected(recording, text).splitlines())
    assert [line for line in lines if without_spaces(line) not in has] == []
