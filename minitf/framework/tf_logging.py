"""`tf.logging`: lines such as `INFO:tensorflow:step 1`, logged by Python's logger "tensorflow".

    tf.logging.set_verbosity(tf.logging.INFO)
    tf.logging.info("step %d", 1)

By default, only WARN and above are shown, but in interactive Python (such as Jupyter) INFO is as
well. Lines go to stderr, or stdout if interactive, unless the program has set up Python's logging
before.

Mirrors tensorflow/python/platform/tf_logging.py.
"""

import logging
import sys
from collections import Counter
from collections.abc import Callable

from minitf.framework.late import loads_late as _loads_late

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50  # the levels of Python's logging
_calls: Counter[tuple[str, int]] = Counter()  # calls from each line, by file and line number

_logger = logging.getLogger("tensorflow")
if not logging.getLogger().handlers:
    _interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
    if _interactive:
        _logger.setLevel(INFO)
    _handler = logging.StreamHandler(sys.stdout if _interactive else sys.stderr)
    _handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
    _logger.addHandler(_handler)


def get_logger() -> logging.Logger:
    """Return the Python logger that `tf.logging` writes to."""
    return _logger


def get_verbosity() -> int:
    """Return the lowest level that is logged."""
    return _logger.getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Log messages of level `v` (such as `tf.logging.INFO`) and above."""
    _logger.setLevel(v)


def log(level: int, msg, *args, **kwargs) -> None:
    """Log `msg % args` at `level`."""
    _logger.log(level, msg, *args, **{"stacklevel": 2, **kwargs})


def _at(name: str, level: int) -> Callable[..., None]:
    def log_line(msg, *args, **kwargs) -> None:
        log(level, msg, *args, **{"stacklevel": 3, **kwargs})

    log_line.__doc__ = f"Log `msg % args` at level {name.upper()}."
    log_line.__name__ = log_line.__qualname__ = name
    return log_line


debug, info, warn = _at("debug", DEBUG), _at("info", INFO), _at("warn", WARN)
error, fatal = _at("error", ERROR), _at("fatal", FATAL)
warning, vlog, TaskLevelStatusMessage = warn, log, error


def log_if(level: int, msg, condition, *args) -> None:
    """Log `msg % args` if `condition` is true."""
    if condition:
        log(level, msg, *args, stacklevel=3)


def _calls_before() -> int:
    """Return how often the caller has already been called from the same line."""
    frame = sys._getframe(2)
    place = frame.f_code.co_filename, frame.f_lineno
    _calls[place] += 1
    return _calls[place] - 1


def log_every_n(level: int, msg, n: int, *args) -> None:
    """Log the first of every `n` calls from the same line of the program."""
    if _calls_before() % n == 0:
        log(level, msg, *args, stacklevel=3)


def log_first_n(level: int, msg, n: int, *args) -> None:
    """Log only the first `n` calls from the same line of the program."""
    if _calls_before() < n:
        log(level, msg, *args, stacklevel=3)


__getattr__, __dir__ = _loads_late("tf.logging", globals())
