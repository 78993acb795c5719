"""The script that part two inherits, as each lesson finds it, and what it prints and writes when it runs."""

import contextlib
import glob
import io
import os
import sys
from textwrap import indent
from unittest import mock

import minitf as tf
from inherited.repairs import REPAIRS, repaired
from lab.files.edited import EditedFile
from lab.files.logged import logged
from lab.files.recorded import DATA
from lab.files.temporary_folder import temporary_folder
from minitf.stand_in import standing_in

SCRIPT = DATA.parent / "inherited" / "train_digits.py"


def inherited(lesson: int = 7) -> str:
    """Return the script as a lesson finds it: with what the lessons before have repaired."""
    script = SCRIPT.read_text(encoding="utf-8")
    for number, changes in REPAIRS.items():
        for change in changes if number < lesson else []:
            script = repaired(script, change)
    return script


def run_inherited(folder: str = "", script: str | EditedFile = "") -> list[str]:
    """Run the script, or another version of it, in its own graph; return the lines that it prints.

    What it saves goes to `folder`; without one, to a new temporary folder. If it's the reader's file, a
    traceback names that.
    """
    text, name = script, SCRIPT.name
    if isinstance(script, EditedFile):
        text, name = script.text, str(script.path)
        if not text.strip():
            raise ValueError(script.lost("is empty"))
    with tf.Graph().as_default():
        return run_in_this_graph(folder or temporary_folder(), text or inherited(), name)


def run_with_counter(folder: str, lines: str) -> tf.Graph:
    """Run the script as lesson 08 finds it, but with its counter made by these lines; return its graph."""
    counter = "global_step = tf.Variable(0, trainable=False)"
    script = inherited().replace(counter, indent(lines, "    ").lstrip())
    with tf.Graph().as_default() as graph, logged():
        run_in_this_graph(folder, script)
    return graph


def killed_at(batch: int, script: str) -> str:
    """Return the script with an error in a pass through its loop, which ends it as a kill would."""
    first = "            batch = slice("  # the loop's first line begins like this
    kill = f"            if i == {batch}:\n                raise InterruptedError('killed')\n"
    return script.replace(first, kill + first)


def kill_and_restart(script: str, at: int) -> None:
    """Kill the script at a batch, print what it saved, start it again, and print its first line."""
    folder = temporary_folder()
    try:
        run_inherited(folder, killed_at(at, script))
    except InterruptedError as error:
        print(f"batch {at}: {type(error).__name__}: {error}")
    kept = glob.glob("*.index", root_dir=folder)
    print("checkpoints:", sorted(name.removesuffix(".index") for name in kept))
    print("next run:", run_inherited(folder, script)[0])


def without_lines(script: str, *words: str) -> str:
    """Return the script without the lines in which one of these words is."""
    lines = script.splitlines(keepends=True)
    return "".join(line for line in lines if not any(word in line for word in words))


def with_histograms(script: str) -> str:
    """Return the script with two lines by a colleague, which make a histogram in each pass of its loop."""
    curve = "            writer.add_summary(curve, i)\n"
    hill = '            hill = tf.summary.histogram("logits", logits)\n'
    return script.replace(
        curve, curve + hill + curve.replace("curve, i", "sess.run(hill, feed), i")
    )


def run_in_this_graph(
    folder: str, script: str, name: str = SCRIPT.name, **parts: object
) -> list[str]:
    """Run a version of the script, and the parts it lacks, in the default graph; return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        execute(script, name, folder, **parts)
    return printed.getvalue().splitlines()


def execute(script: str, name: str, folder: str, **parts: object) -> None:
    """Run a script as `python script.py FOLDER` does, in the default graph."""
    named = {"__name__": "__main__", "__file__": str(SCRIPT), **parts}
    try:
        with standing_in(), mock.patch.object(sys, "argv", [name, folder]):
            exec(compile(script, name, "exec"), named)
    finally:
        tf.summary.FileWriterCache.clear()  # closes what hooks wrote


def curve(folder: str, tag: str = "test_accuracy") -> list[tuple[int, float]]:
    """Return the points (step, value) under a tag in the folder's event files, oldest file first."""
    return [(step, value.simple_value) for step, value in written(folder) if value.tag == tag]


def written(folder: str) -> list[tuple[int, tf.Summary.Value]]:
    """Return all that the folder's event files hold, with its steps, oldest file first."""
    files = sorted(glob.glob(f"{folder}/events*"), key=os.path.getmtime)
    events = [event for file in files for event in tf.train.summary_iterator(file)]
    return [(event.step, value) for event in events for value in event.summary.value]
