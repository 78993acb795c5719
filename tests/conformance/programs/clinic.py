"""What a reader sees of lesson 15: ten programs of the bug clinic, as they come and repaired, and inherited scripts."""

import ast
import contextlib
import io
import logging
import os
import sys
import tempfile
from pathlib import Path

from tests.conformance.outcomes import Raised, core
from tests.conformance.watching import caught, whole_line

CLINIC = Path(__file__).resolve().parents[3] / "lessons" / "clinic"


def _cases(file, tf):
    """The functions of a file by number, to be run on `tf`."""
    module = ast.parse((CLINIC / file).read_text(encoding="utf-8"))
    module.body = [part for part in module.body if isinstance(part, ast.FunctionDef)]
    names = {"tf": tf}
    exec(compile(module, file, "exec"), names)
    return {int(part.name.removeprefix("case_")): names[part.name] for part in module.body}


def _saved(tf, folder):
    """Case 9's checkpoint: five steps, all saved under the name model-1000."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step, w = tf.train.create_global_step(), tf.Variable(5.0, name="w")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(train_op)
        return tf.train.Saver().save(sess, os.path.join(folder, "model"), global_step=1000)


def _count_log_lines_anew(tf):
    """`log_first_n` counts as long as Python runs: let it begin again."""
    hooks = sys.modules[tf.train.StepCounterHook.__module__]
    (getattr(hooks, "logging", None) or hooks.tf_logging).__dict__.get("_log_counter_per_token", {}).clear()
    getattr(getattr(hooks, "tf_logging", None), "_calls", {}).clear()


def _lines(program, tf):
    """What a program prints, what it logs (each line once), and the error that ends it."""
    printed, ended = io.StringIO(), []
    _count_log_lines_anew(tf)
    with tempfile.TemporaryDirectory() as folder:
        arguments = [_saved(tf, folder)] if program.__name__ == "case_9" else []
        with tf.Graph().as_default(), contextlib.redirect_stdout(printed), caught(logging.WARNING, whole_line) as log:
            try:
                program(*arguments)
            except Exception as error:
                message = core(str(error))
                first = message if isinstance(message, str) else message[0]
                ended = [f"{Raised(error).type}: {first.splitlines()[0]}"]
    once = dict.fromkeys(line.partition(" Current")[0] for line in log if " is deprecated" not in line)
    return [*printed.getvalue().splitlines(), *once, *ended]


def as_they_come(tf, np):
    """The broken programs but the sixth, which is a race: TensorFlow need not print the same twice."""
    return [_lines(program, tf) for number, program in _cases("broken.py", tf).items() if number != 6]


def repaired(tf, np):
    """All ten, each with its mistake cured: what they print.

    (After the last update cases 5 and 10 read the step in a separate run. TensorFlow's hook may warn of it, or not.)
    """
    everything = [_lines(program, tf) for program in _cases("repaired.py", tf).values()]
    return [[line for line in lines if not line.startswith("WARNING")] for lines in everything]


def inherited(tf, np):
    """What each of the inherited scripts prints, in three runs in the same folder."""
    return {path.stem: _log(path, tf) for path in sorted((CLINIC.parent / "inheritance").glob("[fw]*_*.py"))}


def _log(path, tf):
    text = path.read_text(encoding="utf-8").replace("import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()", "")
    names, printed = {"tf": tf, "__name__": path.stem, "__file__": str(path)}, io.StringIO()
    exec(compile(text, path.name, "exec"), names)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        for _ in range(3):
            with tf.Graph().as_default():
                names["main"](folder)
    return printed.getvalue().splitlines()
