"""What `--explain` costs a script: tiny runs, each beside the same run without it (at most 1.5 times)."""

import tempfile

import minitf as tf
from benchmarks.compare import interleaved
from minitf.client.watchers import watching
from minitf.explain.record import recording
from minitf.framework.events import listening


def _trains():
    """Return a session, two train ops that count, and a summary."""
    tf.reset_default_graph()
    step = tf.train.create_global_step()
    w, b = tf.Variable(5.0), tf.Variable(5.0)
    rate = tf.train.exponential_decay(0.1, step, 1000, 0.5)
    sgd = tf.train.GradientDescentOptimizer(rate)
    trains = [sgd.minimize(w**2, step, [w]), sgd.minimize(b**2, step, [b])]
    curve = tf.summary.scalar("w", w)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session, trains, curve


def _beside(body):
    """Time a body with a session that is recorded, and with one that isn't."""
    with recording() as record:
        recorded = body(*_trains())
    plain = body(*_trains())

    def many_recorded():
        with watching(record), listening(record.hear):
            many(recorded)

    def many(run):
        for _ in range(200):
            run()

    return interleaved(many_recorded, lambda: many(plain), calls=10)


def one_train_op():
    """Run one train op."""
    return _beside(lambda session, trains, curve: lambda: session.run(trains[0]))


def two_in_turns():
    """Run two train ops in turns."""

    def body(session, trains, curve):
        return lambda: (session.run(trains[0]), session.run(trains[1]))

    return _beside(body)


def with_a_summary():
    """Run a train op with a summary, and write it."""

    def body(session, trains, curve):
        writer = tf.summary.FileWriter(tempfile.mkdtemp())
        fetches = [trains[0], curve]
        return lambda: writer.add_summary(session.run(fetches)[1], 1)

    return _beside(body)


CASES = [
    ("--explain, one train op (beside without)", "", one_train_op),
    ("--explain, two train ops in turns", "", two_in_turns),
    ("--explain, a summary in each step", "", with_a_summary),
]
