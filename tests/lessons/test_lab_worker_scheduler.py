"""The workers' turns, their rows over time, and the check of lesson 13."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from lab import WorkerScheduler, check_rounds
from lab.drawing.parts import DONE, NOW, WAIT
from lab.experiments.worker_schedule import LAST, WORKERS, simulate
from lab.explorers.worker_scheduler import WAYS
from tests.lessons.room import room

SLOW, SYNCHRONOUS = st.integers(4, 36).map(lambda quarters: quarters / 4), st.booleans()


@given(SLOW, SYNCHRONOUS)
def test_each_push_takes_its_time_and_pulls_the_step_of_then(slow, synchronous):
    pushes = simulate(slow, synchronous)
    ends = sorted({(push.end, push.step) for push in pushes})
    assert {push.worker for push in pushes} == set(range(WORKERS))
    assert [step for _, step in ends] == list(range(1, len(ends) + 1))
    for push in pushes:
        assert push.ready - push.start == pytest.approx(1 if push.worker else slow)
        before, now = (sum(end < push.start for end, _ in ends), sum(end <= push.start for end, _ in ends))
        assert before <= push.pulled <= now and push.pulled < push.step  # who comes first of two at once is open
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
    full = [push for push in pushes if push.worker == 0 and push.end <= LAST][1:]  # not the first: they start apart
    assert all(abs(push.staleness - (WORKERS - 1) * slow) <= WORKERS - 1 for push in full)


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


# The picture.

EXPLORER = WorkerScheduler()


@pytest.mark.parametrize(
    "moves, words",
    [
        ({}, "37 batches, 37 steps, staleness up to 9, waiting 0 of 48 units"),
        ({"slow": 1}, "45 batches, 45 steps, staleness up to 3, waiting 0 of 48 units"),
        ({"slow": 1, "way": "synchronous"}, "48 batches, 12 steps, staleness up to 0, waiting 0 of 48 units"),
        ({"way": "synchronous"}, "16 batches, 4 steps, staleness up to 0, waiting 24 of 48 units"),
    ],
)
def test_the_words_follow_the_controls(moves, words):
    picture = EXPLORER.picture(**EXPLORER.state | moves)
    assert words in picture.words
    assert picture.parts[-1]["lines"][0] in picture.words  # also to be seen


@given(st.sampled_from([1, 1.5, 2, 2.5, 3, 3.5, 4]), st.sampled_from(WAYS))
def test_each_bar_is_on_its_workers_row_and_takes_its_time(slow, way):
    picture = EXPLORER.picture(slow, way)
    assert room(picture) == room(EXPLORER.picture(**EXPLORER.state))
    timeline, verdict = picture.parts
    pushes = simulate(slow, way == "synchronous")
    assert verdict["kind"] == (NOW if way == "asynchronous" and slow > 1 else DONE)
    for worker, row in enumerate(timeline["rows"]):
        assert row["name"] == f"worker {worker + 1}"
        own = [push for push in pushes if push.worker == worker and push.start < LAST]
        computing = [bar for bar in row["bars"] if bar["kind"] != WAIT]
        assert [(bar["from"], bar["to"], bar["kind"], bar["label"]) for bar in computing] == [
            (p.start, min(p.ready, LAST), NOW if p.staleness > 3 else DONE, str(p.staleness) if p.end <= LAST else "")
            for p in own
        ]
        assert [(bar["from"], bar["to"]) for bar in row["bars"] if bar["kind"] == WAIT] == [
            (p.ready, min(p.end, LAST)) for p in own if p.ready < min(p.end, LAST)
        ]
        ticks = [(mark["at"], mark["label"]) for mark in row["marks"] if mark["shape"] == "tick"]
        assert ticks == [(p.end, str(p.step)) for p in own if p.end <= LAST]
        assert [mark["at"] for mark in row["marks"] if mark["shape"] == "ring"] == [p.start for p in own]


def test_what_is_dragged_is_the_end_of_the_first_batch():
    for slow in (1, 2.5, 4):
        timeline = EXPLORER.picture(slow, "asynchronous").parts[0]
        [handle] = timeline["handles"]
        assert (handle["row"], handle["at"], handle["control"]) == (0, timeline["rows"][0]["bars"][0]["to"], "slow")


def test_every_setting_is_stored():
    view = EXPLORER.view()
    assert len(view.data["held"]) == 7 * 2 and len(str(view.data)) < 60_000


# The check.


def by_batches(global_step):
    batches = 4 * global_step
    rate = tf.train.exponential_decay(0.5, batches, decay_steps=100, decay_rate=0.8)
    return tf.where(batches % 400 < 300, rate, rate / 10)


def by_a_power(global_step):
    rate = tf.train.exponential_decay(0.5, global_step, 100, 0.8**4)
    return tf.cond(global_step % 100 >= 75, lambda: rate * 0.1, lambda: rate)


def by_a_formula(global_step):
    in_its_run = tf.cast(tf.mod(global_step, 100), tf.float32)
    rate = 0.5 * 0.8 ** (tf.cast(global_step, tf.float32) / 25)
    return rate * tf.where(in_its_run < 75, 1.0, 0.1)


@pytest.mark.parametrize("right", [by_batches, by_a_power, by_a_formula])
def test_there_are_several_right_ways(right):
    assert check_rounds(right)


@pytest.mark.parametrize("odd", [None, 7, "rate", print, lambda: 1, lambda step: "0.5", lambda step: step * math.nan])
def test_odd_answers_are_named_and_nothing_is_raised(odd):
    verdict = check_rounds(odd)
    assert not verdict and verdict.message
