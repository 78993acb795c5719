"""Step through a run: its program with the line that runs now, and its graph with the values so far."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import dropwhile
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

import minitf as tf
from lab.explore import explore
from lab.graphs import FONT, GREY, HIGH, INK, MARGIN, ORANGE, WIDE, Graph, draw_boxes, paper
from minitf.client.program import Program, Statement
from minitf.client.watchers import SessionRun, Watcher, watching

COLUMNS = 53  # of the program; a longer line is broken
LONGEST = 20  # characters of a value
LIT = ORANGE, "bold"
ROW = 1.25 * HIGH  # points from one line of the program to the next


class Step(NamedTuple):
    """What there is after a line of a run, or before its first line (then `line` is -1)."""

    run: int
    line: int
    values: Sequence[
        str
    ]  # of what is fed, then of each line of the program; "" if it has yet to run
    held: Mapping[str, str]  # the value of each variable


class Recorder(Watcher):
    """Repeats each run line by line, on a copy of what the session held before it."""

    def __init__(self):
        self.steps: list[Step] = []

    def before_run(self, run: SessionRun) -> None:
        """Copy what the session holds."""
        self.state = deepcopy(run.state)

    def after_run(self, run: SessionRun) -> None:
        """Repeat the run, now that it's known to work."""
        self.program, fed = run.program, len(run.fed)
        number = self.steps[-1].run + 1 if self.steps else 1
        values = [short(value) for value in run.fed] + [""] * len(self.program.statements)
        if number == 1:
            self.steps.append(Step(1, -1, tuple(values), self._held()))
        trace = self.program.trace(self.state, dict(zip(self.program.feeds, run.fed, strict=True)))
        for line, (_, _, value) in enumerate(trace):
            values[fed + line] = short(value)
            self.steps.append(Step(number, line, tuple(values), self._held()))

    def _held(self) -> dict[str, str]:
        used = re.findall(r'state\["(.*?)"\]', self.program.source)
        return {name: short(value) for name, value in self.state.items() if name in used}


def step_through(
    fetches: Any,
    feed_dict: Mapping | None = None,
    session: tf.Session | None = None,
    runs: int = 1,
) -> None:
    """Show a slider that moves line by line through runs of `fetches`.

    They start from what `session` holds, or from the initial values, and leave it as it is.
    """
    trial, recorder = tf.Session(graph=session.graph if session else None), Recorder()
    if session:
        trial.state = deepcopy(session.state)
    else:
        trial.run([variable.initializer for variable in tf.global_variables()])
    with watching(recorder):
        for _ in range(runs):
            trial.run(fetches, feed_dict)
    program, steps = recorder.program, recorder.steps
    fed, graph, words = len(program.parameters), graph_of_program(program), in_words(program, steps)
    widest = [max(values, key=len) for values in zip(*(step.values for step in steps), strict=True)]
    layout = graph._replace(details=widest).laid_out()
    columns = [rows(program, step) for step in steps]
    left = 3 * MARGIN + WIDE * max(len(text) for column in columns for text, _, _ in column)
    height = max(ROW * len(columns[-1]), layout.height) + 2 * MARGIN

    def draw(step: int = 0) -> None:
        ax, now = paper(left + layout.width + MARGIN, height), steps[step]
        ax.figure.words = words
        for number, (text, ink, weight) in enumerate(columns[step]):
            indent = len(text) - len(text.lstrip())  # in an SVG, spaces at the start are lost
            at = MARGIN + indent * WIDE, MARGIN + number * ROW
            ax.text(*at, text.lstrip(), va="top", color=ink, weight=weight, **FONT)
        looks = {i: "blue" for i, value in enumerate(now.values) if value}
        looks |= {fed + now.line: "orange"} if step else {}
        draw_boxes(ax, graph._replace(details=now.values, looks=looks), layout, left, MARGIN)

    explore(step=(0, len(steps) - 1))(draw)


def rows(program: Program, step: Step) -> list[tuple[str, str, str]]:
    """Return the lines beside the graph: the text, its colour and its weight."""
    texts = [(f"Run {step.run}", INK, "bold"), (program.main.head, INK, "normal")]
    for line, statement in enumerate(program.statements):
        look = (INK if line < step.line else GREY, "normal") if line != step.line else LIT
        parts = wrap(statement.text, COLUMNS - 4, subsequent_indent=8 * " ")
        texts += [(f"    {part}", *look) for part in parts]
    texts += [("", INK, "normal"), ("The session holds", INK, "bold")]
    changed = program.statements[step.line].changes if step.line >= 0 else ""
    for name, value in step.held.items():
        look = LIT if changed == f'state["{name}"]' else (INK, "normal")
        texts.append((f"    {name} = {value}", *look))
    return texts


def in_words(program: Program, steps: Sequence[Step]) -> str:
    """Return the whole run, with a line for each of the program's."""
    first, last = (", ".join(map(" = ".join, step.held.items())) for step in (steps[0], steps[-1]))
    width = max((len(statement.text) for statement in program.statements), default=0)
    lines = [f"before: {first or 'no variables'}"]
    for step in steps[1:]:
        value = step.values[len(program.parameters) + step.line]
        lines.append(f"{program.statements[step.line].text:{width}}  gives {value}")
    return "\n".join([*lines, f"after: {last or 'no variables'}"])


def graph_of_program(program: Program) -> Graph:
    """Return the graph of what is fed, and of the program's lines.

    An arrow is a value that one line computes, or stores in a variable, and another line reads. A dashed
    arrow leads to a line that has to wait for another.
    """
    titles, arrows = [name for _, name in program.parameters], {}
    latest = {name: i for i, name in enumerate(titles)}  # the box that each value comes from
    first, last = {}, {}  # the boxes of each op
    for i, statement in enumerate(program.statements, len(titles)):
        titles.append(title(statement))
        reads = re.findall(r'state\["[^"]*"\]|\w+', statement.text)
        places = [read for read in reads if read.startswith("state[")]
        if "state" in reads:  # a branch or a loop may read any variable
            reads += [place for place in latest if place.startswith("state[")]
        arrows |= {(latest[read], i): False for read in reads if read in latest}
        places = [statement.changes] if statement.changes else places
        latest |= dict.fromkeys([*statement.names, *places], i)
        # No-ops at the end wait for the whole run, not only for what this line needs.
        ops = dropwhile(lambda op: op.type == "NoOp", reversed(statement.ops))
        these = dict.fromkeys(ops, i)
        first, last = these | first, last | these
    for op, i in first.items():
        for before in op.control_inputs:
            if last.get(before, i) < i:
                arrows.setdefault((last[before], i), True)
    return Graph(titles, [""] * len(titles), arrows)


def title(statement: Statement) -> str:
    """Return what a line is about: the name that it assigns, or the variable that it updates."""
    if statement.names:
        return statement.names[0]
    update = re.match(r'state\["(.*?)"\] (\S+)', statement.text)
    return " ".join(update.groups()) if update else statement.ops[-1].name


def short(value: Any) -> str:
    """Return a value in a few characters: a number to four digits, an array's shape and first item."""
    array = np.asarray(value[0] if isinstance(value, tuple) else value)
    if array.ndim == 0:
        text = number(array[()])
    elif array.ndim == 1 and array.size <= 3:
        text = f"[{', '.join(map(number, array))}]"
    else:
        text = f"{array.shape}: {number(array.flat[0])}, ..." if array.size else str(array.shape)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def number(value: Any) -> str:
    """Return a number to four digits, and anything else as it is."""
    return f"{value:.4g}" if isinstance(value, np.inexact) else str(value)
