"""What lesson 15 tells you about a case when you have solved it, and not before."""

import re
from dataclasses import dataclass

from IPython.display import Markdown, display

from lab.checks.verdict import Verdict
from lab.files.recorded import DATA

ABOUT = DATA.parent / "clinic" / "solved.md"


@dataclass(frozen=True, repr=False)
class Solved(Verdict):
    """A right answer, with what it was about: text with links."""

    about: str

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n{self.about}"

    def _ipython_display_(self) -> None:
        display(Verdict(self.right, self.message))
        display(Markdown(self.about))


def solved(case: str) -> Solved:
    """Return the verdict on a right answer: what solved.md says about this case."""
    _, text = re.split(rf"^## {case}\n", ABOUT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    message, _, about = text.partition("\n## ")[0].strip().partition("\n\n")
    return Solved(True, message, about)
