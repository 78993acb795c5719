"""Copy the course to where Sphinx reads it, with what a page without Python needs.

The copy has the same files in the same folders, so links stay what they are; first_page.py, pages.py and notebooks.py
say what differs. The kit becomes a script and a style that every page loads, and the course itself an archive to
download.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import nbformat

from lab.page.view import kit, style
from website import LESSONS, ROOT
from website.first_page import first_page
from website.names import index
from website.notebooks import COURSE, Page
from website.pages import LIFTED, lifted
from website.terms import glossary

PREVIEW = LESSONS / "pictures" / "preview.png"  # what a shared link shows
LEFT_OUT = ["__pycache__", "_build", ".*", "yours"]
FILES = ["*.md", "LICENSE", "*.py", "*.toml", "*.txt"]
FOLDERS = ["benchmarks", "lessons", "minitf", "tests", "tools", "website"]


def stage(folder: Path) -> None:
    """Fill `folder` with the course as Sphinx reads it."""
    for name in ("lessons", "minitf"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.ipynb", "lab", *LEFT_OUT))
    for name in ("CONTRIBUTING.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    inside = folder / "minitf" / "README.md"
    inside.write_text(inside.read_text(encoding="utf-8").replace("(../README.md)", "(../index.md)"), encoding="utf-8")
    pictures = folder / "extra" / "photographs"  # views as they were stored, for paper and for browsers without scripts
    pictures.mkdir(parents=True)
    for path in sorted(LESSONS.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        Page(path.stem, readme, pictures).change(notebook)
        nbformat.write(notebook, folder / "lessons" / path.name)
    (folder / "index.md").write_text(first_page(folder / "lessons"), encoding="utf-8")
    for name, title in LIFTED.items():
        (folder / f"{name}.md").write_text(lifted(readme, title), encoding="utf-8")
    (folder / "minitf" / "names.md").write_text(index(), encoding="utf-8")
    add_scripts(folder / "static")
    pack(folder / "extra")


def add_scripts(folder: Path) -> None:
    """Write the kit and the glossary as a page loads them."""
    folder.mkdir()
    # A classic script, because a browser loads no module from disk.
    script = f'"use strict";\n(() => {{\n{kit()}\nwindow.drawView = modules.view.mount;\n}})();\n'
    (folder / "kit.js").write_text(script, encoding="utf-8")
    (folder / "kit.css").write_text(style(), encoding="utf-8")
    if PREVIEW.exists():
        shutil.copy(PREVIEW, folder)
    (folder / "terms.js").write_text(f"window.courseTerms = {json.dumps(glossary())};\n", encoding="utf-8")


def pack(folder: Path) -> None:
    """Write the archive that a learner downloads."""
    with tempfile.TemporaryDirectory() as home:
        copy = Path(home) / COURSE
        copy.mkdir()
        for name in FOLDERS:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
            shutil.copy(path, copy)
        shutil.make_archive(str(folder / COURSE), "zip", home, COURSE)
