"""The cases of the race that a path of edges orders give one value in every run, here and in the record."""

from __future__ import annotations

import json

import pytest

import minitf as tf
from tools.json_files import DATA
from tools.race import OPEN, ORDERED, RUNS, answers, counted


@pytest.fixture(scope="module")
def stored():
    """Read what TensorFlow was counted to answer."""
    [file] = DATA.glob("tensorflow_*_race.json")
    return json.loads(file.read_text(encoding="utf-8"))


def test_every_case_was_counted(stored):
    assert stored["runs"] == RUNS
    assert set(stored["cases"]) == {case.__name__.strip("_") for case in [*OPEN, *ORDERED]}
    assert all(case["old"] + case["new"] == RUNS for case in stored["cases"].values())


@pytest.mark.parametrize("case", ORDERED, ids=lambda case: case.__name__)
def test_an_order_by_edges_is_kept(case, stored):
    assert stored["cases"][case.__name__][ORDERED[case]] == RUNS
    assert answers(case, tf, runs=3) == [ORDERED[case]] * 3


def test_without_edges_tensorflow_gave_both(stored):
    for name in ("sum", "resource", "slow", "made_outside"):
        case = stored["cases"][name]
        assert case["old"] and case["new"] and case["changes"] and 1 < case["first_change"] <= RUNS


def test_counting():
    given = ["old", "old", "new", "old", "old"]
    assert counted(given) == {"old": 4, "new": 1, "changes": 2, "first_change": 3}
    assert counted(["new"])["first_change"] is None
