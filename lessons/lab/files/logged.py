"""Catches what TensorFlow logs, so that a cell can print it with the rest."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from minitf.framework import tf_logging


@contextmanager
def logged() -> Iterator[list[str]]:
    """Collect what is logged inside the `with`, formatted as TensorFlow prints it.

    with lab.logged() as lines:
        step = tf.train.get_global_step()

    Functions that log only the first few lines count from 0 again, so a rerun cell shows the same.
    """
    tf_logging._calls.clear()
    lines: list[str] = []

    def catch(record: logging.LogRecord) -> bool:
        lines.append(f"{record.levelname}:{record.name}:{record.getMessage()}")
        return False  # it goes no further

    log = logging.getLogger("tensorflow")
    log.addFilter(catch)
    try:
        yield lines
    finally:
        log.removeFilter(catch)
