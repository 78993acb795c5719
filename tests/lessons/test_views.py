"""A stored view's data agree with what its cell shows, but for the last digits of numbers."""

from __future__ import annotations

import base64
import copy
import json

import numpy as np
import pytest

from tests.lessons.notebooks import LESSONS, VIEW, read
from tests.lessons.views import ViewData, difference

EXPLORER = {"base": {"lines": [[1, 0.5]], "words": "a"}, "held": {"[1]": {"lines": {"0": {"1": [0.25]}}}}}


def data(**changes):
    return ViewData(json.dumps({"kind": "explorer", "rule": "stored", "data": EXPLORER | changes}))


def test_the_last_digits_may_differ():
    near = {"[1]": {"lines": {"0": {"1": [0.25002]}}}}
    assert data() == data(held=near)
    assert data() == data(base={"lines": [[1, 0.49999]], "words": "a"}, held={"[1]": {"lines": [[[1, 0.25]]]}})


def image(*levels):
    return {"data": base64.b64encode(np.int8(levels).tobytes()).decode()}


@pytest.mark.parametrize(
    "stored, computed, agrees",
    [
        (0.79, 0.78, True),
        (0.79, 0.69, False),
        ("after 50 batches 0.743 are right", "after 50 batches 0.745 are right", True),
        ("0.743 are right", "0.743 are wrong", False),
        (image(0, -2, 100), image(2, 0, 98), True),
        (image(0, -2, 100), image(0, -2, 60), False),
        (image(0, -2, 100), image(0, -2), False),
    ],
)
def test_where_training_nearly_breaks_numbers_agree_to_a_tenth(stored, computed, agrees):
    assert difference(stored, computed) is not None
    assert (difference(stored, computed, unsteady=True) is None) == agrees


@pytest.mark.parametrize(
    "picture, place",
    [
        ({"lines": [[1, 0.51]], "words": "a"}, "['lines'][0][1]: 0.5 is stored, and the cell shows 0.51"),
        ({"lines": [[2, 0.5]], "words": "a"}, "['lines'][0][0]: 1 is stored, and the cell shows 2"),
        ({"lines": [[True, 0.5]], "words": "a"}, "['lines'][0][0]: 1 is stored, and the cell shows True"),
        ({"lines": [[1, 0.5], []], "words": "a"}, "['lines']: [[1, 0.5]] is stored"),
        ({"lines": [[1, 0.5]], "words": "b"}, "['words']: 'a' is stored, and the cell shows 'b'"),
    ],
)
def test_anything_else_is_a_difference(picture, place):
    assert data() != data(base=picture)
    assert place in difference(data().data, data(base=picture).data)


def test_a_point_of_a_stored_chart_cannot_move():
    stored = [
        output.data[VIEW]
        for cell in read(LESSONS / "03_the_experiment.ipynb").cells
        for output in cell.get("outputs", [])
        if "0.13195" in output.get("data", {}).get(VIEW, "")
    ]
    assert stored
    for text in stored:
        assert ViewData(text) == ViewData(copy.copy(text)) != ViewData(text.replace("0.13195", "0.19195", 1))
