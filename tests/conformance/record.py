"""Record what TensorFlow answers: `python -m tests.conformance.record [theme ...]`, or all themes.

Each program runs five times in fresh graphs. If the outcomes differ, TensorFlow leaves the answer
open and the program is named and not recorded; the rest of its theme is, and the command fails.
"""

import argparse
import logging
import os
import sys

from tests.conformance import recordings, slim
from tests.conformance.outcomes import encode, observe, shorten
from tests.conformance.programs import programs, themes

RUNS = 5


def import_tensorflow():
    """TensorFlow in its graph mode, quiet, without arithmetic made for one kind of processor."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    slim.prepare()
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.FATAL)
    logging.getLogger("tensorflow").propagate = False
    slim.attach(tf)
    slim.attach_older_names(tf)
    return tf


def record(theme, tf):
    """Record one theme; returns the names of its programs whose outcomes differ from run to run."""
    outcomes, racy = {}, []
    for name, program in programs(theme).items():
        observed = [shorten(encode(observe(program, tf))) for _ in range(RUNS)]
        if all(outcome == observed[0] for outcome in observed):
            outcomes[name] = observed[0]
        else:
            racy.append(name)
    recordings.write(theme, outcomes, tf.version.VERSION)
    return racy


def main(arguments=None):
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.record", description=__doc__)
    parser.add_argument("theme", nargs="*", help="a file of tests/conformance/programs, no suffix")
    chosen = parser.parse_args(arguments).theme or themes()
    unknown = sorted(set(chosen) - set(themes()))
    if unknown:
        parser.error(f"no such theme: {', '.join(unknown)}. There are: {', '.join(themes())}")
    tf, failed = import_tensorflow(), False
    for theme in chosen:
        racy = record(theme, tf)
        failed |= bool(racy)
        print(f"{theme}: {len(recordings.read(theme))} programs recorded")
        for name in racy:
            print(f"{theme}.{name}: its {RUNS} runs differ, not recorded", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
