"""`--try`: apply the cures to a copy of the script's folder, run that, and report what is left.

The script's own folder is never touched. The copy is made before the first run, so that both runs
begin with the same files.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from minitf.explain.cure import Edit, applied
from minitf.explain.terminal import ended

_LARGEST = 500 * 2**20  # bytes to copy


@contextmanager
def copied(path: str) -> Iterator[str]:
    """Yield a copy of the folder of a script. Raises SystemExit if it is too large."""
    folder = os.path.dirname(path)
    files = (os.path.join(root, name) for root, _, names in os.walk(folder) for name in names)
    if sum(os.path.getsize(file) for file in files if os.path.isfile(file)) > _LARGEST:
        words = f"{folder} is too large to copy, so --try can't be used"
        raise SystemExit(f"python -m minitf: {words}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        copy = os.path.join(place, os.path.basename(folder) or "copy")
        yield shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", ".venv*"))


def apply(edits: Iterable[Edit], root: str, copy: str) -> list[Edit]:
    """Apply edits to the copy of a folder, leaving out those that touch the same lines."""
    made: dict[str, list[Edit]] = {}
    for edit in edits:
        others = made.setdefault(edit.file, [])
        end = edit.line + max(len(edit.old), 1)
        if not any(edit.line < o.line + max(len(o.old), 1) and o.line < end for o in others):
            others.append(edit)
    for filename, chosen in made.items():
        place = Path(copy, os.path.relpath(filename, root))
        if place.is_file():
            with place.open(encoding="utf-8", newline="") as file:
                text = file.read()
            place.write_text(applied(text, chosen), "utf-8", newline="")
    return [edit for chosen in made.values() for edit in chosen]


def edits_of(faults: list[dict]) -> list[Edit]:
    """Return the edits of all cures in a report."""
    return [Edit(**edit) for fault in faults for edit in fault["cure"]["edits"]]


def tried(copy: str, facts: dict, options) -> str:
    """Return what is left to find after the cures were applied to a copy, which is run."""
    folder = os.path.dirname(facts["script"])
    arguments, outside = inside(options.arguments, folder, copy)
    if outside:
        return f"\n--try: not tried, because the script would also write to {outside}."
    edits = apply(edits_of(facts["findings"]), folder, copy)
    if not edits:
        return f"\n--try: {_why_not(facts)}"
    after = rerun(copy, os.path.basename(facts["script"]), arguments, options.steps)
    changed = ", ".join(f"line {edit.line}" for edit in edits)
    said = f"\n--try: changed {changed} in a copy, which"
    if after is None:
        return f"{said} didn't run."
    return f"{said} {ended(after)}.\n" + "\n".join(_outcome(after))


def _why_not(facts: dict) -> str:
    """Return why there's nothing to try in a copy."""
    if facts["findings"]:
        return "no finding comes with a change to try, so follow the advice above."
    if edits_of(facts["questions"]):
        return "the changes above belong to questions, and only those of findings are tried."
    return "there's no finding, so there's nothing to try."


def _outcome(after: dict) -> Iterator[str]:
    """Yield why a changed copy failed, what is still found in it, and what its run didn't show."""
    if after["ended"].startswith("failed"):
        missing = re.search(r"Key \S+ not found in checkpoint", after["error"])
        first = after["error"].strip().partition("\n")[0]
        yield f"  {missing[0] if missing else first}"
        if missing:
            yield "This checkpoint was written before the change, so start in a new folder."
    if not after["training_runs"]:
        yield "Since it didn't train, there's no telling what would still be found."
        return
    left = ", ".join(fault["id"] for fault in after["findings"]) or "nothing"
    yield f"Still found: {left}."
    if after["not_seen"]:
        yield "Not covered:"
    yield from (f"  - {words}" for words in after["not_seen"])


def inside(arguments: Iterable[str], folder: str, copy: str) -> tuple[list[str], str]:
    """Return arguments with paths into a folder changed to its copy, and the first other one."""
    found = []
    for argument in arguments:
        option, _, path = argument.rpartition("=")
        if os.path.isabs(path):
            if os.path.commonpath([folder, os.path.abspath(path)]) != folder:
                return [], path
            path = os.path.join(copy, os.path.relpath(path, folder))
        found.append(f"{option}={path}" if option else path)
    return found, ""


def rerun(folder: str, script: str, arguments: Iterable[str], steps: int | None) -> dict | None:
    """Run a script in a folder with `--explain`, and return the report; None if there is none."""
    written = os.path.join(folder, ".minitf-report.json")
    limit = ["--steps", str(steps)] if steps else []
    command = [sys.executable, "-m", "minitf", "--explain", "--json", written, *limit]
    subprocess.run([*command, script, *arguments], cwd=folder, capture_output=True, check=False)
    try:
        return json.loads(Path(written).read_text("utf-8"))
    except (OSError, ValueError):
        return None
