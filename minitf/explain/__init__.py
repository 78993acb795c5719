"""`python -m minitf --explain script.py` runs a script, and says what became of its global step.

Given a stored graph, such as model.ckpt-1000.meta, it prints its train ops as NumPy programs. None
of this is imported by `import minitf`.
"""

import argparse
import json
import os
import sys
import traceback
from pathlib import Path

from minitf import training
from minitf.client.session import program
from minitf.explain.findings import Seen, item
from minitf.explain.record import Stopped, recording
from minitf.explain.report import as_page, as_text, report
from minitf.explain.source import shown
from minitf.framework.graph import Graph, GraphKeys


def explain(arguments, run):
    """Run a script with `run`, report on it, and return its exit code."""
    parser = argparse.ArgumentParser("python -m minitf", description=__doc__)
    parser.add_argument("--explain", action="store_true", help="report on the script's step")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write plain values")
    parser.add_argument("--steps", type=int, help="stop after so many training runs")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script")
    options = parser.parse_args(arguments)
    path = os.path.abspath(options.script)
    options.html, options.json = (p and p.absolute() for p in (options.html, options.json))
    if path.endswith(".meta"):
        return _show_graph(path)
    errors, hook, ended, code = [], sys.excepthook, "was interrupted", 0

    def noting(kind, error, trace):
        errors.append(error)
        hook(kind, error, trace)

    sys.excepthook = noting
    try:
        with recording(options.steps) as record:
            code = run([options.script, *options.arguments])
        ended = f"failed with {type(errors[0]).__name__}" if errors else "ended"
    except Stopped:
        ended = "was stopped"
    except SystemExit:
        ended = "ended"
        raise
    finally:
        sys.excepthook = hook
        try:
            if code != 2:  # the script could be opened
                _write(options, Seen(record, (errors or [None])[0], ended == "ended"), path, ended)
        except Exception:  # the script's own end matters more
            traceback.print_exc()
    return code


def _show_graph(path):
    """Print the programs of a stored graph's train ops, and return an exit code."""
    with Graph().as_default() as graph:
        try:
            training.import_meta_graph(path)
        except Exception as error:  # a file can be damaged in many ways
            print(f"{path}: {error}", file=sys.stderr)
            return 1
        trains = graph.get_collection(GraphKeys.TRAIN_OP)
        for op in trains:
            print(f"# {op.name}")
            program(op)
    print(f"# {len(trains)} train ops in {path}", file=sys.stderr)
    return 0


def _write(options, seen, path, ended):
    """Write the report to stderr and to the files that were asked for."""
    lines = [] if seen.record.trained else shown(path)
    facts = report(seen, path, ended, [item(words, line) for line, words in lines])
    print(as_text(facts), file=sys.stderr)
    if options.html:
        options.html.write_text(as_page(facts), "utf-8")
    if options.json:
        options.json.write_text(json.dumps(facts, indent=1), "utf-8")
