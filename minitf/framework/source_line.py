"""Which line of the user's own code made an op: what an error message has to point at."""

from __future__ import annotations

import linecache
import os
import sys
from typing import NamedTuple

_MINITF = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class SourceLine(NamedTuple):
    """A place in a file."""

    filename: str
    lineno: int

    def __str__(self) -> str:
        text = linecache.getline(self.filename, self.lineno).strip()
        place = f"{self._shown_file()}:{self.lineno}"
        return f"{place}: {text}" if text else place

    def _shown_file(self) -> str:
        """The file's name; in a notebook, the cell's number."""
        notebook = getattr(sys.modules.get("__main__"), "get_ipython", None)
        shell = notebook() if notebook else None
        cells = getattr(getattr(shell, "compile", None), "_filename_map", {})
        if self.filename in cells:
            return f"cell In[{cells[self.filename]}]"
        return os.path.basename(self.filename)


def user_line() -> SourceLine:
    """The innermost line on the stack that is not minitf's own."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_code.co_filename.startswith(_MINITF):
        frame = frame.f_back
    return SourceLine(frame.f_code.co_filename, frame.f_lineno)
