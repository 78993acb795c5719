"""What `--explain` costs a script: tiny runs, each beside the same run without it (at most 1.5 times)."""

import tempfile
from functools import partial

import minitf as tf
from benchmarks.compare import interleaved
from minitf.client.watchers import watching
from minitf.explain.record import recording
from minitf.framework.events import listening


def _one(session, train_ops, curve):
    return lambda: session.run(train_ops[0])


def _two_in_turns(session, train_ops, curve):
    return lambda: (session.run(train_ops[0]), session.run(train_ops[1]))


def _with_a_summary(session, train_ops, curve):
    writer, fetches = tf.summary.FileWriter(tempfile.mkdtemp()), [train_ops[0], curve]
    return lambda: writer.add_summary(session.run(fetches)[1], 1)


def _made(script):
    """A run of a script that has two train ops that count, and a summary."""
    tf.reset_default_graph()
    step = tf.train.create_global_step()
    w, b = tf.Variable(5.0), tf.Variable(5.0)
    rate = tf.train.exponential_decay(0.1, step, 1000, 0.5)
    sgd = tf.train.GradientDescentOptimizer(rate)
    train_ops = [sgd.minimize(w**2, step, [w]), sgd.minimize(b**2, step, [b])]
    curve = tf.summary.scalar("w", w)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return script(session, train_ops, curve)


def beside(script):
    """Time a script that is recorded, and one that isn't."""
    with recording() as record:
        recorded = _made(script)
    plain = _made(script)

    def many_recorded():
        with watching(record), listening(record.hear):
            many(recorded)

    def many(run):
        for _ in range(200):
            run()

    return interleaved(many_recorded, lambda: many(plain), calls=10)


CASES = [
    ("--explain, one train op (beside without)", "", partial(beside, _one)),
    ("--explain, two train ops in turns", "", partial(beside, _two_in_turns)),
    ("--explain, a summary in each step", "", partial(beside, _with_a_summary)),
]
