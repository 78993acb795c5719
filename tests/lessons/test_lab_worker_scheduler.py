"""The workers' turns, their lanes, and the check of lesson 13."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import WorkerRuns, WorkerScheduler, check_epochs
from lab.panel import Dot
from lab.scene import Text
from lab.worker_lanes import lanes
from lab.worker_schedule import BATCHES, CURVATURE, RATE, Push, simulate

WORKERS, DELAYS, WAYS = st.integers(1, 8), st.integers(0, 8), st.booleans()


@given(WORKERS, DELAYS, WAYS)
def test_every_batch_is_pushed_once(workers, delay, synchronous):
    run = simulate(workers, delay, synchronous)
    assert len(run.pushes) == BATCHES
    assert {push.worker for push in run.pushes} <= set(range(workers))
    assert all(0 <= push.pulled < push.step < len(run.weights) for push in run.pushes)


@given(WORKERS, DELAYS)
def test_without_waiting_each_step_happens_on_one_worker(workers, delay):
    run = simulate(workers, delay, False)
    assert [push.step for push in run.pushes] == list(range(1, BATCHES + 1))


@given(WORKERS, DELAYS)
def test_in_rounds_nothing_is_stale_and_the_slow_one_holds_all_up(workers, delay):
    run = simulate(workers, delay, True)
    rounds = math.ceil(BATCHES / workers)
    assert (len(run.weights) - 1, run.staleness, run.time) == (rounds, 0, rounds * (1 + delay))
    assert run.weights[-1] == pytest.approx(1 - (1 - RATE * CURVATURE) ** rounds)


@pytest.mark.parametrize("workers, staleness", [(1, 0), (2, 1), (4, 3), (8, 7)])
def test_equal_workers_are_as_stale_as_there_are_others(workers, staleness):
    run = simulate(workers, 0, False)
    assert (run.staleness, run.time) == (staleness, BATCHES // workers)


def test_the_words_follow_the_controls():
    explorer = WorkerScheduler()
    assert "4 workers, asynchronous: the epoch has 24 batches, and takes 24 steps and 6 units" in explorer.words
    assert "The staleness is up to 3." in explorer.words
    explorer.workers.value, explorer.way.value = 1, "synchronous"
    assert "1 worker, synchronous" in explorer.words and "No gradient is stale." in explorer.words


def points(picture):
    svg = picture.svg()
    assert "nan" not in svg and "inf" not in svg
    for path in re.findall(r' d="M([^"]*?)Z?"', svg):
        yield from (tuple(map(float, point.split(","))) for point in path.split("L"))


SHARED = WorkerScheduler()


@given(WORKERS, DELAYS, st.sampled_from(["asynchronous", "synchronous"]))
def test_all_that_is_drawn_lies_inside(workers, delay, way):
    SHARED.workers.value, SHARED.delay.value, SHARED.way.value = workers, delay, way
    picture = SHARED.picture()
    assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points(picture))


def test_runs_are_told_and_drawn():
    runs = WorkerRuns([[(0, 1), (1, 3)], [(0, 2), (2, 4)]], rounds=2)
    assert runs.stored_words() == (
        "Asynchronous: 4 steps, each on one lane: 2 + 2.\nSynchronous: 2 steps, each on all 2 lanes."
    )
    longer = WorkerRuns([[(step - 1, step) for step in range(1, 81)]] * 2, rounds=80)
    for picture in (runs.stored_picture(), longer.stored_picture()):
        assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points(picture))


def test_each_push_lies_on_its_workers_lane():
    shapes = lanes([Push(0, 0, 1), Push(1, 0, 2), Push(0, 1, 3)], 2, 34, 4, "")
    names = [shape.y for shape in shapes if isinstance(shape, Text) and shape.text.startswith("worker ")]
    dots = [shape for shape in shapes if isinstance(shape, Dot)]
    assert [min(range(2), key=lambda lane: abs(names[lane] - dot.y)) for dot in dots] == [0, 1, 0]
    assert sorted(dots, key=lambda dot: dot.x) == dots


# The check.


def by_ceiling(examples, batch_size, workers, synchronous):
    return math.ceil(examples / batch_size / workers) if synchronous else math.ceil(examples / batch_size)


def by_batches_in_a_step(examples, batch_size, workers, synchronous):
    in_a_step = batch_size * (workers if synchronous else 1)
    return (examples + in_a_step - 1) // in_a_step


@pytest.mark.parametrize("steps", [by_ceiling, by_batches_in_a_step])
def test_there_are_several_right_ways(steps):
    assert check_epochs(steps, lambda step, *about: step // steps(*about))
    assert check_epochs(steps, lambda step, *about: math.floor(step / steps(*about)))


@pytest.mark.parametrize("odd", [None, 7, "steps", print, lambda: 1, lambda *about: "400", lambda *about: True])
def test_odd_answers_are_named_and_nothing_is_raised(odd):
    for answer in ((odd, lambda step, *about: 0), (by_ceiling, odd)):
        verdict = check_epochs(*answer)
        assert not verdict and verdict.message and "The check cannot run" not in verdict.message
