"""The stepper walks through a run by statement: its program, its graph, what the session holds."""

from collections.abc import Mapping
from typing import Any

import minitf as tf
from lab.controls.controls import player
from lab.controls.explorer import Stored
from lab.drawing.opened import opened
from lab.drawing.parts import DONE, NOW, OFF, PLAIN, Picture, code, stack, table
from lab.drawing.run_graph import TIGHT, graph_of_program, keys_of, numbers_of
from lab.experiments.snapshots import Snapshot, short, trace, updated

NOTHING = "This run has nothing to compute."


class Stepper(Stored):
    """Step through the run of `fetches`, on a copy of what the session holds."""

    wide = True

    def __init__(
        self,
        fetches: Any,
        feed_dict: Mapping | None = None,
        session: tf.Session | None = None,
        runs: int = 1,
    ):
        """Trace `runs` runs from what `session` holds, or from the variables' initial values."""
        self.program, self.snapshots = trace(fetches, feed_dict or {}, session, runs)
        self.runs = runs
        self.controls = (player("at", "step through the run", len(self.snapshots) - 1),)
        self._graph = graph_of_program(self.program)
        self._names = {tensor.op: name for tensor, name in self.program.parameters}
        self._keys = keys_of(self._graph, self.program.statements)
        for i in numbers_of(self._graph, self._names):
            self._keys[i] = f"feeds {self._keys.get(i, '')}".strip()
        self._marks = [self._marked(snapshot) for snapshot in self.snapshots]
        self._layout = self._graph.laid_out([values for _, values in self._marks], TIGHT)
        found = {i: opened(self._graph, self._layout, i) for i in range(len(self._graph.nodes))}
        self._inside = {i: inside for i, inside in found.items() if inside}
        super().__init__()

    def stored_words(self, picture: Picture) -> str:
        """Return the whole run, one line per statement."""
        first, *rest = self.snapshots
        width = max((len(snapshot.statement.text) for snapshot in rest), default=0)
        lines = [f"before: {_pairs(first.variables) or 'no variables'}"]
        lines += [f"{m.statement.text:{width}}  gives {short(m.value)}" for m in rest]
        after = _pairs(self.snapshots[-1].variables) or "no variables"
        return "\n".join([*lines, f"after: {after}"] if rest else [*lines, NOTHING])

    def picture(self, at: int) -> Picture:
        """Return the picture after `at` statements."""
        snapshot = self.snapshots[at]
        left = stack(self._program(snapshot), self._memory(snapshot), basis=300)
        return Picture([left, self._nodes(at)], self._said(snapshot))

    def _program(self, snapshot: Snapshot) -> dict:
        head = self.program.source.partition("\n")[0]
        lines = [{"text": head, "kind": PLAIN, "key": "feeds"}]
        for number, statement in enumerate(self.program.statements):
            is_now, is_done = statement is snapshot.statement, statement in snapshot.done
            kind = NOW if is_now else PLAIN if is_done else OFF
            text = f"    {statement.text}"
            lines.append({"text": text, "kind": kind, "key": f"s{number}"})
        run = f", run {snapshot.run} of {self.runs}" if self.runs > 1 else ""
        return code(lines, title=f"The program{run}", linked=True, wrap=True)

    def _memory(self, snapshot: Snapshot) -> dict:
        rows = []
        for name in self.snapshots[-1].variables:
            about = [f'state["{name}"]' in s.text for s in self.program.statements]
            key = " ".join(f"s{number}" for number, is_about in enumerate(about) if is_about)
            value = snapshot.variables.get(name, "no value")
            kind = NOW if name in snapshot.changed else PLAIN
            rows.append([{"text": name, "key": key}, {"text": value, "kind": kind, "key": key}])
        return table(rows, ["The session holds", ""], widths=[150, 90])

    def _nodes(self, at: int) -> dict:
        kinds, values = self._marks[at]
        used = {edge: {"kind": NOW} for edge in self._graph.edges if kinds.get(edge[1]) == NOW}
        return self._graph.part(self._layout, kinds, values, self._keys, used, self._inside, grow=0)

    def _marked(self, snapshot: Snapshot) -> tuple[dict[int, str], dict[int, str]]:
        """Return the kinds and values of the nodes that are fed, have run, or run now."""
        kinds: dict[int, str] = {}
        values: dict[int, str] = {}
        for i in numbers_of(self._graph, self._names):
            kinds[i], values[i] = DONE, snapshot.values[self._names[self._graph.nodes[i].ops[0]]]
        for statement in (*snapshot.done, snapshot.statement):
            ops = statement.ops if statement else ()
            at = [i for i in numbers_of(self._graph, ops) if i not in kinds]
            kinds |= dict.fromkeys(at, NOW if statement is snapshot.statement else DONE)
            if at:  # the last of them shows the value
                held = snapshot.variables.get(updated(statement), "")
                values[at[-1]] = snapshot.values[statement.names[0]] if statement.names else held
        return kinds, values

    def _said(self, snapshot: Snapshot) -> str:
        if snapshot.statement is None:
            held = _pairs(snapshot.variables)
            first = "Nothing has run yet." if len(self.snapshots) > 1 else NOTHING
            return first + (f"\nThe session holds {held}." if held else "")
        names = [op.name for op in snapshot.statement.ops]
        ran = ", ".join(names) if len(names) <= 4 else f"{len(names)} operations"
        run = f"Run {snapshot.run} of {self.runs}, statement" if self.runs > 1 else "Statement"
        changed = f" It changes {', '.join(sorted(snapshot.changed))}." if snapshot.changed else ""
        return (
            f"{run} {len(snapshot.done) + 1} of {len(self.program.statements)}: "
            f"{snapshot.statement.text}   gives {short(snapshot.value)}\nIt runs {ran}.{changed}"
        )


def _pairs(held: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in held.items())
