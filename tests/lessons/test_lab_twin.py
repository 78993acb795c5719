"""Twins are told apart by what differs, in words and with a mark that needs no colour."""

from __future__ import annotations

from lab.drawing.programs import aligned


def test_a_changed_statement_is_beside_the_other():
    rows = aligned(["x = 1", "y = x < 2", "z"], ["x = 1", "y = 3", "z"])
    assert rows == [("x = 1", "x = 1", True), ("y = x < 2", "y = 3", False), ("z", "z", True)]
