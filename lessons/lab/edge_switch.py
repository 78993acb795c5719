"""The edge switch: put a control edge between a read and an update, and see which value the read gets."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets as widgets

from lab.explorer import WIDE, Explorer, slider
from lab.ordering import waits_for
from lab.read_and_update import COUNTED, Built, build
from lab.recorded import recorded
from lab.run_graph import LABEL, RunGraph, graph_of_ops, numbers_of
from lab.scene import Arrow, Box, Scene, Text

MARGIN, TOP, LINE = 12, 16, 21  # where texts start, how far lines are apart
TABLE, LEFT = TOP + 6 * LINE, 340  # where the table starts, and the graph
COLUMNS = (8, 48, 140, 216)  # of the table
MOST_RUNS = 5


class EdgeSwitch(Explorer):
    """Choose which edge there is, and how many runs to look at."""

    note = "Run this cell, and you get a switch that moves the edge."

    def __init__(self) -> None:
        """Start without an edge, with three runs."""
        self.edge = widgets.Dropdown(options=list(COUNTED), description="control edge", layout=WIDE)
        self.runs = slider("runs", 3, 1, MOST_RUNS)
        self._counted = recorded("race")
        super().__init__([self.edge, self.runs])

    def picture(self) -> Scene:
        """Return the program and its runs on the left, the graph on the right."""
        built = build(self.edge.value)
        runs = built.runs(self.runs.value)
        case = self._counted["cases"][COUNTED[self.edge.value]]
        shapes = [*_program(built), *_runs(runs), *_graph(built)]
        y = TABLE + LINE * (3 + MOST_RUNS)
        counted = f"TensorFlow, counted in {self._counted['runs']} runs"
        numbers = f"old {case['old']}, new {case['new']}"
        shapes += [Text(MARGIN, y, counted, bold=True)]
        shapes += [Text(MARGIN + 8, y + LINE, numbers, LABEL)]
        words = f"{_words(built, runs)}\n{counted}: {numbers}."
        return Scene(LEFT + 240, y + LINE + MARGIN, shapes, words)


def _words(built: Built, runs: list[tuple[int, int]]) -> str:
    values = ", ".join(str(got) for _, got in runs)
    old = all(held == got for held, got in runs)
    sees = f"minitf gives {values}: the {'old' if old else 'new'} value in each run."
    if waits_for(built.read, built.update):
        return f"A path leads from the update to the read: the read comes after.\n{sees}"
    if waits_for(built.update, built.read):
        return f"A path leads from the read to the update: the read comes before.\n{sees}"
    if built.edge:
        outside = "The edge leads to late, but the read is seen, which was made outside.\n"
        return f"{outside}No path joins the read and the update: a race.\n{sees}"
    return f"No path joins the read and the update: a race.\n{sees}"


def _program(built: Built) -> Iterator[Box | Text]:
    yield Text(MARGIN, TOP, "minitf's program, in its order", bold=True)
    for i, statement in enumerate(built.program.statements, start=1):
        y = TOP + LINE * i
        yield Text(MARGIN + 8, y + 3, statement.text, LABEL, mono=True)
        for op, name in ((built.read, "the read"), (built.update, "the update")):
            if op in statement.ops:
                kind = "done" if op is built.read else "now"
                yield Box(MARGIN, y - 12, LEFT - 60, LINE - 1, kind)
                yield Text(LEFT - 56, y + 3, name, LABEL, "end", bold=True)


def _runs(runs: list[tuple[int, int]]) -> Iterator[Text]:
    yield Text(MARGIN, TABLE, "What the fetch sees", bold=True)
    rows = [("run", "step before", "fetched", "step after")]
    for number, (held, got) in enumerate(runs, start=1):
        rows.append(
            (f"{number}", f"{held}", f"{got}, {'old' if got == held else 'new'}", f"{held + 1}")
        )
    for i, row in enumerate(rows):
        for column, (x, text) in enumerate(zip(COLUMNS, row, strict=True)):
            quiet = "plain" if i else "quiet"
            y = TABLE + LINE * (i + 1)
            yield Text(MARGIN + x, y, text, LABEL, bold=i > 0 and column == 2, kind=quiet)


def _graph(built: Built) -> list[Arrow | Box | Text]:
    """Draw the graph without its numbers, and the chosen edge thick."""
    graph = graph_of_ops(op for op in built.program.ops if op.type != "Const")
    layout, corner = graph.laid_out(), (LEFT, TOP + 12)
    [read], [update] = numbers_of(graph, [built.read]), numbers_of(graph, [built.update])
    edge = _ends(graph, built) if built.edge else None
    rest = RunGraph(graph.nodes, {e: control for e, control in graph.edges.items() if e != edge})
    shapes = [Text(LEFT, TOP, "The graph", bold=True)]
    shapes += rest.shapes(layout, corner, {read: "done", update: "now"})
    if edge:
        points = [(corner[0] + x, corner[1] + y) for x, y in layout.routes[edge]]
        (x, y), (u, v) = points[-2:]
        # Beside the edge, where no other one comes from.
        side, anchor = (-10, "end") if u > x else (10, "start")
        shapes += [Arrow(points, dashed=True, kind="now")]
        shapes += [Text((x + u) / 2 + side, (y + v) / 2 + 4, "the edge", LABEL, anchor, bold=True)]
    return shapes


def _ends(graph: RunGraph, built: Built) -> tuple[int, int]:
    [start], [end] = (numbers_of(graph, [op]) for op in built.edge)
    return start, end
