"""Each case is a script with one fault, or with none. All of them were written before the report looked at them.

Each cure is also applied, and the repaired script is run again.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from minitf.explain.cure import applied
from minitf.explain.repaired import edits_of
from tests.explain.cases import Case, cases, explained_in

QUICK = 25  # cases that a quick run tries; they're drawn anew each time
CASES = cases()
DRAWN = {case.path for case in random.Random(os.environ["MINITF_SEED"]).sample(CASES, QUICK)}
# What the report can't see: which data a batch is from, and which weights should have been trained.
MISSED = {"fault_evaluation_trains", "fault_wrong_network_trained"}


def with_ids(chosen: list[Case]) -> list:
    """Return the cases as parameters; those that weren't drawn are long forms."""
    long = {True: (), False: pytest.mark.long}
    return [pytest.param(case, id=case.path.stem, marks=long[case.path in DRAWN]) for case in chosen]


def every(faults: list[dict]) -> Iterator[dict]:
    """Yield faults, and what follows from them."""
    for fault in faults:
        yield fault
        yield from every(fault["follows"])


@pytest.mark.parametrize("case", with_ids([case for case in CASES if case.path.stem not in MISSED]))
def test_what_is_wrong_is_found_and_nothing_else(case, tmp_path):
    facts = explained_in(tmp_path, case)
    found, asked = {fault["id"] for fault in every(facts["findings"])}, {q["id"] for q in facts["questions"]}
    causes = {fault["id"] for fault in facts["findings"]}
    assert case.finds <= found and case.asks <= asked | found, facts["not_seen"]
    assert causes <= case.finds | case.asks | case.may_find
    assert asked <= case.asks | case.may_ask
    assert not [words for words in facts["not_seen"] if "error in minitf" in words]


def of_kind(fault: dict, facts: dict) -> bool:
    """Return whether a report still has a fault at the same line."""
    others = every([*facts["findings"], *facts["questions"]])
    first = [place["line"] for place in fault["places"][:1]]
    return any(fault["id"] == o["id"] and first == [p["line"] for p in o["places"][:1]] for o in others)


@pytest.mark.parametrize("case", with_ids([case for case in CASES if case.finds or case.asks]))
def test_a_cure_removes_what_it_cures(case, tmp_path):
    facts = explained_in(tmp_path, case)
    before = {fault["id"] for fault in every(facts["findings"])}
    for number, fault in enumerate([*facts["findings"], *facts["questions"]]):
        edits = edits_of([fault])
        assert edits or fault["cure"]["words"]
        if edits:
            folder = tmp_path / str(number)
            folder.mkdir()
            script = folder / case.path.name
            script.write_text(applied(case.path.read_text("utf-8"), edits), "utf-8")
            after = explained_in(folder, case._replace(path=script))
            assert not of_kind(fault, after), edits
            assert {one["id"] for one in every(after["findings"])} <= before
