"""A file that the reader edits: a copy of an inherited script, in the folder `yours` beside the lessons.

An exercise cell makes the copy once, and shows a link that opens it in JupyterLab's editor:

    script = lab.yours("fit_wave.py", lab.inheritance(1))
    script

`lab.run_inherited(folder, script)` runs it, `script.text` is what the file holds now, as saved, and
`script.inherited` the text it was copied from. Run again, the cell leaves the file as it is; if the
reader deletes the file, the cell brings it back as it was inherited. To take the file or a text (as
the tests' answers are), decorate a check twice (`shows_changes` is in lab/checks/changed.py):

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
from dataclasses import dataclass
from html import escape
from pathlib import Path

from lab.files.temporary_folder import temporary_folder

YOURS = "yours"


@dataclass(frozen=True, repr=False)
class EditedFile:
    """A file of the reader's, and the text that it was copied from."""

    path: Path
    inherited: str

    @property
    def text(self) -> str:
        """What the file holds now."""
        return self.path.read_text(encoding="utf-8")

    def lost(self, how: str) -> str:
        """Say that it can't be used, and how to get the inherited text back."""
        return (
            f"`{self!r}` {how}. Delete it if it's still there, and run the exercise cell again: "
            "you'll have the script back as you found it."
        )

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
    """Return the folder for the reader's files, beside the notebook; tests name another one."""
    return Path(os.environ.get("LESSONS_YOURS") or YOURS).absolute()


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
