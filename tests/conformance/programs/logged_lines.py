"""`tf.logging`: levels, and what is logged."""

import logging

from tests.conformance.watching import caught, whole_line


def _logged():
    """Collect what is logged, at the level at which TensorFlow starts."""
    return caught(logging.NOTSET, whole_line)


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
