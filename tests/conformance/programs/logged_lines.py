"""`tf.logging`: levels, and what is logged."""

import contextlib
import logging


@contextlib.contextmanager
def _logged():
    """Collect what is logged, at the level at which TensorFlow starts."""
    lines, log = [], logging.getLogger("tensorflow")

    def catch(record):
        lines.append(f"{record.levelname}:{record.name}:{record.getMessage()}")
        return False

    level = log.level
    log.setLevel(logging.NOTSET)
    log.addFilter(catch)
    try:
        yield lines
    finally:
        log.removeFilter(catch)
        log.setLevel(level)


def levels(tf, np):
    """Numbers of the levels, and where it starts."""
    log = tf.logging
    with _logged():
        found = [log.get_verbosity()]
        for level in (log.DEBUG, log.INFO, log.WARN, log.ERROR, log.FATAL, "INFO"):
            log.set_verbosity(level)
            found.append(log.get_verbosity())
        return [*found, tf.get_logger().name]


def lines(tf, np):
    """A line is logged from its level on."""
    log = tf.logging
    with _logged() as seen:
        for verbosity in (log.WARN, log.DEBUG, log.FATAL):
            log.set_verbosity(verbosity)
            for write in (log.debug, log.info, log.warn, log.warning, log.error, log.fatal):
                write("%s %d", "step", 1)
            log.log(log.INFO, "at %d", 20)
            log.vlog(log.ERROR, "a dict: %(a)s", {"a": 1})
            log.log_if(log.ERROR, "if %s", True, "so")
            log.log_if(log.ERROR, "if %s", False, "so")
            log.info("100%")
            log.TaskLevelStatusMessage("done")
            log.warning(np.float32(0.5))
        return seen
