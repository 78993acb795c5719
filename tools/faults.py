"""Plant faults and see which of them the tests catch: `python -m tools.faults [--list FILE] [pytest arguments]`.

Each fault of a list, by default tools/faults.txt, changes one line of minitf or of the lessons' lab. It is planted in a
copy of the repository, where the tests run until the first one fails: those of the same folder
first, then the others (those in a browser only for faults of the lab). Run it before and after you
delete tests. With pytest's arguments, only the tests that they name run.

    minitf/ops/math_ops.py
    -     return x + y
    +     return x - y

`--draw N` plants nothing: it adds N faults at random places to the list, so that nobody chooses what
the tests are good at. A fault whose line has gone or occurs twice has to be written anew.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_name("faults.txt")
FOLDERS = ("minitf", "lessons/lab")


class Fault(NamedTuple):
    """One line of a file, and what it becomes."""

    path: str
    old: str
    new: str

    def __str__(self):
        return f"{self.path}\n- {self.old}\n+ {self.new}\n"


def listed(path):
    """The faults of a list."""
    blocks = path.read_text("utf-8").strip().split("\n\n") if path.exists() else []
    return [Fault(path, old[2:], new[2:]) for path, old, new in (block.split("\n") for block in blocks)]


# Drawing.

_OTHER = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And},
}


def _changed(node):
    """What a fault makes of an expression, or None."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            return ast.Compare(node.left, [_OTHER[type(op)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in _OTHER:
            return ast.BinOp(node.left, _OTHER[type(op)](), node.right)
        case ast.BoolOp(op=op, values=[one, *others]):
            return ast.BoolOp(_OTHER[type(op)](), [one, *others])
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool() as value):
            return ast.Constant(not value)
        case ast.Constant(int() as value):
            return ast.Constant(value + 1)
        case ast.IfExp(test, body, other):
            return ast.IfExp(test, other, body)
        case ast.Call(function, [one, two], []):
            return ast.Call(function, [two, one], [])
        case ast.Call(function, arguments, [*named, _]):
            return ast.Call(function, arguments, named)
    return None


def _possible(path):
    """Every fault of a file that the drawing knows."""
    text = (ROOT / path).read_text("utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        changed = _changed(node) if isinstance(node, ast.expr) else None
        if changed is None or node.lineno != node.end_lineno:
            continue
        line = lines[node.lineno - 1]
        start, end = (len(line.encode()[:column].decode()) for column in (node.col_offset, node.end_col_offset))
        new = f"{line[:start]}({ast.unparse(changed)}){line[end:]}"
        if lines.count(line) == 1 and ast.unparse(changed) != ast.unparse(node):
            yield Fault(path, line, new)


def drawn(count, seed):
    """Faults at random places, at most one in each line, in files drawn by their length."""
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for path in tracked.stdout.split() if path.startswith(FOLDERS)]
    possible = [fault for path in paths for fault in _possible(path)]
    random.Random(seed).shuffle(possible)
    return list({(fault.path, fault.old): fault for fault in possible}.values())[:count]


# Planting.


def stages(fault):
    """What pytest is given, one after the other: first the folder that mirrors the fault's, then all others."""
    own, others = ROOT / "tests" / Path(fault.path).parts[1], ["--ignore=tests/browser", "--ignore=tests/website"]
    if fault.path.startswith("lessons"):
        return [["tests/lessons"], ["lessons"], ["tests", "--ignore=tests/lessons", *others], ["tests/browser"]]
    near = [[f"tests/{own.name}"]] if own.is_dir() else []
    return [*near, ["tests", "--ignore=tests/lessons", *others], ["tests/lessons", "lessons"]]


def caught(fault, copy, runs):
    """The first test that fails with this fault, or None. Raises ValueError if pytest can't run."""
    file = copy / fault.path
    text = file.read_text("utf-8")
    if f"\n{text}\n".count(f"\n{fault.old}\n") != 1:
        return "its line has gone, or occurs twice"
    file.write_text(f"\n{text}\n".replace(f"\n{fault.old}\n", f"\n{fault.new}\n")[1:-1], "utf-8")
    try:
        for arguments in runs:
            command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider", *arguments]
            ended = subprocess.run(command, cwd=copy, capture_output=True, text=True, env=_environment(copy))
            if ended.returncode not in (0, 1, 2):  # a failed test is 1, a file that can't be loaded 2
                raise ValueError(f"pytest {' '.join(arguments)}: {ended.stdout}{ended.stderr}")
            if ended.returncode:
                failed = [line for line in ended.stdout.split("\n") if line.startswith(("FAILED", "ERROR"))]
                return (failed or ended.stdout.strip().split("\n")[-1:])[0][:100]
    finally:
        file.write_text(text, "utf-8")
    return None


def _environment(copy):
    path = os.pathsep.join([str(copy), str(copy / "lessons")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def main():
    """Draw or plant; returns 1 if a fault wasn't caught."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__.split("\n")[0])
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE")
    parser.add_argument("--draw", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    chosen, arguments = parser.parse_known_args()
    if chosen.draw:
        faults = [*listed(chosen.list), *drawn(chosen.draw, chosen.seed)]
        chosen.list.write_text("\n".join(map(str, faults)), "utf-8")
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "_build", "__pycache__"))
        for number, fault in enumerate(listed(chosen.list), 1):
            begun = time.monotonic()
            test = caught(fault, copy, [arguments] if arguments else stages(fault))
            missed += test is None
            print(f"{number:3} {fault.path} {time.monotonic() - begun:.0f} s: {test or 'NOT CAUGHT'}", flush=True)
    print(f"{missed} not caught")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
