"""Runs a session with hooks, for the tests of hooks."""

import minitf as tf


def run(hooks_of_session, op, times):
    """A session with hooks that runs the op so many times; gives how often it did before a stop."""
    done = 0
    with tf.train.MonitoredSession(hooks=hooks_of_session) as session:
        while done < times and not session.should_stop():
            session.run(op)
            done += 1
    return done
