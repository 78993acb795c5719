"""The workers' turns, as the scheduler of lesson 13 draws them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.experiments.worker_schedule import LAST, WORKERS, simulate

SLOW = st.integers(4, 36).map(lambda quarters: quarters / 4)
SYNCHRONOUS = st.booleans()


@given(SLOW, SYNCHRONOUS)
def test_each_push_takes_its_time_and_pulls_the_step_of_then(slow, synchronous):
    pushes = simulate(slow, synchronous)
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
def test_a_worker_does_one_thing_at_a_time_until_the_end(slow, synchronous):
    pushes = simulate(slow, synchronous)
    for worker in range(WORKERS):
        own = [push for push in pushes if push.worker == worker]
        assert all(before.end == after.start for before, after in itertools.pairwise(own))
        assert own[-1].end >= LAST


@given(SLOW)
def test_without_waiting_each_step_happens_on_one_worker(slow):
    pushes = simulate(slow, False)
    assert [push.step for push in pushes] == list(range(1, len(pushes) + 1))
    assert all(push.end == push.ready for push in pushes)


@given(SLOW)
def test_a_slow_worker_makes_its_own_gradients_stale(slow):
    pushes = simulate(slow, False)
    for push in pushes:
        inside = sum(push.start < other.end < push.end for other in pushes)
        touching = sum(push.start <= other.end <= push.end for other in pushes if other is not push)
        assert inside <= push.staleness <= touching
    first, *others = [push for push in pushes if push.worker == 0 and push.end <= LAST]  # they start apart
    for push in others:
        assert push.staleness == pytest.approx((WORKERS - 1) * slow, abs=WORKERS - 1)


@given(SLOW)
def test_a_slow_worker_makes_the_others_fresher_than_they_were(slow):
    for push in simulate(slow, False):
        if push.worker or slow == 1:
            assert push.staleness <= WORKERS - 1  # as with equal workers, or less
        elif slow >= 2 and push.start:
            assert push.staleness >= WORKERS
    if slow >= 2:
        own = [push.staleness for push in simulate(slow, False) if push.worker]
        assert sum(own) / len(own) < WORKERS - 1


@given(SLOW)
def test_in_rounds_nothing_is_stale_and_all_wait_for_the_slow_one(slow):
    pushes = simulate(slow, True)
    assert all(push.staleness == 0 for push in pushes)
    assert {push.end - push.ready for push in pushes if push.worker == 0} == {0}
    for push in pushes:
        assert push.end == pytest.approx(push.step * slow)
        assert push.end - push.ready == pytest.approx(0 if push.worker == 0 else slow - 1)
