"""The workers' turns, their rows over time, and the check of lesson 13."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import WorkerRuns, WorkerScheduler, check_epochs
from lab.drawing.parts import DONE, NOW, WAIT
from lab.experiments.worker_schedule import BATCHES, CURVATURE, RATE, simulate
from lab.explorers.worker_scheduler import LAST, WAYS
from tests.lessons.room import room

WORKERS, SLOW, SYNCHRONOUS = st.integers(1, 8), st.integers(1, 9), st.booleans()


def waited(run):
    return sum(push.end - push.ready for push in run.pushes)


@given(WORKERS, SLOW, SYNCHRONOUS)
def test_every_batch_is_pushed_once(workers, slow, synchronous):
    run = simulate(workers, slow, synchronous)
    assert len(run.pushes) == BATCHES
    assert {push.worker for push in run.pushes} <= set(range(workers))
    assert run.times == sorted(run.times) and len(run.times) == len(run.weights)
    for push in run.pushes:
        assert 0 <= push.pulled < push.step < len(run.weights)
        assert push.ready - push.start == pytest.approx(1 if push.worker else slow)
        assert run.times[push.pulled] <= push.start and run.times[push.step] == push.end >= push.ready


@given(WORKERS, SLOW, SYNCHRONOUS)
def test_a_worker_does_one_thing_at_a_time(workers, slow, synchronous):
    run = simulate(workers, slow, synchronous)
    for worker in range(workers):
        own = [push for push in run.pushes if push.worker == worker]
        assert all(before.end == after.start for before, after in itertools.pairwise(own))


@given(WORKERS, SLOW)
def test_without_waiting_each_step_happens_on_one_worker(workers, slow):
    run = simulate(workers, slow, False)
    assert [push.step for push in run.pushes] == list(range(1, BATCHES + 1))
    assert waited(run) == 0


@given(WORKERS, SLOW, SYNCHRONOUS)
def test_staleness_counts_the_steps_that_others_make_meanwhile(workers, slow, synchronous):
    run = simulate(workers, slow, synchronous)
    for push in run.pushes:
        between = {other.step for other in run.pushes if push.start < other.end < push.end}
        assert push.staleness == len(between)


@given(WORKERS, SLOW)
def test_in_rounds_nothing_is_stale_and_the_slow_one_holds_all_up(workers, slow):
    run = simulate(workers, slow, True)
    rounds = math.ceil(BATCHES / workers)
    late = max(slow, 2 - 1 / workers)  # the last one to be ready in the first round
    assert (len(run.weights) - 1, run.staleness) == (rounds, 0)
    assert run.times[-1] == pytest.approx(late + (rounds - 1) * slow if workers > 1 else rounds * slow)
    assert run.weights[-1] == pytest.approx(1 - (1 - RATE * CURVATURE) ** rounds)
    assert (waited(run) > 0) == (workers > 1)


@pytest.mark.parametrize("workers, staleness", [(1, 0), (2, 1), (4, 3), (8, 7)])
def test_equal_workers_are_as_stale_as_there_are_others(workers, staleness):
    run = simulate(workers, 1, False)
    assert run.staleness == staleness
    assert run.times[-1] == pytest.approx(BATCHES / workers + (workers - 1) / workers)


# The picture.

EXPLORER = WorkerScheduler()


@pytest.mark.parametrize(
    "moves, words",
    [
        ({}, ["24 steps in 6.75 units of time; nobody waits", "up to 3. w goes up to 1.83 and ends at 1.14."]),
        ({"slow": 3}, ["24 steps in 9 units of time; nobody waits", "The staleness is up to 9."]),
        (
            {"slow": 3, "way": "synchronous"},
            [
                "6 steps in 18 units of time (here, the first 12); the workers wait 34.5 units",
                "No gradient is stale. w ends at 0.941.",
            ],
        ),
        ({"workers": 1, "way": "synchronous"}, ["1 worker, synchronous;", "nobody waits", "w ends at 1."]),
        ({"workers": 1}, ["24 units of time (here, the first 12)"]),
    ],
)
def test_the_words_follow_the_controls(moves, words):
    picture = EXPLORER.picture(**EXPLORER.state | moves)
    assert all(word in picture.words for word in words)
    assert "\n".join(picture.parts[-1]["lines"]) in picture.words  # also to be seen


@given(WORKERS, st.integers(1, 3), st.sampled_from(WAYS))
def test_each_bar_is_on_its_workers_row_and_takes_its_time(workers, slow, way):
    picture = EXPLORER.picture(workers, slow, way)
    assert room(picture) == room(EXPLORER.picture(**EXPLORER.state))
    timeline, weight, verdict = picture.parts
    assert timeline["x"] == weight["x"] and timeline["inset"] == weight["inset"]
    run = simulate(workers, slow, way == "synchronous")
    assert verdict["kind"] == (NOW if run.staleness else DONE)
    assert weight["lines"][0]["points"] == list(zip(run.times, run.weights, strict=True))
    for worker, row in enumerate(timeline["rows"]):
        assert row["name"] == (f"worker {worker + 1}" if worker < workers else "")
        own = [push for push in run.pushes if push.worker == worker and push.start < LAST]
        computing = [bar for bar in row["bars"] if bar["kind"] != WAIT]
        assert [(bar["from"], bar["to"], bar["kind"], bar["label"]) for bar in computing] == [
            (p.start, min(p.ready, LAST), NOW if p.staleness else DONE, str(p.staleness)) for p in own
        ]
        assert [(bar["from"], bar["to"]) for bar in row["bars"] if bar["kind"] == WAIT] == [
            (p.ready, min(p.end, LAST)) for p in own if p.ready < min(p.end, LAST)
        ]
        pushes = [(mark["at"], mark["label"]) for mark in row["marks"] if mark["shape"] == "tick"]
        assert pushes == [(p.end, str(p.step)) for p in own if p.end <= LAST]
        assert [mark["at"] for mark in row["marks"] if mark["shape"] == "ring"] == [p.start for p in own]
        assert all(bar["to"] <= LAST for bar in row["bars"])


def test_what_is_dragged_is_the_end_of_the_first_batch():
    for slow in (1, 2, 3):
        timeline = EXPLORER.picture(4, slow, "asynchronous").parts[0]
        [handle] = timeline["handles"]
        assert (handle["row"], handle["at"], handle["control"]) == (0, timeline["rows"][0]["bars"][0]["to"], "slow")


def test_every_setting_is_stored():
    view = EXPLORER.view()
    assert len(view.data["held"]) == 8 * 3 * 2 and len(str(view.data)) < 200_000


def test_runs_are_told_and_drawn():
    runs = WorkerRuns([[(0, 1), (1, 3)], [(0, 2), (2, 4)]], rounds=2)
    assert runs.words == ("Asynchronous: 4 steps, each on one lane: 2 + 2.\nSynchronous: 2 steps, each on all 2 lanes.")
    free, together = runs.data["picture"]["parts"]
    bars = [[(b["from"], b["to"], b["label"], b["kind"]) for b in row["bars"]] for row in free["rows"]]
    assert bars == [[(0, 1, "0", DONE), (1, 3, "1", NOW)], [(0, 2, "1", NOW), (2, 4, "1", NOW)]]
    for row in together["rows"]:
        assert [(b["from"], b["to"], b["kind"]) for b in row["bars"]] == [(0, 1, DONE), (1, 2, DONE)]


def test_runs_are_drawn_as_far_as_the_picture_reaches():
    longer = WorkerRuns([[(step - 1, step) for step in range(1, 81)]] * 2, rounds=80)
    for part in longer.data["picture"]["parts"]:
        assert all(row["bars"][-1]["to"] == part["x"]["max"] == 40 for row in part["rows"])


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
        assert not verdict and verdict.message and "The check could not run" not in verdict.message
