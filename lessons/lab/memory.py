"""What sessions hold: one Variable stands in the graph, and its value in each session's memory."""

from __future__ import annotations

from contextlib import suppress
from html import escape

import ipywidgets as widgets
import numpy as np

import minitf as tf
from lab.explorer import Explorer, slider
from lab.scene import Arrow, Box, Scene, Text

MOST = 9  # runs


class Memory:
    """The entries of a session's memory, as they are now: a row for each Variable."""

    def __init__(self, entries: dict[str, str]):
        """Keep `entries`: the text of each value under the Variable's name."""
        self.entries = entries

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.entries.items()) or "no entries"

    def _repr_html_(self) -> str:
        if not self.entries:
            return "<p>no entries</p>"
        cell = '<td style="text-align: left"><code>{}</code></td>'.format
        rows = "".join(
            f"<tr>{cell(escape(name))}{cell(escape(value))}</tr>"
            for name, value in self.entries.items()
        )
        head = '<th style="text-align: left">{}</th>'.format
        return f"<table><tr>{head('Variable')}{head('value')}</tr>{rows}</table>"


def memory_of(sess: tf.Session) -> Memory:
    """Return what a session holds now, Variable by Variable, in the order of their names."""
    return Memory({name: _as_text(sess.state[name]) for name in sorted(sess.state)})


def _as_text(value: object) -> str:
    """Show a number with at most four digits, and of a large array only its shape."""
    array = np.asarray(value)
    if array.size > 10:
        return f"{array.size} numbers, shape {array.shape}"
    return np.array2string(array, precision=4, separator=", ", formatter={"float": "{:.4g}".format})


class MemoryExplorer(Explorer):
    """Two sessions of one graph: a slider each for the runs of `add_one`, and B's initializer."""

    note = "Run this cell, and you get sliders that run the op in each session."

    def __init__(self) -> None:
        """Start with two runs in A and five in B."""
        self.runs_in_a = slider("runs in session A", 2, 0, MOST)
        self.runs_in_b = slider("runs in session B", 5, 0, MOST)
        self.initialized_in_b = widgets.Checkbox(
            value=True, description="initialized in B", indent=False
        )
        self._graph = tf.Graph()
        with self._graph.as_default():
            step = tf.Variable(0, trainable=False, name="step")
            self._add_one = tf.assign_add(step, 1, name="add_one")
            self._initializer = tf.global_variables_initializer()
        super().__init__([self.runs_in_a, self.runs_in_b, self.initialized_in_b])

    def picture(self) -> Scene:
        """Return the graph, and beside it the two sessions after their runs."""
        runs = {"A": self.runs_in_a.value, "B": self.runs_in_b.value}
        held = {
            "A": self._held(runs["A"], initialized=True),
            "B": self._held(runs["B"], initialized=self.initialized_in_b.value),
        }
        shapes, sentences = _graph_shapes(), ["There is one graph, with one Variable step."]
        for name, top in (("A", 34), ("B", 178)):
            shapes += _session_shapes(name, top, runs[name], held[name])
            sentences.append(_in_words(name, runs[name], held[name]))
        return Scene(640, 312, shapes, "\n".join(sentences))

    def _held(self, runs: int, initialized: bool) -> str | None:
        """Return what a new session holds for `step` after some runs; None if it has no entry."""
        with tf.Session(graph=self._graph) as sess:
            if initialized:
                sess.run(self._initializer)
            for _ in range(runs):
                with suppress(tf.errors.FailedPreconditionError):  # no entry to add to
                    sess.run(self._add_one)
            return memory_of(sess).entries.get("step")


def _times(runs: int) -> str:
    return "1 run" if runs == 1 else f"{runs} runs"


def _in_words(session: str, runs: int, held: str | None) -> str:
    if held is not None:
        return f"Session {session} holds step: {held} after {_times(runs)} of add_one."
    missing = f"Session {session} has no entry for step"
    return f"{missing}. {_times(runs)} of add_one: {_failure(runs)}."


def _failure(runs: int) -> str:
    return "no error yet" if runs == 0 else "an error" if runs == 1 else "an error each time"


def _graph_shapes() -> list[Box | Text | Arrow]:
    """Return the Python names on the left and the graph that they lead into."""
    return [
        Text(12, 20, "Python names", bold=True),
        Box(12, 75, 104, 34),
        Text(64, 97, "step", anchor="middle", mono=True),
        Box(12, 219, 104, 34),
        Text(64, 241, "add_one", anchor="middle", mono=True),
        Text(172, 20, "the graph", bold=True),
        Box(172, 34, 196, 268),
        Arrow([(116, 92), (191, 92)]),
        Arrow([(116, 236), (191, 236)]),
        Box(192, 67, 156, 50),
        Text(270, 88, "step", anchor="middle", mono=True, bold=True),
        Text(270, 107, "a Variable, no number", size=12, anchor="middle"),
        Box(192, 211, 156, 50),
        Text(270, 232, "add_one", anchor="middle", mono=True, bold=True),
        Text(270, 251, "an op: assign_add", size=12, anchor="middle"),
        Arrow([(270, 211), (270, 118)]),
        Text(278, 168, "adds 1 to", size=12),
        Text(428, 20, "the sessions' memory", bold=True),
    ]


def _session_shapes(session: str, top: float, runs: int, held: str | None) -> list:
    """Return one session: its memory, and what was run in it."""
    shapes = [
        Box(428, top, 202, 124),
        Text(442, top + 22, f"session {session}"),
        Text(442, top + 108, f"{_times(runs)} of add_one", size=12),
        Box(452, top + 36, 156, 44, "quiet" if held is None else "done"),
    ]
    if held is None:
        if runs:
            shapes[2] = Text(442, top + 108, f"{_times(runs)}: {_failure(runs)}", size=12)
        shapes.append(Text(530, top + 63, "no entry for step", anchor="middle", kind="quiet"))
        return shapes
    return [
        *shapes,
        Text(530, top + 64, f"step: {held}", size=17, anchor="middle", mono=True, bold=True),
        Arrow([(348, 92), (400, 92), (400, top + 58), (451, top + 58)], dashed=True),
    ]
