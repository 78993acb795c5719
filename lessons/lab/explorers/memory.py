"""The memory explorer: which lines change the graph, and which ones a session's state."""

from lab.controls.controls import player
from lab.controls.explorer import Stored
from lab.drawing.parts import DONE, NOW, OFF, PLAIN, Picture, box, code, graph, link
from lab.experiments.memory import BUILT, LINES, after_each_line

STEP = box("step", "a Variable: its initial value is 0", (235, 115), (470, 40))
OPS = [("init", "sets it to 0", 75), ("add_one", "adds 1", 235), ("add_ten", "adds 10", 395)]
SESSIONS = [("a", 112), ("b", 358)]  # and their middles


class MemoryExplorer(Stored):
    """Step through runs in two sessions of one graph."""

    lines = ["", *LINES.splitlines()]  # "" for what there is before the first
    controls = (player("at", "step through the lines", len(lines) - 1),)
    wide = True

    def __init__(self) -> None:
        """Run the lines."""
        self._after = after_each_line()
        super().__init__()

    def stored_words(self, first: Picture) -> str:
        """Return what every line leads to."""
        return "\n".join(self._said(at) for at in range(len(self.lines)))

    def picture(self, at: int) -> Picture:
        """Return the program, and the graph and its sessions after `at` lines."""
        program = [{"text": text, "kind": PLAIN} for text in BUILT.splitlines()]
        for number, text in enumerate(self.lines):
            kind = NOW if number == at > 0 else PLAIN if number < at else OFF
            program.append({"text": text, "kind": kind})
        left = code(program, title="The program", basis=330)
        return Picture([left, self._map(at)], self._said(at))

    def _map(self, at: int) -> dict:
        (_, before, _), (names, held, error) = self._after[max(at - 1, 0)], self._after[at]
        nodes, edges, line = [STEP], [], self.lines[at]
        for name, middle in SESSIONS:
            fails = bool(error) and line.startswith(name)
            kind = OFF if held[name] is None else DONE
            kind = NOW if fails or held[name] != before[name] else kind
            look = {"kind": kind, "value": _entry(held[name])}
            detail = "uninitialized value" if fails else "its state"
            edges.append(link((0, len(nodes)), [(middle, 135), (middle, 194)], bare=True))
            nodes.append(box(f"session {name}", detail, (middle, 222.5), (225, 57), **look))
        for name, detail, middle in OPS:
            if name in names:
                ran = any(f"({name})" in earlier for earlier in self.lines[:at])
                kind = NOW if name in line else DONE if ran else PLAIN
                edges.append(link((len(nodes), 0), [(middle, 40), (middle, 95)], kind=kind))
                nodes.append(box(name, detail, (middle, 20), (150, 40), kind=kind))
        return graph(nodes, edges, (470, 250))

    def _said(self, at: int) -> str:
        _, held, error = self._after[at]
        entries = ", ".join(f"{name} holds {_entry(value)}" for name, value in held.items())
        said = f"{self.lines[at] or 'before these lines'}: {entries}"
        return f"{said}; {error}" if error else said


def _entry(held: int | None) -> str:
    return "no entry" if held is None else f"step: {held}"
