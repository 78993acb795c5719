"""The three scripts that lesson 15 hands down, and what a version of one does, run after run."""

import functools
import glob
import itertools
import os
import re
import sys
import tempfile
import traceback
from dataclasses import dataclass
from unittest import mock

import numpy as np

import minitf as tf
from lab.experiments.inherited import curve
from lab.experiments.watched_program import Run, Seen, counter, watch
from lab.files.recorded import DATA
from minitf.stand_in import standing_in

FOLDER = DATA.parent / "inheritance"
SCRIPTS = {1: "fit_wave.py", 2: "warm_up.py", 3: "fit_plane.py"}


@dataclass(frozen=True)
class Launch:
    """One launch of a script: what was seen of it, and what its folder has after it."""

    seen: Seen
    weight: str  # the one that each batch changes first
    inside: dict[str, int]  # by the checkpoint's name, its step; -1 if it has none
    points: list[tuple[int, float]]

    def batches(self, weight: str) -> list[Run]:
        """Return the runs that are fed, and change a weight."""
        return [run for run in self.seen.runs if run.fits(weight)]

    @functools.cached_property
    def states(self) -> list[dict[str, np.ndarray]]:
        """What the Variables hold before each batch, and in the end."""
        return [*(run.before for run in self.batches(self.weight)), self.seen.runs[-1].after]

    @functools.cached_property
    def held(self) -> list[int]:
        """What the counter holds at these times."""
        return [self.step(state) for state in self.states]

    def step(self, state: dict[str, np.ndarray]) -> int:
        """Return what the counter holds in a state; -1 for nothing."""
        return int(state.get(counter(self.seen), -1))


def inheritance(number: int = 1) -> str:
    """Return the text of an inherited script: 1, 2 or 3."""
    return (FOLDER / SCRIPTS[number]).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=8)
def launches(script: str, parts: tuple[str], tag: str, kills: tuple[int, ...]) -> list[Launch]:
    """Launch a script again and again in one folder, once for each number in `kills`.

    A launch is killed after this many changes of the first part; with 0, it comes to its end.
    """
    done = []
    with tempfile.TemporaryDirectory() as folder:
        for times in kills:
            moves = map(times.__eq__, itertools.count(1))
            seen = watch(_run, script, folder, kill=lambda r, n=moves: r.fits(parts[0]) and next(n))
            names = sorted(glob.glob(f"{folder}/**/*.index", recursive=True), key=os.path.getmtime)
            inside = {os.path.basename(name)[:-6]: _step_inside(name[:-6], seen) for name in names}
            begins = (part for run in seen.runs for part in parts if run.fits(part))
            done.append(Launch(seen, next(begins, parts[0]), inside, curve(folder, tag)))
    return done


def where(error: BaseException) -> int:
    """Return the number of the script's line where an error came up; 0 if there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == _NAME]
    return lines[-1] if lines else getattr(error, "lineno", 0)


_NAME = "<your script>"


def _run(script: str, folder: str) -> None:
    """Run a script as `python script.py FOLDER` does."""
    named = {"__name__": "__main__", "__file__": str(FOLDER / "script.py")}
    try:
        with standing_in(), mock.patch.object(sys, "argv", ["script.py", folder]):
            exec(compile(script, _NAME, "exec"), named)
    finally:
        tf.summary.FileWriterCache.clear()  # closes what hooks wrote


def _step_inside(path: str, seen: Seen) -> int:
    name = counter(seen) if seen.runs else ""
    held = name in dict(tf.train.list_variables(path))
    return int(tf.train.load_variable(path, name)) if held else -1


def said(seen: Seen, tested: str) -> dict[int, tuple[float, float]]:
    """Return what the log gives for each step: the rate, and what was `tested`."""
    number = r"(\d[\d.e-]*)(?<!\.)"
    pattern = rf"step +(\d+).*?rate +{number}.*?{tested} +{number}"
    found = (re.search(pattern, line) for line in seen.printed)
    return {int(line[1]): (float(line[2]), float(line[3])) for line in found if line}
