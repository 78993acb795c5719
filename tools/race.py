"""Count what TensorFlow leaves open: `python -m tools.race` asks it, and tells the lessons.

A run that both reads a step and updates it may see the step before or after the update. Each case below is
run 300 times, one after the other, in one session; counted is how often the read gave the old value,
how often the new one, and how often the answer changed from one run to the next. Where no path of edges
orders the two, another processor, or the same one tomorrow, counts something else: the file says what came
once (lessons/data/tensorflow_*_race.json), and the lesson says so. Where a path does, every run must agree.
The first case is run 300 times again in 200 more sessions, to see how far one such count can be trusted.
The file also keeps what TensorFlow prints for the script that the lesson begins with (lessons/inherited).

It needs TensorFlow, as tools/record.py does.
"""

import subprocess
import sys
import tempfile

from tests.conformance.outcomes import observe
from tests.conformance.referee import import_tensorflow
from tools import json_files
from tools.json_files import DATA

RUNS = 300
SESSIONS = 200

# A case returns the update, the read that is fetched with it, and what tells old from new when it is run alone
# before and after.


def _step(tf, **options):
    return tf.Variable(0, trainable=False, name="step", **options)


def _train_op(tf, step, rate=0.01):
    loss = tf.square(tf.Variable(5.0))
    return tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)


def _add_one(tf, step, *before):
    """Add one, as a train op does: after an update of a weight (and after what is `before`)."""
    update_w = tf.assign_sub(tf.Variable(5.0), 1.0)
    with tf.control_dependencies([update_w, *before]):
        return tf.assign_add(step, 1)


def sum_(tf, np):
    """run([add_one, step + 0])"""
    step = _step(tf)
    return _add_one(tf, step), step + 0, step


def variable(tf, np):
    """run([train_op, step])"""
    step = _step(tf)
    return _train_op(tf, step), step, step


def resource(tf, np):
    """run([train_op, step]), use_resource=True"""
    step = _step(tf, use_resource=True)
    return _train_op(tf, step), step, step


def slow(tf, np):
    """run([add_one, step + 0]), both behind slow work"""
    step = _step(tf)
    table = tf.constant(np.full((200, 200), 0.001, np.float32))
    factor = tf.placeholder_with_default(0.001, [])  # so that TensorFlow computes it in every run
    works = [tf.matmul(table * factor, table + factor) for _ in range(2)]
    with tf.control_dependencies(works[:1]):
        add_one = tf.assign_add(step, 1)
    with tf.control_dependencies(works[1:]):
        return add_one, step + 0, step


def read_waits(tf, np):
    """step + 0 waits for add_one"""
    step = _step(tf)
    add_one = _add_one(tf, step)
    with tf.control_dependencies([add_one]):
        return add_one, step + 0, step


def update_waits(tf, np):
    """add_one waits for step + 0"""
    step = _step(tf)
    seen = step + 0
    return _add_one(tf, step, seen), seen, step


def made_outside(tf, np):
    """seen + 0 waits for add_one, seen = step + 0 does not"""
    step = _step(tf)
    seen = step + 0
    add_one = _add_one(tf, step)
    with tf.control_dependencies([add_one]):
        return add_one, seen + 0, step


def identity(tf, np):
    """add_one waits for tf.identity(step)"""
    step = _step(tf)
    seen = tf.identity(step)
    return _add_one(tf, step, seen), seen, step


def identity_waits(tf, np):
    """tf.identity(step) waits for add_one"""
    step = _step(tf)
    add_one = _add_one(tf, step)
    with tf.control_dependencies([add_one]):
        return add_one, tf.identity(step), step


def rate(tf, np):
    """run([train_op, rate])"""
    step = _step(tf)
    decayed = tf.train.exponential_decay(0.1, step, 1, 0.99)
    return _train_op(tf, step, decayed), decayed, decayed


OPEN = [sum_, variable, resource, slow, made_outside, identity]
ORDERED = {read_waits: "new", identity_waits: "new", update_waits: "old", rate: "old"}


def answers(case, tf, runs=RUNS):
    """Run a case; return what its read gave in each run: "old" or "new"."""

    def seen(tf, np):
        update, read, alone = case(tf, np)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            given, before = [], sess.run(alone)
            for _ in range(runs):
                got = sess.run([update, read])[1]
                after = sess.run(alone)
                given.append({before.item(): "old", after.item(): "new"}[got.item()])
                before = after
        return given

    return observe(seen, tf)


def counted(given):
    """Return how often the old value came, and the new, and how often the answer changed from run to run.

    "first_change" is the number of the first run that answered otherwise than run 1.
    """
    changes = [run for run in range(1, len(given)) if given[run] != given[run - 1]]
    counts = {"old": given.count("old"), "new": given.count("new"), "changes": len(changes)}
    return {**counts, "first_change": changes[0] + 1 if changes else None}


def figures(cases, tf):
    """Count every case, under its name."""
    return {case.__name__.strip("_"): {"line": case.__doc__, **counted(answers(case, tf))} for case in cases}


def spread(case, tf, sessions=SESSIONS):
    """Count a case in many sessions; return the fewest and the most old values that one had, and how many
    began with ninety equal runs."""
    counts = [counted(answers(case, tf)) for _ in range(sessions)]
    old = [count["old"] for count in counts]
    late = [count for count in counts if (count["first_change"] or RUNS) > 90]
    return {"sessions": sessions, "fewest_old": min(old), "most_old": max(old), "ninety_alike": len(late)}


def log_of_the_script():
    """Run the inherited script in this interpreter, which has TensorFlow, and return what it prints."""
    script = DATA.parent / "inherited" / "train_digits.py"
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [sys.executable, str(script), folder], check=True, stdout=subprocess.PIPE, encoding="utf-8"
        )
    return ended.stdout.splitlines()


def main():
    """Ask TensorFlow and write the file; fail if it does not keep an order that edges give."""
    tf = import_tensorflow()
    cases = figures([*OPEN, *ORDERED], tf)
    for name, case in cases.items():
        print(f"{name:14} {case}")
    for case, value in ORDERED.items():
        if cases[case.__name__][value] != RUNS:
            print(f"{case.__name__}: not always the {value} value", file=sys.stderr)
            return 1
    found = {"runs": RUNS, "cases": cases, "sum_again": spread(sum_, tf), "log": log_of_the_script()}
    json_files.hand_over("race", tf.version.VERSION, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
