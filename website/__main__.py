"""`python -m website`: run the lessons, and build the site into website/_build/html."""

from __future__ import annotations

import shutil
import sys

from sphinx.cmd.build import build_main

from website import ROOT
from website.stage import stage

BUILD = ROOT / "website" / "_build"


def main() -> int:
    """Copy the course to where Sphinx reads it, let Sphinx build the pages, and say where they are."""
    if BUILD.exists():
        shutil.rmtree(BUILD)
    stage(BUILD / "course")
    # Every warning is an error: a link that leads nowhere doesn't get published.
    options = ["-c", str(ROOT / "website"), "-d", str(BUILD / "doctrees"), "-W", "--keep-going", "-q", "-j", "auto"]
    failed = build_main([*options, str(BUILD / "course"), str(BUILD / "html")])
    if not failed:
        print(f"Open {BUILD / 'html' / 'index.html'} in a browser, or serve its folder.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
