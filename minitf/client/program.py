"""A Program is the Python text of a run, and the function compiled from it."""

import itertools
import keyword
import linecache
import re
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from minitf.client.arithmetic import calculate
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, kernel

# Statements. Longer functions are split, because CPython needs too much memory to compile them.
LONGEST_FUNCTION = 2_000
_numbers = itertools.count(1)


KERNELS["array"] = lambda value: np.array(value, object if isinstance(value, bytes) else None)


@kernel
def copy(x):
    """Return an array or a NumPy scalar in new memory, and anything else as it is."""
    return x.copy() if isinstance(x, np.ndarray | np.generic) else x


class Statement(NamedTuple):
    """One line of a program.

    names: the names it assigns.
    ops: all the operations it performs.
    arrays: those of the names that hold more than a single number, so they are deleted after their
        last use.
    reads: the names of the values that its node is given, whether or not the text needs them all.
    changes: the code of the variable it changes in place, such as `state["w"]`, or "".
    """

    text: str
    names: tuple[str, ...]
    ops: list[Operation]
    comment: str = ""
    arrays: tuple[str, ...] = ()
    reads: Set[str] = frozenset()
    changes: str = ""
    node: Any = None

    def __str__(self) -> str:
        return f"{self.text}  # {self.comment}" if self.comment else self.text


class Function(NamedTuple):
    """A function of a program: `program` itself, or a part that a cond or loop calls.

    `results` are the code of each value it returns ("None" for an operation), and `returned` the
    names in this code.
    """

    name: str
    parameters: list[str]
    statements: list[Statement]
    results: list[str]
    returned: Set[str] = frozenset()

    def call(self, arguments: list[str] | None = None) -> str:
        """Return code that calls it, by default with arguments named like its parameters."""
        given = self.parameters if arguments is None else arguments
        return f"{self.name}({', '.join(['state', *given])})"

    @property
    def head(self) -> str:
        """The `def` line."""
        return f"def {self.call()}:"

    @property
    def end(self) -> str:
        """The `return` line."""
        results = self.results[0] if len(self.results) == 1 else f"({', '.join(self.results)})"
        return f"    return {results if self.results else None}"

    @property
    def source(self) -> str:
        """The text that a person reads, without the lines that free memory."""
        lines = [self.head, *(f"    {s}" for s in self.statements)]
        is_used = len(self.results) > 1 and self.name != "program"
        if is_used or any(result != "None" for result in self.results):
            lines.append(self.end)
        return "\n".join(lines if len(lines) > 1 else [self.head, "    pass"])


class Identifiers:
    """Makes identifiers that differ from each other, from Python's keywords and from kernels."""

    def __init__(self):
        self._taken = {*KERNELS, *keyword.kwlist, "state", "values", "program"}
        self._next: dict[str, int] = {}
        self._made: dict[tuple[str, ...], str] = {}

    def make(self, words: list[str]) -> str:
        """Return the shortest suffix of `words` that is unused, or add a number if there is none.

        A gradient is named after its tensor's identifier: `d_mul_1` if that is `mul_1`.
        """
        *scope, last = words
        of = self._made.get((*scope, last[2:])) if last.startswith("d_") else None
        name = f"d_{of}"
        if of is None or name in self._taken:
            name = self._made[tuple(words)] = self._new(words)
        self._taken.add(name)
        return name

    def _new(self, words: list[str]) -> str:
        for count in range(1, len(words) + 1):
            name = re.sub(r"\W", "_", "_".join(words[-count:]))
            name = f"x{name}" if name[0].isdigit() or name[0] == "_" else name
            if name not in self._taken:
                return name
        number = self._next.get(name, 1)
        while f"{name}_{number}" in self._taken:
            number += 1
        self._next[name] = number + 1
        return f"{name}_{number}"


class Program:
    """What one run does: `print(program)` shows it, `program.function(state, *feeds)` does it.

    functions: those that conds and loops call, then `program`.
    statements, results: those of `program`.
    parameters: (tensor, name) of each feed.
    ops: all operations of the run, in order.
    constants: the arrays that the text refers to, by name.
    names: the names of each node's results, if it has any.
    """

    def __init__(
        self,
        graph: Graph,
        ops: list[Operation],
        feeds: list[Tensor],
        functions: list[Function],
        constants: dict[str, np.ndarray],
        names: dict[Any, tuple[str, ...]],
    ):
        self.graph, self.ops, self.feeds = graph, ops, feeds
        self.functions, self.constants, self.names = functions, constants, names
        self.main = functions[-1]
        self.statements, self.results = self.main.statements, self.main.results
        self.parameters = list(zip(feeds, self.main.parameters, strict=True))
        # Not in <>, because linecache would then never ask for the text of a traceback's lines.
        self.filename = f"minitf program {next(_numbers)}"
        self.changes_seen = len(graph.changes)
        self.namespace = KERNELS | constants
        self._lines: dict[int, Statement] = {}
        self.function = self._compiled()

    @property
    def source(self) -> str:
        """The text that a person reads, without the lines that free memory."""
        return "\n\n".join(function.source for function in self.functions)

    __repr__ = source.fget

    def is_current(self) -> bool:
        """Return whether no op of the program has changed since it was compiled."""
        if len(self.graph.changes) == self.changes_seen:
            return True
        changed = self.graph.changes[self.changes_seen :]
        if not self._op_set.isdisjoint(changed):
            return False
        self.changes_seen += len(changed)
        return True

    @cached_property
    def _op_set(self) -> set[Operation]:
        return {*self.ops, *(tensor.op for tensor in self.feeds)}

    def statement_at(self, lineno: int) -> Statement | None:
        """Return the statement that a line of the compiled text belongs to, or None."""
        return self._lines.get(lineno)

    def trace(
        self, state: dict, feeds: dict[Tensor, Any] | None = None
    ) -> Iterator[tuple[Statement, list[Operation], Any]]:
        """Run the program one statement at a time, yielding each statement, its ops and its value.

        The value of an update is what its variable holds afterwards. `state` changes as in a run.
        """
        scope = self.namespace | {"state": state}
        scope |= {name: feeds[tensor] for tensor, name in self.parameters}
        for statement in self.statements:
            calculate(exec, compile(statement.text, self.filename, "exec"), scope)
            shown = [statement.changes] if statement.changes else statement.names
            values = [eval(code, scope) for code in shown]
            value = values[0] if len(values) == 1 else tuple(values) or None
            yield statement, statement.ops, copy(value)

    # Compiling.

    def _compiled(self) -> Callable:
        above = 0
        for lines in self._texts():
            # One function at a time saves memory; line numbers must still be those of the text.
            exec(compile("\n" * above + "\n".join(lines), self.filename, "exec"), self.namespace)
            above += len(lines)
        myself = weakref.ref(self)
        linecache.cache[self.filename] = (lambda: myself()._text(),)  # made on demand
        weakref.finalize(self, linecache.cache.pop, self.filename, None)
        return self.namespace["program"]

    def _text(self) -> str:
        """Return the compiled text, including the lines that free memory."""
        return "\n".join(itertools.chain.from_iterable(self._texts())) + "\n"

    def _texts(self) -> Iterator[list[str]]:
        """Yield the lines of each function; if `program` is long, it is split into several."""
        above = 0
        for function in [*self.functions[:-1], *_in_pieces(self.main)]:
            body = self._body(function, above + 1)
            yield [function.head, *body, function.end]
            above += len(body) + 2

    def _body(self, function: Function, above: int) -> list[str]:
        """Return the indented statements, with a `del` after the last use of each array.

        Also records the statement of each line; `above` counts the lines above the body.
        """
        statements, lines = function.statements, []
        last = {name: i for i, s in enumerate(statements) for name in (*s.names, *s.reads)}
        arrays = {name for statement in statements for name in statement.arrays}
        frees: dict[int, list[str]] = defaultdict(list)
        for name in sorted(arrays - function.returned):
            frees[last[name]].append(name)
        for i, statement in enumerate(statements):
            lines.append(f"    {statement.text}")
            if statement.node is not None:
                self._lines[above + len(lines)] = statement
            if i in frees and i < len(statements) - 1:
                lines.append(f"    del {', '.join(frees[i])}")
        return lines


def _in_pieces(function: Function) -> list[Function]:
    """Split a long function into several, and one that calls them and returns their results."""
    statements = function.statements
    if len(statements) <= LONGEST_FUNCTION:
        return [function]
    given = {*function.parameters, *(name for s in statements for name in s.names)}
    needed, pieces, calls = function.returned, [], []
    for start in reversed(range(0, len(statements), LONGEST_FUNCTION)):
        piece = statements[start : start + LONGEST_FUNCTION]
        made = {name for s in piece for name in s.names}
        parameters = sorted(set().union(*(s.reads for s in piece)) & given - made)
        results = sorted(made & needed)
        needed = needed - made | {*parameters}
        pieces.append(Function(f"_part_{start}", parameters, piece, results, {*results}))
        arrays = tuple({name for s in piece for name in s.arrays}.intersection(results))
        text = f"{', '.join(results)}{' = ' * bool(results)}{pieces[-1].call()}"
        reads = frozenset(parameters)
        calls.append(Statement(text, tuple(results), [], arrays=arrays, reads=reads))
    return [*reversed(pieces), function._replace(statements=calls[::-1])]
