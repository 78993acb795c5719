"""The lesson's server and workers lose no batch and count none twice, whoever is killed, and whenever."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import psutil
import pytest

import lab
import minitf as tf
from tests.lessons.notebooks import LESSONS, ROOT, cells, read

BATCHES, WORKERS = 800, 4
ANOTHER_EACH_TIME = int(os.environ["MINITF_SEED"])
KILLS = [ANOTHER_EACH_TIME, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(20))]


@pytest.fixture(scope="module")
def lesson():
    """Run the cells in which lesson 13 says what a server and a worker do; twice as many batches."""
    names = {"__name__": "lesson_13", "np": np, "lab": lab, "tf": tf}
    names["x"] = np.linspace(1, 2, 10)
    for cell in cells(read(LESSONS / "13_many_workers.ipynb"), "code", "define"):
        source = cell.source.replace("400", str(BATCHES))
        exec(compile(source, f"<cell {cell.id}>", "exec"), names)
    return names


@pytest.fixture(scope="module")
def engine():
    """Start the processes once for all tests: those that are killed come back."""
    with contextlib.closing(lab.Engine(WORKERS)) as engine:
        yield engine


def shards(batches=None):
    return np.array_split(np.arange(BATCHES) if batches is None else batches, WORKERS)


def busy(engine):
    """The addresses of the processes that work on a shard."""
    return sorted(address for address, keys in engine._client.processing().items() if keys)


def kill(engine, address):
    """Kill a process from outside, in the middle of whatever it does."""
    processes = engine._client.run(os.getpid, workers=[address])
    os.kill(processes[address], signal.SIGKILL)


@contextlib.contextmanager
def at_work(engine, lesson, server):
    """Let the workers begin, and wait for them in the end, whatever was killed."""
    with ThreadPoolExecutor(1) as thread:
        yield thread.submit(engine.run, lesson["work"], server, shards())


def wait_for(step: int, server: lab.ParameterServer, running: Future, patience: float = 60) -> None:
    """Wait until the server has come so far."""
    deadline = time.monotonic() + patience
    while server.pull().result()[1] < step:
        assert not running.done()
        assert time.monotonic() < deadline


def assert_each_counted_once(server):
    w, step, _, counted = server.pull().result()
    assert step == BATCHES
    assert counted.all()
    assert abs(w - 1) < 0.5


@pytest.mark.parametrize("seed", KILLS)
def test_a_worker_is_killed(lesson, engine, tmp_path, seed):
    print("seed", seed)
    chance = random.Random(seed)
    server = engine.serve(lesson["Careful"], lesson["build"], str(tmp_path))
    with at_work(engine, lesson, server) as running:
        wait_for(chance.randrange(BATCHES - 200), server, running)
        kill(engine, chance.choice(busy(engine)))
        running.result(timeout=60)
    assert_each_counted_once(server)


@pytest.mark.parametrize("seed", KILLS)
def test_the_server_is_killed(lesson, engine, tmp_path, seed):
    print("seed", seed)
    server = engine.serve(lesson["Careful"], lesson["build"], str(tmp_path))
    with at_work(engine, lesson, server) as running:
        wait_for(random.Random(seed).randrange(BATCHES - 200), server, running)
        kill(engine, engine._server_address)
        with pytest.raises(lab.ServerLost):
            running.result(timeout=60)
    server = engine.serve(lesson["Careful"], lesson["build"], str(tmp_path))
    _, step, _, counted = server.pull().result()
    assert step == counted.sum() < BATCHES  # the step and the marks are of one moment
    engine.run(lesson["work"], server, shards())
    assert_each_counted_once(server)


def test_a_server_that_does_not_ask_counts_too_many(lesson, engine, tmp_path):
    server = engine.serve(lesson["Server"], lesson["build"])
    engine.run(lesson["unlucky"], server, np.arange(BATCHES).reshape(-1, 100))
    _, step, rate, counted = server.pull().result()
    assert step == BATCHES + 31
    assert counted.sum() == BATCHES
    assert rate == pytest.approx(0.05 * 0.8 ** (step / 100))
    server = engine.serve(lesson["Careful"], lesson["build"], str(tmp_path))
    engine.run(lesson["unlucky"], server, np.arange(BATCHES).reshape(-1, 100))
    assert_each_counted_once(server)


def test_each_step_happens_on_one_worker_only(lesson, engine, tmp_path):
    def work(server, shard):
        return [server.push(batch, 0.1).result() for batch in shard]

    server = engine.serve(lesson["Careful"], lesson["build"], str(tmp_path))
    steps = engine.run(work, server, shards())
    assert sorted(step for worker in steps for step in worker) == list(range(1, BATCHES + 1))


def test_a_batch_that_comes_again_changes_nothing(lesson, tmp_path):
    server = lesson["Careful"](lesson["build"], str(tmp_path))
    assert server.push(7, -1.0) == 1
    assert server.push(7, -1.0) == 1
    assert server.push(8, -1.0) == 2
    assert np.flatnonzero(server.pull()[3]).tolist() == [7, 8]


def test_who_calls_a_dead_server_is_told(lesson, engine):
    server = engine.serve(lesson["Server"], lesson["build"])
    kill(engine, engine._server_address)
    with pytest.raises((OSError, RuntimeError)):
        for _ in range(10_000):  # until it is dead
            server.pull().result()


def test_an_error_of_a_worker_is_raised_here(lesson, engine):
    def work(server, shard):
        raise OSError("no such shard")

    server = engine.serve(lesson["Server"], lesson["build"])
    with pytest.raises(OSError, match="no such shard"):
        engine.run(work, server, shards())


def test_everything_listens_on_loopback_only(lesson, engine):
    engine.serve(lesson["Server"], lesson["build"]).pull().result()
    here = psutil.Process()
    heard = [
        connection.laddr.ip
        for process in [here, *here.children(recursive=True)]
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert len(heard) > WORKERS
    assert set(heard) == {"127.0.0.1"}


ENDS = {"closed": "engine.close()", "forgotten": "", "killed": "os.kill(os.getpid(), 9)"}


@pytest.mark.parametrize("end", ENDS)
def test_no_process_is_left(end, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
        import logging, os, psutil, lab
        if __name__ == "__main__":
            engine = lab.Engine(1)
            server = engine.serve(lab.ParameterServer, lab.workers.parameter_server.tf.train.create_global_step)
            assert server.run("global_step:0").result() == 0
            for name in ("distributed.client", "distributed.nanny"):  # what they log would stand in the notebook
                assert not logging.getLogger(name).isEnabledFor(logging.ERROR)
            print(*(process.pid for process in psutil.Process().children(recursive=True)), flush=True)
            {ENDS[end]}
        """),
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(LESSONS)]), "TMPDIR": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, script], env=environment, **pipes) as process:
        pids = [int(pid) for pid in process.stdout.readline().split()]
        process.wait(timeout=60)
        assert process.stderr.read() == "" or end == "killed"  # it would be in the notebook
    assert len(pids) > 1
    left = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    _, alive = psutil.wait_procs(left, timeout=30)
    assert alive == []


def test_importing_lab_does_not_import_the_engine():
    code = "import sys, lab; print('distributed' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(LESSONS)])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
