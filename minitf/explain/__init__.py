"""`python -m minitf --explain script.py` runs a script, and reports what became of its global step.

Given a stored graph, such as model.ckpt-1000.meta, it prints its train ops as NumPy programs.
`import minitf` loads none of this.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from minitf import training
from minitf.client.session import program
from minitf.explain import findings, page, repaired, terminal
from minitf.explain.finding import FINDINGS, all_faults
from minitf.explain.record import Stopped, recording
from minitf.explain.report import report
from minitf.explain.script_run import ScriptRun
from minitf.framework.graph import Graph, GraphKeys

__all__ = ["FINDINGS", "explain", "findings"]

_ENDS = {"Stopped": "was stopped", "KeyboardInterrupt": "was interrupted"}


def explain(options, run: Callable[[], int], in_text: Callable[[str], list[str]]) -> int:
    """Run a script by calling `run`, report on it, and return its exit code.

    If nothing was trained, the report has what `in_text` finds in the script's text instead.
    """
    path = os.path.abspath(options.script)
    if path.endswith(".meta"):
        if options.html or options.json:
            print("python -m minitf: a stored graph has no report to write", file=sys.stderr)
            return 2
        return _show_graph(path)
    with repaired.copied(path) if getattr(options, "try") else nullcontext() as copy:
        return _explain(path, copy, options, run, in_text)


def _explain(path: str, copy: str | None, options, run, in_text) -> int:
    sys.last_value = end = code = None
    try:
        with recording(options.steps) as record:
            code = run()
    except BaseException as error:
        end = error
    facts = None
    try:
        if code != 2:  # the script could be opened
            facts = explained(record, path, sys.last_value or end, options)
            facts["in_text"] = [] if record.trained else in_text(path)
            write(options, facts)
            if copy:
                print(repaired.tried(copy, facts, options), file=sys.stderr)
    except Exception as error:  # the script's own end matters more
        _say_that_it_failed(error)
        code = code or 2
        if isinstance(end, SystemExit) and not end.code:
            end = None
    return _ended(end, code or 0, strict=bool(options.strict and facts and facts["findings"]))


def _say_that_it_failed(error: Exception) -> None:
    if isinstance(error, OSError):
        print(f"python -m minitf: can't write the report: {error}", file=sys.stderr)
    else:
        traceback.print_exc()


def _ended(end: BaseException | None, code: int, strict: bool) -> int:
    """End as the script ended; if it ended well but must not have findings, return 1."""
    if isinstance(end, KeyboardInterrupt):
        sys.excepthook = lambda *_: None  # the report is the last thing on the screen
    ended_well = end is None or isinstance(end, SystemExit) and not end.code
    if end is None or isinstance(end, Stopped) or strict and ended_well:
        return code or int(strict)
    raise end


def explained(record, path: str, end: BaseException | None, options=None) -> dict:
    """Return the report on what was recorded of a script, as plain values."""
    kind = type(end).__name__
    ended = _ENDS.get(kind, f"failed with {kind}" if isinstance(end, Exception) else "ended")
    script = ScriptRun(record, end, ended == "ended")
    faults, questions = all_faults(script, options and options.chosen)
    return report(script, path, ended, faults, questions)


def _show_graph(path: str) -> int:
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
            print(program(op))
    print(f"# {len(trains)} train ops in {path}", file=sys.stderr)
    return 0


def write(options, facts: dict) -> None:
    """Write the report to stderr and to the files that were asked for."""
    print(terminal.written(facts), file=sys.stderr)
    if options.html:
        Path(options.html).write_text(page.written(facts), "utf-8")
    if options.json:
        Path(options.json).write_text(json.dumps(facts, indent=1), "utf-8")
