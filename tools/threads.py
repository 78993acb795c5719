"""Let additions and workers meet in TensorFlow: `python -m tools.threads` asks it, and tells lesson 13.

`lost`: runs of eight chains of additions, side by side. Two chains that read the same number write the same
result, unless each addition is locked. `counted`: eight threads share a session; each runs `assign_add` and notes
the value that the run gave. Between an addition and its read another thread may add, so that two threads see one
value. `batches`: a parameter server and four workers, each a server in this process that listens on loopback
only, train to the same step, asynchronously and synchronously.

All these figures are up to the processor and differ each time: the file says what came once. It needs
TensorFlow, as tools/record.py does.
"""

import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from tests.conformance.outcomes import observe
from tests.conformance.referee import import_tensorflow
from tools import json_files

CHAINS, LENGTH, RUNS = 8, 100, 1000  # additions in a run: side by side, and one after the other
TIMES = 10  # how often their runs are counted
THREADS, STEPS = 8, 3_000
WORKERS, LAST = 4, 100
KINDS = {"Variable": (False, False), "use_locking=True": (False, True), "use_resource=True": (True, False)}


def add_one(tf, kind):
    """Make a step of one of the kinds; return it, and a function that makes one more `+ 1`."""
    resource, locking = KINDS[kind]
    step = tf.Variable(0, trainable=False, name="step", use_resource=resource)
    return step, lambda: tf.assign_add(step, 1, use_locking=locking)


def lost(tf, kind="Variable", runs=RUNS):
    """Return how many additions of the chains are missing in the end."""

    def program(tf, np):
        (step, add), ends = add_one(tf, kind), []
        for _ in range(CHAINS):
            before = []
            for _ in range(LENGTH):
                with tf.control_dependencies(before):
                    before = [add().op]
            ends += before
        go = tf.group(*ends)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(runs):
                sess.run(go)
            return CHAINS * LENGTH * runs - int(sess.run(step))

    return observe(program, tf)


def counted(tf, kind="Variable", threads=THREADS, steps=STEPS):
    """Return what the step holds in the end, and how many different values the runs gave."""

    def program(tf, np):
        step, add = add_one(tf, kind)
        added = add()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())

            def count(thread):
                return [int(sess.run(added)) for _ in range(steps)]

            with ThreadPoolExecutor(threads) as pool:
                seen = [value for values in pool.map(count, range(threads)) for value in values]
            reached = int(sess.run(step))
        return {"reached": reached, "different": len(set(seen))}

    return observe(program, tf)


def batches(tf, synchronous):
    """Train to step LAST on a cluster; return how many batches each worker did, the chief's first."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(WORKERS + 1)]
    addresses = [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    cluster = tf.train.ClusterSpec({"ps": addresses[:1], "worker": addresses[1:]})
    places = [("ps", 0), *(("worker", task) for task in range(WORKERS))]
    servers = [tf.train.Server(cluster, job_name=job, task_index=task) for job, task in places]
    done, chief_is_up, all_done = {}, threading.Event(), threading.Semaphore(0)

    def work(task):
        with tf.Graph().as_default():
            setter = tf.train.replica_device_setter(cluster=cluster, worker_device=f"/job:worker/task:{task}")
            with tf.device(setter):
                step, w = tf.train.get_or_create_global_step(), tf.Variable(0.0)
                optimizer, hooks = tf.train.GradientDescentOptimizer(0.01), [tf.train.StopAtStepHook(last_step=LAST)]
                if synchronous:
                    optimizer = tf.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=WORKERS)
                    hooks.append(optimizer.make_session_run_hook(task == 0))
                train_op = optimizer.minimize((w - 1) ** 2, global_step=step)
            if task:
                chief_is_up.wait()
            master = servers[1 + task].target
            with tf.train.MonitoredTrainingSession(master=master, is_chief=task == 0, hooks=hooks) as sess:
                chief_is_up.set()
                done[task] = 0
                while not sess.should_stop():
                    sess.run(train_op)
                    done[task] += 1
                all_done.release()

    for task in range(WORKERS):
        threading.Thread(target=work, args=(task,), daemon=True).start()  # its session may not close
    for _ in range(WORKERS):
        if not all_done.acquire(timeout=60):
            raise TimeoutError("a worker has not stopped")
    return [done[task] for task in range(WORKERS)]


def locks(tf):
    """Return whether the `+ 1` of minimize is locked, in an optimizer that locks."""

    def program(tf, np):
        optimizer = tf.train.GradientDescentOptimizer(0.1, use_locking=True)
        step = tf.train.get_or_create_global_step()
        train_op = optimizer.minimize(tf.Variable(1.0) ** 2, global_step=step)
        return getattr(train_op, "op", train_op).get_attr("use_locking")

    return observe(program, tf)


def main():
    """Ask TensorFlow and write the file; fail if it did what the lesson rules out."""
    tf = import_tensorflow()
    kinds = {kind: {"lost": [lost(tf, kind) for _ in range(TIMES)], **counted(tf, kind)} for kind in KINDS}
    ways = {way: batches(tf, way == "synchronous") for way in ("asynchronous", "synchronous")}
    figures = {"additions": CHAINS * LENGTH * RUNS, "threads": THREADS, "steps": STEPS, "kinds": kinds}
    figures |= {"minimize_locks": locks(tf), "batches": ways}
    print(figures)
    locked = [kinds[kind]["lost"] for kind in list(KINDS)[1:]]
    if any(map(any, locked)) or not any(kinds["Variable"]["lost"]):
        print("a locked addition was lost, or no other one", file=sys.stderr)
        return 1
    json_files.hand_over("threads", tf.version.VERSION, figures)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # without waiting for sessions that don't close
