"""Log lines: which of many calls log, where they say that they were written, and how they look."""

import logging
import subprocess
import sys

import minitf as tf

PROGRAM = """
import minitf as tf
tf.logging.info("silent")
tf.logging.warn("two %s", "words")
tf.logging.set_verbosity(tf.logging.INFO)
tf.logging.info("seen")
for step in range(5):
    tf.logging.log_every_n(tf.logging.INFO, "every %d", 2, step)
    tf.logging.log_first_n(tf.logging.ERROR, "first %d", 2, step)
    tf.logging.log_first_n(tf.logging.ERROR, "other %d", 1, step)
"""
LINES = """WARNING:tensorflow:two words
INFO:tensorflow:seen
INFO:tensorflow:every 0
ERROR:tensorflow:first 0
ERROR:tensorflow:other 0
ERROR:tensorflow:first 1
INFO:tensorflow:every 2
INFO:tensorflow:every 4
"""


def test_lines_go_to_stderr_and_are_counted_for_each_place():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert run.stderr == LINES and run.stdout == ""


def test_a_program_that_knows_logging_may_put_its_lines_elsewhere():
    program = "import logging, sys; import minitf as tf; log = logging.getLogger('tensorflow')"
    program += "; print(len(log.handlers)); log.handlers = [logging.StreamHandler(sys.stdout)]; tf.logging.warn('seen')"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "1\nseen\n" and run.stderr == ""


def test_an_interactive_python_shows_info_on_stdout():
    program = "import sys; sys.ps1 = '>'; import minitf as tf; tf.logging.info('seen'); tf.logging.debug('not')"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "INFO:tensorflow:seen\n" and run.stderr == ""


def test_a_line_knows_where_it_was_logged(caplog):
    logging.getLogger("tensorflow").addHandler(caplog.handler)
    try:
        tf.logging.error("1")
        tf.logging.log(tf.logging.ERROR, "2")
        tf.logging.log_if(tf.logging.ERROR, "3", True)
        tf.logging.log_first_n(tf.logging.ERROR, "4", 1)
        tf.logging.log_every_n(tf.logging.ERROR, "5", 1)
    finally:
        logging.getLogger("tensorflow").removeHandler(caplog.handler)
    assert {record.filename for record in caplog.records} == {"test_tf_logging.py"}
