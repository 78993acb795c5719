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
SITE = BUILD / "html"


def main() -> int:
    """Copy the course to where Sphinx reads it, let Sphinx build the pages, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m website")
    parser.add_argument("folder", nargs="?", type=Path, default=SITE, help="where the pages go")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if folder != SITE and folder.exists() and any(folder.iterdir()) and not (folder / ".buildinfo").exists():
        parser.error(f"{folder} holds other files; name an empty folder, or a site that may be replaced")
    if BUILD.exists():
        shutil.rmtree(BUILD)
    course, doctrees = str(BUILD / "course"), str(BUILD / "doctrees")
    stage(BUILD / "course")
    # Every warning is an error: a link that leads nowhere doesn't get published.
    arguments = ["-c", str(ROOT / "website"), "-d", doctrees, "-W", "--keep-going", "-q", "-j", "auto"]
    failed = build_main([*arguments, course, str(SITE)])
    if not failed:
        if folder != SITE:  # an existing site is replaced only by a complete one
            if folder.exists():
                shutil.rmtree(folder)
            shutil.copytree(SITE, folder)
        print(f"Open {folder / 'index.html'} in a browser, or serve its folder.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
