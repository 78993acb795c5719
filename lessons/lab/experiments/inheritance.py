"""The three scripts that lesson 15 hands down, and what a version of one does, run after run."""

import functools
import glob
import itertools
import os
import re
import tempfile
from dataclasses import dataclass

import minitf as tf
from lab.experiments.inherited import curve, execute
from lab.experiments.watched_program import Run, Seen, State, watch
from lab.files.recorded import DATA

FOLDER = DATA.parent / "inheritance"
SCRIPTS = {1: "fit_wave.py", 2: "warm_up.py", 3: "fit_plane.py"}
YOURS = "<your script>"


@dataclass(frozen=True)
class Launch:
    """One launch of a script: what was seen of it, and what its folder has after it."""

    seen: Seen
    weight: str  # the one that each batch changes first
    inside: dict[str, int]  # by the checkpoint's name, its step; -1 if it has none
    points: dict[int, float]  # the curve, by step

    def batches(self, weight: str) -> list[Run]:
        """Return the runs that are fed, and change a weight."""
        return [run for run in self.seen.runs if run.fits(weight)]

    @functools.cached_property
    def states(self) -> list[State]:
        """What the Variables hold before each batch, and in the end."""
        return [*(run.before for run in self.batches(self.weight)), self.seen.runs[-1].after]

    @functools.cached_property
    def held(self) -> list[int]:
        """What the counter holds at these times."""
        return [self.seen.step(state) for state in self.states]

    @property
    def log(self) -> dict[int, tuple[float, float]]:
        """What the log gives for each step: the rate, and the error or accuracy."""
        number = r"(\d[\d.e-]*)(?<!\.)"
        pattern = rf"step +(\d+).*?rate +{number}.*?(?:error|accuracy) +{number}"
        found = (re.search(pattern, line) for line in self.seen.printed)
        return {int(line[1]): (float(line[2]), float(line[3])) for line in found if line}


def inheritance(number: int = 1) -> str:
    """Return the text of an inherited script: 1, 2 or 3."""
    return (FOLDER / SCRIPTS[number]).read_text(encoding="utf-8")


def launches(script: str, parts: list[str], tag: str, kills: tuple[int, ...]) -> list[Launch]:
    """Launch a script again and again in one folder, once for each number in `kills`.

    A launch is killed after this many changes of the first part; with 0, it comes to its end.
    """
    done = []
    with tempfile.TemporaryDirectory() as folder:
        for times in kills:
            moves = map(times.__eq__, itertools.count(1))
            kill = lambda run, moves=moves: run.fits(parts[0]) and next(moves)  # noqa: E731
            seen = watch(execute, script, YOURS, folder, kill=kill)
            names = sorted(glob.glob(f"{folder}/**/*.index", recursive=True), key=os.path.getmtime)
            inside = {os.path.basename(name)[:-6]: _step_inside(name[:-6], seen) for name in names}
            begins = (part for run in seen.runs for part in parts if run.fits(part))
            done.append(Launch(seen, next(begins, parts[0]), inside, dict(curve(folder, tag))))
    return done


def _step_inside(path: str, seen: Seen) -> int:
    held = seen.runs and seen.counter in dict(tf.train.list_variables(path))
    return int(tf.train.load_variable(path, seen.counter)) if held else -1
