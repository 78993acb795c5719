"""Finds the scripts and notebooks in folders, without those that were only installed there."""

import os
from collections.abc import Iterator
from pathlib import Path

_SKIPPED = {"__pycache__", "site-packages", "node_modules"}


def scripts(paths: list[Path]) -> Iterator[Path]:
    """Yield each file that is named or is in one of the folders, once."""
    seen = set()
    for path in paths:
        for file in _inside(path) if path.is_dir() else [path]:
            if file not in seen:
                seen.add(file)
                yield file


def _inside(folder: Path) -> Iterator[Path]:
    """Yield a folder's scripts and notebooks, sorted; not those of Git and of environments."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_own(os.path.join(place, name)))
        files = (os.path.join(place, name) for name in sorted(names))
        yield from (Path(f) for f in files if f.endswith((".py", ".ipynb")) and os.path.isfile(f))


def _is_own(folder: str) -> bool:
    name = os.path.basename(folder)
    is_environment = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
    return not (name in _SKIPPED or name.startswith(".") or is_environment)


def unreadable(files: list[tuple[Path, str]]) -> list[str]:
    """Return lines that say which files couldn't be read, and why."""
    if not files:
        return []
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    return [f"{count} couldn't be read:", *(f"  {shown(path)}: {why}" for path, why in files)]


def shown(path: Path) -> str:
    """Return a path as the reader would write it, from the current folder if it's in there."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute) if _same_drive(absolute) else absolute
    return absolute if relative.startswith(os.pardir) else relative


def _same_drive(path: str) -> bool:
    return os.path.splitdrive(path)[0] == os.path.splitdrive(os.getcwd())[0]
