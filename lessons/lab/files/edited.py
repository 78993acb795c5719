"""A file that the reader edits: a copy of an inherited script, in the folder `yours` beside the lessons.

An exercise cell makes the copy once, and shows a link that opens it in JupyterLab's editor:

    script = lab.yours("fit_wave.py", lab.inheritance(1))
    script

`script.text` is what the file holds now, as saved, and `script.inherited` the text it was copied
from. Run again, the cell leaves the file as it is; if the reader deletes the file, the cell brings it
back as it was inherited. To take the file or a text (as the tests' answers are), decorate a check
twice:

    @shows_changes
    @judge
    def check_inheritance(number: int, script: str) -> Iterator: ...

It judges the text, and its verdict ends with the lines that the reader has changed. In the lesson, the
folded solution is a block of ```diff instead of ```python: changed lines with + or -, enough lines with
a space to find the place, and "..." between two changes (see tests/lessons/answers/__init__.py).
"""

import difflib
import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from IPython.display import Markdown, display

from lab.checks.verdict import Verdict
from lab.files.recorded import DATA
from lab.files.temporary_folder import temporary_folder

YOURS = "yours"
UNSAVED = (
    "The file is as you found it. If you've edited it, save it first (Ctrl+S, or Cmd+S on a Mac)."
)
UNREADABLE = (
    "`{}` can't be read. Delete it if it's still there, and run the exercise cell again: "
    "you'll have the script back as you found it."
)


@dataclass(frozen=True, repr=False)
class EditedFile:
    """A file of the reader's, and the text that it was copied from."""

    path: Path
    inherited: str

    @property
    def text(self) -> str:
        """What the file holds now."""
        return self.path.read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"{YOURS}/{self.path.name}"

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        said = f'Open <a href="{YOURS}/{self.path.name}">{self!r}</a>, edit it, and save it.'
        if self.path.parent != _folder():  # the lessons' folder is read-only
            said = f"Edit and save this file: {escape(str(self.path))}"
        return {"text/html": said, "text/plain": repr(self)}


def yours(name: str, inherited: str) -> EditedFile:
    """Return the reader's file of this name; if there's none yet, copy the inherited text to it."""
    try:
        return _in(_folder(), name, inherited)
    except OSError:  # read-only
        return _in(_elsewhere(), name, inherited)


def _in(folder: Path, name: str, inherited: str) -> EditedFile:
    file = EditedFile(folder / name, inherited)
    if not file.path.exists():
        folder.mkdir(exist_ok=True)
        file.path.write_text(inherited, encoding="utf-8")
    return file


def _folder() -> Path:
    """Return the folder for the reader's files; tests name another one, and leave the reader's alone."""
    return Path(os.environ.get("LESSONS_YOURS") or DATA.parent / YOURS)


@functools.cache
def _elsewhere() -> Path:
    return Path(temporary_folder())


def changes(before: str, after: str) -> str:
    """Return a short unified diff: changed lines only, each group below the number of its first line."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return "\n".join(_numbered(line) for line in list(lines)[2:])


def _numbered(line: str) -> str:
    """Write the place of a change as "@@ line 47": it's that line in the reader's file."""
    if not line.startswith("@@"):
        return line
    start, _, count = line.split()[2][1:].partition(",")
    return f"@@ line {int(start) + (count == '0')}"  # where lines are gone, the next one has their number


@dataclass(frozen=True, repr=False)
class Changed(Verdict):
    """A verdict, and the reader's changes that it is about."""

    verdict: Verdict
    changes: str

    def __repr__(self) -> str:
        return f"{self.verdict!r}\nYour changes:\n{self.changes}"

    def _ipython_display_(self) -> None:
        display(self.verdict)
        display(Markdown(f"Your changes:\n\n~~~diff\n{self.changes}\n~~~"))


def shows_changes(check: Callable[..., Verdict]) -> Callable[..., Verdict]:
    """Decorate a judged check of a script, so that it also takes a file and shows what has changed in it."""

    @functools.wraps(check)
    def judged(*answer: object) -> Verdict:
        files = [part for part in answer if isinstance(part, EditedFile)]
        if not files:
            return check(*answer)
        [file] = files
        try:
            text = file.text
        except (OSError, UnicodeDecodeError):
            return Verdict(False, UNREADABLE.format(file))
        said = check(*(text if part is file else part for part in answer))
        changed = changes(file.inherited, text)
        if not changed:
            return Verdict(said.right, f"{said.message}\n{UNSAVED}")
        return Changed(said.right, said.message, said, changed)

    return judged
