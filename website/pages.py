"""Sections of README.md that are separate pages on the site."""

from __future__ import annotations

import re

from website.notebooks import COURSE

# Each page, by its name, and the section that it shows.
LIFTED = {"install": "Install and run", "your_own_script": "Your own script", "what_minitf_shows": "What minitf shows"}

# A reader of the site has no repository to clone, but can download the course.
INSTEAD = {
    r"\bgit and (?=Python)": "",
    r"\bClone this\s+repository\b": f'<a href="{COURSE}.zip" download>Download the course</a>, unpack it',
    r"(?<=nce )you've installed the course as above\b": "you've [installed the course](install.md)",
}


def lifted(readme: str, title: str) -> str:
    """Return a section of README.md as a page."""
    found = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", readme, flags=re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        raise ValueError(f"README.md has {len(found)} sections {title!r}, not one")
    text = re.sub(r"^##(#+ )", r"\1", found[0], flags=re.MULTILINE)
    for part, instead in INSTEAD.items():
        text = re.sub(part, instead, text)
    return f"# {title}\n{text}"
