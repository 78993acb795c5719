"""Twins are told apart by what differs, in words and with a mark that needs no colour."""

from __future__ import annotations

import pytest

from lab import side_by_side
from lab.drawing.programs import aligned


def test_a_changed_statement_is_beside_the_other():
    rows = aligned(["x = 1", "y = x < 2", "z"], ["x = 1", "y = 3", "z"])
    assert rows == [("x = 1", "x = 1", True), ("y = x < 2", "y = 3", False), ("z", "z", True)]


@pytest.mark.parametrize("odd", ["0 0", "nan 0", "inf 0", "-1 0"])
def test_no_rate_is_too_odd_for_an_axis(odd):
    [chart] = side_by_side(one=[odd], other=[odd]).data["picture"]["parts"]
    assert chart["y"]["max"] == 1


def test_runs_of_different_length_are_no_twins():
    with pytest.raises(ValueError):
        side_by_side(one=["0.1 1"], other=[])
