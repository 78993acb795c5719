"""Count in which order TensorFlow makes updates that meet: `python -m tools.updates` asks it.

Two or three updates of one variable, whose order no path of edges decides, belong to one run. Each case below is run
once in each of a hundred sessions, spread over twenty processes, because TensorFlow's choice hardly changes within a
session, but does from one session to the next. The counts are in updates.json; they differ each time.

It needs TensorFlow, as record.py does. One process takes about a minute and a half.
"""

import itertools
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.conformance.referee import import_tensorflow
from tools import json_files

TABLE = Path(__file__).resolve().parents[1] / "tests" / "conformance" / "updates.json"
PROCESSES, SESSIONS = 20, 5
START = 10.0

# Each update, as people write it, and what it does to the variable and its average.
UPDATES = {
    "train": (
        lambda tf, w: tf.train.GradientDescentOptimizer(0.25).minimize(tf.square(w)),
        lambda w, average: (w - 0.25 * 2 * w, average),
    ),
    "clip": (lambda tf, w: w.assign(tf.clip_by_value(w, -7.0, 7.0)), lambda w, average: (min(w, 7.0), average)),
    "double": (lambda tf, w: w.assign(w * 2), lambda w, average: (w * 2, average)),
    "add": (lambda tf, w: w.assign_add(1.0), lambda w, average: (w + 1, average)),
    "set": (lambda tf, w: w.assign(100.0), lambda w, average: (100.0, average)),
    "average": (None, lambda w, average: (w, 0.5 * average + 0.5 * w)),
}
THREES = ["train clip average", "clip train average", "average train clip", "train double add", "add clip train"]
THREES += ["double add clip", "set add double"]
CASES = [" ".join(pair) for pair in itertools.permutations(UPDATES, 2)] + THREES

# How the updates come into one run. Only the last way orders them.
WAYS = ("fetched", "grouped", "control_dependencies", "ordered")
KINDS = {"ref": False, "resource": True}
THREADS = (1, 8)


def built(tf, case, way, **options):
    """Build a case in the default graph; return what to run, and the variables to look at afterwards."""
    w = tf.Variable(START, name="w", **options)
    average = tf.train.ExponentialMovingAverage(0.5)
    made = []
    for name in case.split():
        with tf.control_dependencies(made[-1:] if way == "ordered" else []):
            update = UPDATES[name][0]
            made.append(update(tf, w) if update else average.apply([w]))
    watched = [w, average.average(w)] if "average" in case else [w]
    if way == "grouped":
        return tf.group(*made), watched
    if way == "control_dependencies":
        with tf.control_dependencies(made):
            return tf.no_op(), watched
    return made, watched


def outcome(tf, graph, run, watched, config=None):
    """Run once, in a new session; return what the variables hold then."""
    with tf.Session(graph=graph, config=config) as sess:
        for variable in watched:  # the average begins with what w has
            sess.run(variable.initializer)
        sess.run(run)
        return " ".join(f"{value:.6g}" for value in sess.run(watched))


def minitf_outcome(tf, case, way):
    """What minitf makes of a case."""
    with tf.Graph().as_default() as graph:
        return outcome(tf, graph, *built(tf, case, way))


def in_turn(case):
    """What the variables hold after the updates in every possible order, one after the other, by that order."""
    found = {}
    for order in itertools.permutations(case.split()):
        values = START, START
        for name in order:
            values = UPDATES[name][1](*values)
        found[" ".join(order)] = " ".join(f"{value:.6g}" for value in values[: 1 + ("average" in case)])
    return found


def keys():
    """Each case with each kind of variable, number of threads and way."""
    return itertools.product(CASES, KINDS, THREADS, WAYS)


def counted_here():
    """Run everything a few times, in this process."""
    tf = import_tensorflow()
    counts = {}
    for case, kind, threads, way in keys():
        config = tf.ConfigProto(inter_op_parallelism_threads=threads, intra_op_parallelism_threads=threads)
        with tf.Graph().as_default() as graph:
            run, watched = built(tf, case, way, use_resource=KINDS[kind])
        found = Counter(outcome(tf, graph, run, watched, config) for _ in range(SESSIONS))
        counts[f"{case}, {kind}, {threads}, {way}"] = dict(found)
    return counts


def write(total, sessions):
    """Write the table: for each case, a row for each kind and number of threads, in which the ways share a line."""
    table = {}
    for (case, kind, threads, way), counts in zip(keys(), total.values(), strict=True):
        row = table.setdefault(case, {}).setdefault(f"{kind}, {threads} thread{'s' * (threads > 1)}", {})
        row[way] = dict(counts)
    json_files.write(TABLE, {"sessions": sessions, "cases": table})


def main():
    """Count in several processes, one after the other; the table is written after each."""
    if sys.argv[1:] == ["--here"]:
        print(json.dumps(counted_here()))
        return 0
    total = {", ".join(map(str, key)): Counter() for key in keys()}
    for number in range(1, PROCESSES + 1):
        command = [sys.executable, "-m", "tools.updates", "--here"]
        ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
        for key, found in json.loads(ended.stdout.splitlines()[-1]).items():
            total[key].update(found)
        write(total, number * SESSIONS)
        print(f"{TABLE.name}: {number * SESSIONS} of {PROCESSES * SESSIONS} sessions", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
