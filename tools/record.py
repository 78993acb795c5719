"""Ask TensorFlow again: `python -m tools.record [theme ...]`, or all themes of tests/conformance/facts.

It writes TensorFlow's answers into the transcripts. To record something new, write its section
without answers, and run this. Each section runs five times; if its answers differ, TensorFlow leaves
them open, so the section is named and keeps what it had, and the command fails.
"""

import argparse
import sys

from tests.conformance import transcripts
from tests.conformance.notation import to_text
from tests.conformance.outcomes import shorten
from tests.conformance.referee import import_tensorflow

RUNS = 5


def record(theme, tf):
    """Record one theme; returns the names of its sections whose answers differ from run to run."""
    racy = []
    for section in theme.sections.values():
        runs = [[_answer(value) for value, _ in section.observed(tf)] for _ in range(RUNS)]
        if any(run != runs[0] for run in runs):
            racy.append(section.name)
            continue
        for cell, answer in zip(section.cells, runs[0], strict=True):
            cell.outcome = answer
    theme.version = tf.version.VERSION
    theme.save()
    return racy


def _answer(value):
    return "" if value is None else to_text(shorten(value))


def main(arguments=None):
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.record", description=__doc__)
    parser.add_argument("theme", nargs="*", help="a file of tests/conformance/facts, no suffix")
    chosen = parser.parse_args(arguments).theme or transcripts.themes()
    unknown = sorted(set(chosen) - set(transcripts.themes()))
    if unknown:
        parser.error(f"no such theme: {', '.join(unknown)}. There are: {', '.join(transcripts.themes())}")
    tf, failed = import_tensorflow(), False
    for name in chosen:
        theme = transcripts.load(name)
        racy = record(theme, tf)
        failed |= bool(racy)
        print(f"{name}: {len(theme.sections) - len(racy)} sections recorded")
        for section in racy:
            print(f"{name}.{section}: its {RUNS} runs differ, not recorded", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
