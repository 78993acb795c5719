"""`python -m minitf --check PATH...`: its options, and how it prints what it finds."""

import argparse
import json
import os
import sys
from pathlib import Path

from minitf.checking.check import Checked, Finding, check
from minitf.checking.files import scripts, shown, unreadable
from minitf.checking.rules import RULES

_MORE = " (this reads the text only; --explain runs a script, and sees more)"


def main(arguments: list[str]) -> int:
    """Run `--check` and return its exit code: 1 if anything was found, 2 if it can't begin."""
    parser = argparse.ArgumentParser("python -m minitf --check")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", metavar="FILE", help="also write the findings to a file")
    for name, what in (("select", "look only for these"), ("ignore", "look for all but these")):
        words = f"{what} identifiers, separated by commas"
        parser.add_argument(f"--{name}", metavar="ID,...", type=_identifiers, help=words)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="scripts, notebooks and folders")
    options = parser.parse_intermixed_args(arguments)
    paths = [Path(path) for path in options.paths]
    for path in paths:
        if not (path.is_dir() or path.is_file()):
            parser.error(f"there is no file or folder {str(path)!r}")
    rules = [id for id in RULES if id in (options.select or RULES)]
    rules = [id for id in rules if id not in (options.ignore or ())]
    checked = check(scripts(paths), [path for path in paths if path.is_dir()], rules)
    if options.json:
        try:
            Path(options.json).write_text(as_json(checked.findings), "utf-8")
        except OSError as error:
            parser.error(f"can't write {options.json!r}: {error.strerror}")
    _print(checked)
    return 1 if checked.findings else 0


def _identifiers(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in RULES:
            raise argparse.ArgumentTypeError(f"there is no {name}; choose from {', '.join(RULES)}")
    return names


def _print(checked: Checked) -> None:
    for finding in checked.findings:
        print(line_of(finding))
    sys.stdout.flush()
    found = f"{len(checked.findings)} finding{'s' * (len(checked.findings) != 1)}"
    files = f"{len(checked.files)} file{'s' * (len(checked.files) != 1)}"
    summary, *rest = unreadable(checked.unread) or [""]
    more = _MORE * bool(checked.files and not checked.findings)
    print(f"{found} in {files}{more}" + f"; {summary}" * bool(summary), file=sys.stderr)
    for line in rest:
        print(line, file=sys.stderr)


def lines(path: Path) -> list[str]:
    """Return what all rules find in a script, each as a line."""
    return [line_of(finding) for finding in check([path], [], RULES).findings]


def line_of(finding: Finding) -> str:
    """Return a finding as the line that editors can follow: `path:line:column: identifier words`.

    In a notebook, the path is followed by the cell, counting all cells from 1.
    """
    cell = f":cell {finding.cell}" if finding.cell else ""
    place = f"{shown(finding.path)}{cell}:{finding.line}:{finding.column}"
    return f"{place}: {finding.id} {finding.words}"


def as_json(findings: list[Finding]) -> str:
    """Return findings as JSON, a list of objects."""
    return json.dumps([_as_object(each) for each in findings], indent=1, ensure_ascii=False)


def _as_object(finding: Finding) -> dict:
    rule = RULES[finding.id]
    facts = {**finding._asdict(), "path": shown(finding.path).replace(os.sep, "/")}
    facts["cell"] = finding.cell or None
    return {**facts, "title": rule.title, "lesson": f"lessons/{rule.lesson}.ipynb"}
