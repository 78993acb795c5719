"""`python -m website [folder]`: build the site into `folder`, or into website/_build/html."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from website import ROOT
from website.stage import stage

BUILD = ROOT / "website" / "_build"


def main() -> int:
    """Copy the course to where Sphinx reads it, let Sphinx build the pages, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m website")
    parser.add_argument("folder", nargs="?", type=Path, default=BUILD / "html", help="where the pages go")
    options = parser.parse_args()
    if options.folder.exists() and any(options.folder.iterdir()) and not (options.folder / ".buildinfo").exists():
        parser.error(f"{options.folder} holds other files; name an empty folder, or a site that may be replaced")
    for folder in (BUILD / "course", BUILD / "doctrees", options.folder):
        shutil.rmtree(folder, ignore_errors=True)
    course, doctrees = str(BUILD / "course"), str(BUILD / "doctrees")
    stage(BUILD / "course")
    # Every warning is an error: a link that leads nowhere doesn't get published.
    arguments = ["-c", str(ROOT / "website"), "-d", doctrees, "-W", "--keep-going", "-q"]
    failed = build_main([*arguments, course, str(options.folder)])
    if not failed:
        print(f"Open {options.folder / 'index.html'} in a browser, or serve its folder.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
