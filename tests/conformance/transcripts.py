"""Transcripts: what was typed and what TensorFlow answered, one Markdown file a theme in `facts/`.

A section has a heading, a sentence, and a block of cells. Each section starts with a new graph and
an empty default session, and knows

- `tf` and `np`, and what the theme's first block defines,
- `sess`, a session of the section's graph, and `folder`, the path of an empty folder, if it uses them,
- `enter(context)`, which enters a context until the section ends, and returns what `with` would give,
- `raises(function)`, for what an expression inside a larger one raises.
"""

import ast
import os
import re
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from tests.conformance.notation import from_text
from tests.conformance.outcomes import Raised, encode, raises

FOLDER = Path(__file__).parent / "facts"
_HEAD = re.compile(r"# (.*)\n\nAnswered by TensorFlow (.*)\.\n")
_SECTION = re.compile(r"^## (?P<title>[^\n]*)\n\n(?P<text>.*?)\n*```pycon\n(?P<cells>.*?)^```$", re.M | re.S)
_CELL = re.compile(r"^>>> (?P<code>.*\n(?:\.\.\..*\n)*)(?P<outcome>(?:(?!>>> ).*\n)*)", re.M)
_SETUP = re.compile(r"^```python\n(?P<code>.*?)^```$", re.M | re.S)


@dataclass
class Cell:
    """What is typed, the text of what is answered, and the line of the file where it begins."""

    code: str
    outcome: str = ""
    line: int = 1

    def answer(self):
        """What is answered, encoded; None if nothing is."""
        return from_text(self.outcome) if self.outcome else None

    def __str__(self):
        first, *more = self.code.split("\n")
        lines = [f">>> {first}", *[f"... {line}".rstrip() for line in more]]
        return "\n".join([*lines, self.outcome] if self.outcome else lines)


@dataclass
class Section:
    """Cells that share a graph."""

    theme: "Theme"
    name: str
    text: str
    cells: list[Cell]

    def __str__(self):
        cells = "\n".join(map(str, self.cells))
        return f"## {self.name.replace('_', ' ')}\n\n{self.text}\n\n```pycon\n{cells}\n```\n"

    def answers(self):
        """The recorded outcomes, encoded: a list of them, or if there is only one, that one, or None."""
        found = [cell.answer() for cell in self.cells if cell.outcome]
        return found if len(found) > 1 else found[0] if found else None

    def observed(self, tf):
        """Run the section against `tf`; returns what each cell gave, encoded, and what it raised or None."""
        tf.reset_default_graph()
        np.random.seed(0)
        try:
            with ExitStack() as stack:
                names = self._names(tf, stack)
                return [_observe(cell, self.theme.path, names) for cell in self.cells]
        finally:
            tf.reset_default_graph()

    def _names(self, tf, stack):
        names = {"tf": tf, "np": np, "raises": raises, "enter": stack.enter_context}
        names["__file__"] = str(self.theme.path)
        used = _free_names("\n".join(cell.code for cell in self.cells))
        if "folder" in used:
            names["folder"] = stack.enter_context(tempfile.TemporaryDirectory())
        exec(compile(self.theme.setup, self.theme.path, "exec"), names)
        if "sess" in used:
            names["sess"] = stack.enter_context(tf.Session())
        return names


@dataclass
class Theme:
    """A file of facts."""

    path: Path
    title: str
    version: str = "2.21.0"  # of the TensorFlow that answered
    setup: str = ""  # Python that every section runs first
    sections: dict[str, Section] = field(default_factory=dict)

    def __str__(self):
        setup = f"\n```python\n{self.setup}```\n" if self.setup else ""
        head = f"# {self.title}\n\nAnswered by TensorFlow {self.version}.\n{setup}\n"
        return head + "\n".join(map(str, self.sections.values()))

    def save(self):
        """Write the file; it is replaced whole or not at all."""
        temporary = self.path.with_suffix(".part")
        temporary.write_text(str(self), "utf-8")
        os.replace(temporary, self.path)


@cache
def load(name):
    """The theme of this name."""
    path = FOLDER / f"{name}.md"
    text = path.read_text("utf-8")
    head = text.partition("\n## ")[0]
    setup = _SETUP.search(head)
    title, version = _HEAD.match(head).groups()
    theme = Theme(path, title, version, setup["code"] if setup else "")
    for match in _SECTION.finditer(text):
        section = match["title"].replace(" ", "_")
        first = text.count("\n", 0, match.start("cells")) + 1
        theme.sections[section] = Section(theme, section, match["text"], _cells(match["cells"], first))
    return theme


def _cells(text, first):
    cells = []
    for match in _CELL.finditer(text):
        code = re.sub(r"^\.\.\. ?", "", match["code"], flags=re.M).rstrip("\n")
        line = first + text.count("\n", 0, match.start())
        cells.append(Cell(code, match["outcome"].rstrip("\n"), line))
    return cells


def themes():
    """The names of all themes, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def every():
    """Every section of every theme."""
    return [section for name in themes() for section in load(name).sections.values()]


def encoded_answers(theme, section):
    """What TensorFlow answered in one section, encoded."""
    return load(theme).sections[section].answers()


def answers(theme, section):
    """The same without dtypes, as JSON has it."""
    return _plain(encoded_answers(theme, section))


def _plain(value):
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.get("$scalar", value) if isinstance(value, dict) else value


def _free_names(code):
    """The names that a program reads and never makes."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    made = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return {name.id for name in names} - made - {node.arg for node in nodes if isinstance(node, ast.arg)}


def _observe(cell, path, names):
    """Run a cell as the prompt would, for the value of its last expression, or what it raised."""
    try:
        tree = ast.increment_lineno(ast.parse(cell.code), cell.line - 1)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path, "exec"), names)
        value = eval(compile(ast.Expression(last.value), path, "eval"), names) if last else None
    except Exception as error:
        return encode(Raised(error)), error
    return encode(value), None
