"""The course as a web site: `python -m website` builds it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ROOT / "lessons"


def slug(heading: str) -> str:
    """Return a heading's name in links, as in JupyterLab."""
    return heading.strip().replace(" ", "-")
