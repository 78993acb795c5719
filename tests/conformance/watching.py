"""What programs on hooks and sessions share: log lines, what is raised, and a hook that tells what happens to it."""

import logging
import re
from contextlib import contextmanager

from tests.conformance.outcomes import Raised


@contextmanager
def caught(level, line):
    """Collect `line(record)` of what is logged at this level and above; nothing is printed. None is no line."""
    lines, log = [], logging.getLogger("tensorflow")

    def catch(record):
        if (text := line(record)) is not None:
            lines.append(text)
        return False

    before = log.level
    log.setLevel(level)
    log.addFilter(catch)
    try:
        yield lines
    finally:
        log.removeFilter(catch)
        log.setLevel(before)


def whole_line(record):
    """A line as Python's logging shows it."""
    return f"{record.levelname}:{record.name}:{record.getMessage()}"


def _without_times(record):
    text = re.sub(r"\(\d+\.\d+ sec\)", "(# sec)", record.getMessage())
    if " is deprecated " in text:
        return None
    return f"{record.levelname}: {re.sub('/sec: .*', '/sec: #', text)}"


def logged(tf, level="INFO"):
    """Collect what is logged at this level and above, with every time and rate as `#`."""
    tf.logging.get_verbosity()  # makes the logger
    return caught(getattr(tf.logging, level), _without_times)


def attempt(expression):
    """What the expression gives or raises: the type's name and the first line of the message."""
    try:
        return expression()
    except Exception as error:
        return [Raised(error).type, str(error).split("\n")[0]]


def watcher(tf, events, name="", **methods):
    """A hook that appends to `events` what is called; `methods` are done besides: `before_run=lambda context: ...`."""

    def tell(event, *arguments):
        events.append(f"{name} {event}".strip())
        return methods[event](*arguments) if event in methods else None

    class Watcher(tf.train.SessionRunHook):
        def begin(self):
            tell("begin")

        def after_create_session(self, session, coord):
            tell("after_create_session", session, coord)

        def before_run(self, run_context):
            return tell("before_run", run_context)

        def after_run(self, run_context, run_values):
            tell("after_run", run_context, run_values)

        def end(self, session):
            tell("end", session)

    return Watcher()


def raising(error):
    """A function of any arguments that raises `error`."""

    def function(*arguments):
        raise error

    return function
