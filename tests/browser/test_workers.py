"""The workers' turns, as the page computes them for lesson 13."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
WORKERS, LAST = 4, 12  # and how far the schedule reaches, in the time of a batch
SLOW = st.integers(4, 36).map(lambda quarters: quarters / 4)
SYNCHRONOUS = st.booleans()


@dataclass(frozen=True)
class Push:
    """One gradient: its worker, the step at its pull, the step that it makes, and the times."""

    worker: int
    pulled: int
    step: int
    start: float  # the pull
    ready: float  # the gradient is computed
    end: float  # the push: at once, or when all are ready
    staleness: int  # how many steps others made in between


@pytest.fixture(scope="module")
def pushed(kit_page: Page) -> Callable[[float, bool], list[Push]]:
    """Ask the page for its pushes."""

    def ask(slow: float, synchronous: bool) -> list[Push]:
        found = kit_page.evaluate("([slow, way]) => modules.workers.pushes(slow, way)", [slow, synchronous])
        return [Push(**push) for push in found]

    return ask


def simulate(slow: float, synchronous: bool) -> list[Push]:
    """Let four workers work, as the page should: each starts its next batch when its push is done."""

    def begin(worker: int, start: float, pulled: int) -> tuple[float, int, float, int]:
        return start + (1 if worker else slow), worker, start, pulled

    pushes, step, apart = [], 0, 0 if synchronous else 1 / WORKERS
    busy = [begin(worker, worker * apart, 0) for worker in range(WORKERS)]
    while any(start < LAST for _, _, start, _ in busy):
        busy.sort()
        done, busy = (busy, []) if synchronous else (busy[:1], busy[1:])
        step, end = step + 1, done[-1][0]
        for ready, worker, start, pulled in done:
            pushes.append(Push(worker, pulled, step, start, ready, end, step - 1 - pulled))
            busy.append(begin(worker, end, step))
    return pushes


@given(SLOW, SYNCHRONOUS)
def test_the_page_and_python_let_them_work_in_the_same_way(pushed, slow, synchronous):
    assert pushed(slow, synchronous) == simulate(slow, synchronous)


@given(SLOW, SYNCHRONOUS)
def test_each_push_takes_its_time_and_pulls_the_step_of_then(pushed, slow, synchronous):
    pushes = pushed(slow, synchronous)
    ends = sorted({(push.end, push.step) for push in pushes})
    assert {push.worker for push in pushes} == set(range(WORKERS))
    assert [step for _, step in ends] == list(range(1, len(ends) + 1))
    for push in pushes:
        assert push.ready - push.start == pytest.approx(1 if push.worker else slow)
        before = sum(end < push.start for end, _ in ends)
        now = sum(end <= push.start for end, _ in ends)
        assert before <= push.pulled <= now
        assert push.pulled < push.step  # who comes first of two at once is open
        assert push.end >= push.ready


@given(SLOW, SYNCHRONOUS)
def test_a_worker_does_one_thing_at_a_time_until_the_end(pushed, slow, synchronous):
    pushes = pushed(slow, synchronous)
    for worker in range(WORKERS):
        own = [push for push in pushes if push.worker == worker]
        assert all(before.end == after.start for before, after in itertools.pairwise(own))
        assert own[-1].end >= LAST


@given(SLOW)
def test_without_waiting_each_step_happens_on_one_worker(pushed, slow):
    pushes = pushed(slow, False)
    assert [push.step for push in pushes] == list(range(1, len(pushes) + 1))
    assert all(push.end == push.ready for push in pushes)


@given(SLOW)
def test_a_slow_worker_makes_its_own_gradients_stale(pushed, slow):
    pushes = pushed(slow, False)
    for push in pushes:
        inside = sum(push.start < other.end < push.end for other in pushes)
        touching = sum(push.start <= other.end <= push.end for other in pushes if other is not push)
        assert inside <= push.staleness <= touching
    first, *others = [push for push in pushes if push.worker == 0 and push.end <= LAST]  # they start apart
    for push in others:
        assert push.staleness == pytest.approx((WORKERS - 1) * slow, abs=WORKERS - 1)


@given(SLOW)
def test_a_slow_worker_makes_the_others_fresher_than_they_were(pushed, slow):
    for push in pushed(slow, False):
        if push.worker or slow == 1:
            assert push.staleness <= WORKERS - 1  # as with equal workers, or less
        elif slow >= 2 and push.start:
            assert push.staleness >= WORKERS
    if slow >= 2:
        own = [push.staleness for push in pushed(slow, False) if push.worker]
        assert sum(own) / len(own) < WORKERS - 1


@given(SLOW)
def test_in_rounds_nothing_is_stale_and_all_wait_for_the_slow_one(pushed, slow):
    pushes = pushed(slow, True)
    assert all(push.staleness == 0 for push in pushes)
    assert {push.end - push.ready for push in pushes if push.worker == 0} == {0}
    for push in pushes:
        assert push.end == pytest.approx(push.step * slow)
        assert push.end - push.ready == pytest.approx(0 if push.worker == 0 else slow - 1)
