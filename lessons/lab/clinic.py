"""The ten programs of lesson 15, as they come and repaired: their texts, and what happens when they run."""

from __future__ import annotations

import ast
import functools
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import minitf as tf
from lab.quiz import Quiz, read
from lab.watched_program import Seen, watch

LESSONS = Path(__file__).resolve().parents[1]
BROKEN, REPAIRED = "broken", "repaired"
SAVED_AS = 1000  # the number in the name of case 8's checkpoint


@dataclass(frozen=True)
class Program:
    """The text of a program, and the function itself."""

    text: str
    function: Callable


@functools.cache
def programs(kind: str) -> dict[int, Program]:
    """Return the ten programs by number, as they come (BROKEN) or REPAIRED."""
    source = (LESSONS / "clinic" / f"{kind}.py").read_text(encoding="utf-8")
    names: dict = {}
    exec(compile(source, f"{kind}.py", "exec"), names)
    return {
        int(part.name.removeprefix("case_")): Program(
            ast.get_source_segment(source, part), names[part.name]
        )
        for part in ast.parse(source).body
        if isinstance(part, ast.FunctionDef)
    }


@functools.cache
def seen(number: int, kind: str) -> Seen:
    """Run a program, case 8 with its checkpoint, and return what was seen."""
    program = programs(kind)[number].function
    if number != 8:
        return watch(program)
    with tempfile.TemporaryDirectory() as folder:
        return watch(program, checkpoint(folder, 5)[0])


def checkpoint(folder: str, runs: int) -> tuple[str, dict[str, float]]:
    """Train so many steps, save all under the name model-1000; return the path and what is in it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step, w = tf.train.create_global_step(), tf.Variable(5.0, name="w")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(runs):
            sess.run(train_op)
        path = tf.train.Saver().save(sess, f"{folder}/model", global_step=SAVED_AS)
        return path, {"w": float(sess.run(w)), "global_step": int(sess.run(step))}


def symptoms(kind: str = BROKEN) -> dict[int, list[str]]:
    """Return what each program says when it runs: printed lines, log lines, the error at the end."""
    return {number: seen(number, kind).lines for number in programs(kind)}


def diagnose(number: int) -> Quiz:
    """Ask what is wrong in a case."""
    file = LESSONS / "quizzes" / "15_bug_clinic" / "diagnoses.md"
    questions = read(file.read_text(encoding="utf-8"))
    return Quiz([questions[number - 1]], first=number)
