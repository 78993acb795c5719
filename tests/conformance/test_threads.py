"""Additions side by side: in minitf each is counted and sees its own step; TensorFlow's record says what came there."""

from __future__ import annotations

import json

import pytest

import minitf as tf
from tools.json_files import DATA
from tools.threads import CHAINS, KINDS, LAST, LENGTH, RUNS, STEPS, THREADS, TIMES, WORKERS, counted, lost


@pytest.fixture(scope="module")
def stored():
    [file] = DATA.glob("tensorflow_*_threads.json")
    return json.loads(file.read_text(encoding="utf-8"))


def test_tensorflow_lost_additions_unless_they_were_locked(stored):
    assert stored["additions"] == CHAINS * LENGTH * RUNS and list(stored["kinds"]) == sorted(KINDS)
    for name, kind in stored["kinds"].items():
        assert len(kind["lost"]) == TIMES
        assert any(kind["lost"]) == (name == "Variable")
    assert stored["minimize_locks"] is False


def test_tensorflow_counted_all_threads_and_showed_some_values_twice(stored):
    assert (stored["threads"], stored["steps"]) == (THREADS, STEPS)
    for kind in stored["kinds"].values():
        assert kind["reached"] == THREADS * STEPS > kind["different"]


def test_tensorflows_synchronous_workers_needed_four_times_as_many_batches(stored):
    together, alone = (stored["batches"][way] for way in ("synchronous", "asynchronous"))
    assert len(together) == len(alone) == WORKERS
    assert LAST <= sum(alone) < LAST + WORKERS  # whoever is in the middle of a run finishes it
    assert WORKERS * LAST <= sum(together) <= WORKERS * (LAST + 1)
    assert len(set(together)) > 1  # a round takes the first gradients, not one of each worker


@pytest.mark.parametrize("kind", KINDS)
def test_in_minitf_nothing_is_lost_and_each_run_sees_its_own_step(kind):
    assert lost(tf, kind, runs=10) == 0
    assert counted(tf, kind, 8, 3_000) == {"reached": 24_000, "different": 24_000}
