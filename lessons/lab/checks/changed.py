"""A check of a script takes the reader's file, and its verdict ends with what they've changed in it."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

from IPython.display import Markdown, display

from lab.checks.verdict import Verdict
from lab.files.edited import EditedFile, changes

UNSAVED = (
    "The file is as you found it. If you've edited it, save it first (Ctrl+S, or Cmd+S on a Mac)."
)


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
            return Verdict(False, file.lost("can't be read"))
        if not text.strip():
            return Verdict(False, file.lost("is empty"))
        said = check(*(text if part is file else part for part in answer))
        changed = changes(file.inherited, text)
        if not changed:
            return Verdict(said.right, f"{said.message}\n{UNSAVED}")
        return Changed(said.right, said.message, said, changed)

    return judged
