"""The stepper runs a program one statement at a time: beside it the graph, its values, the variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import minitf as tf
from lab.flipbook import Flipbook
from lab.run_graph import LABEL, graph_of_program, numbers_of
from lab.scene import Arrow, Box, Scene, Text, text_width
from lab.shown import Shown
from minitf.client.feeds import as_feed_key, as_feed_value
from minitf.client.program import Program, Statement, copy
from minitf.client.session import State, program_of
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variable_of

LONGEST = 20  # letters of a value: more do not fit into a node
TOP, LINE, MARGIN = 28, 21, 12  # where the program starts, how far its lines are apart
NOTHING = "This run has nothing to compute."


@dataclass(frozen=True)
class Moment:
    """What there is before the first statement of a run, or after one."""

    run: int
    statement: Statement | None  # the one that has just run
    done: tuple[Statement, ...]  # those before it
    value: Any
    values: Mapping[str, str]  # of what the program has named, as short texts
    variables: Mapping[str, str]
    changed: frozenset[str] = field(default=frozenset())  # variables that this statement changed


class Stepper(Shown):
    """Step through the run of `fetches`; what the session holds is copied, and stays as it is."""

    note = "Run this cell, and you can go through the run step by step."

    def __init__(
        self,
        fetches: Any,
        feed_dict: Mapping | None = None,
        session: tf.Session | None = None,
        runs: int = 1,
    ):
        """Trace `runs` runs from what `session` holds, or from the variables' initial values."""
        feed_dict = feed_dict or {}
        program = program_of(fetches, feed_dict, session.graph if session else None)
        held = _held(program, session)
        try:
            self.moments = list(moments(program, feed_dict, held, runs))
        except Exception:  # a run of its own says which op failed, and where it was made
            fresh = tf.Session(graph=program.graph)
            fresh.state.update({name: copy(value) for name, value in held.items()})
            for _ in range(runs):
                fresh.run(fetches, feed_dict)
            raise
        picture = _Picture(program, runs)
        self.scenes = [picture.scene(self.moments, at) for at in range(len(self.moments))]
        self.book = Flipbook(self.scenes, "step through the run")
        super().__init__([self.book])

    @property
    def at(self) -> int:
        """How many statements have run."""
        return self.book.at

    @at.setter
    def at(self, at: int) -> None:
        self.book.at = at

    @property
    def words(self) -> str:
        """What shows now, in words."""
        return self.scenes[self.at].words

    def stored_words(self) -> str:
        """Return the whole run, a line for each statement."""
        first, *rest = self.moments
        width = max((len(moment.statement.text) for moment in rest), default=0)
        lines = [f"before: {_pairs(first.variables) or 'no variables'}"]
        lines += [f"{m.statement.text:{width}}  gives {short(m.value)}" for m in rest]
        after = _pairs(self.moments[-1].variables) or "no variables"
        return "\n".join([*lines, f"after: {after}"] if rest else [*lines, NOTHING])

    def stored_picture(self) -> Scene:
        """Return the last picture: every value is there."""
        return replace(self.scenes[-1], note=self.note)


def moments(
    program: Program, feed_dict: Mapping, held_before: Mapping[str, Any], runs: int
) -> Iterator[Moment]:
    """Run a program some times on a copy of what a session holds; give what there is at each moment."""
    state = State({name: copy(value) for name, value in held_before.items()})
    feeds = {as_feed_key(key, program.graph): value for key, value in feed_dict.items()}
    feeds = {tensor: as_feed_value(tensor, value) for tensor, value in feeds.items()}
    fed = {name: short(feeds[tensor]) for tensor, name in program.parameters}
    used = {op.name for op in program.ops if op.type == "VariableV2"}
    used |= {variable_of(op.outputs[0]).name for op in program.ops if OPS[op.type].updates}

    def held() -> dict[str, Any]:
        return {name: copy(state[name]) for name in state if name in used}

    for run in range(1, runs + 1):
        before, values, done = held(), dict(fed), ()
        if run == 1:
            yield Moment(run, None, (), None, dict(values), _shortened(before))
        for statement, _, value in program.trace(state, feeds):
            values |= {name: short(value) for name in statement.names[:1]}
            now = held()
            changed = frozenset(name for name in now if not _same(now[name], before.get(name)))
            yield Moment(run, statement, done, value, dict(values), _shortened(now), changed)
            before, done = now, (*done, statement)


def _shortened(held: Mapping[str, Any]) -> dict[str, str]:
    return {name: short(value) for name, value in held.items()}


def _same(now: Any, before: Any) -> bool:
    """Whether not one bit of a variable changed."""
    if before is None:
        return False
    now, before = np.asarray(now), np.asarray(before)
    return (now.shape, now.tolist()) == (before.shape, before.tolist()) or (
        now.shape == before.shape and now.dtype != object and now.tobytes() == before.tobytes()
    )


def _held(program: Program, session: tf.Session | None) -> Mapping[str, Any]:
    if session is not None:
        return session.state
    with program.graph.as_default(), tf.Session() as fresh:
        variables = tf.global_variables()
        fresh.run([variable.initializer for variable in variables])
        return dict(fresh.state)


class _Picture:
    """Draws the moments of one program: where everything stands is the same in each."""

    def __init__(self, program: Program, runs: int):
        self.program, self.runs = program, runs
        self.graph = graph_of_program(program)
        self.layout = self.graph.laid_out(values=True)
        lines = [program.source.partition("\n")[0], *(s.text for s in program.statements)]
        self.left = max(max(text_width(line, LABEL, mono=True) for line in lines) + 60, 250)

    def scene(self, moments: list[Moment], at: int) -> Scene:
        """Return the picture after `at` statements."""
        moment = moments[at]
        shapes = [*self._program(moment), *self._variables(moment), *self._nodes(moment)]
        held = max(len(other.variables) for other in moments)
        bottom = TOP + LINE * (len(self.program.statements) + 3) + LINE * held
        height = max(bottom, self.layout.height + TOP + 2 * MARGIN)
        width = self.left + self.layout.width + 2 * MARGIN
        return Scene(width, height, shapes, self._words(moments, at))

    def _program(self, moment: Moment) -> Iterator[Box | Text]:
        run = f", run {moment.run} of {self.runs}" if self.runs > 1 else ""
        yield Text(MARGIN, 14, f"The program{run}", bold=True)
        head = self.program.source.partition("\n")[0]
        yield Text(MARGIN, TOP + 14, head, LABEL, mono=True)
        for i, statement in enumerate(self.program.statements, start=1):
            y = TOP + LINE * i
            if statement is moment.statement:
                yield Box(MARGIN + 14, y - 1, self.left - 36, LINE - 1, "now")
                yield Text(MARGIN - 4, y + 14, "▶", LABEL)
            quiet = statement is not moment.statement and statement not in moment.done
            kind = "quiet" if quiet else "plain"
            yield Text(MARGIN + 20, y + 14, statement.text, LABEL, mono=True, kind=kind)

    def _variables(self, moment: Moment) -> Iterator[Box | Text]:
        y = TOP + LINE * (len(self.program.statements) + 1) + 16
        if moment.variables:
            yield Text(MARGIN, y + 2, "The session holds", bold=True)
        for i, (name, value) in enumerate(moment.variables.items(), start=1):
            if name in moment.changed:
                yield Box(MARGIN + 14, y + LINE * i - 15, self.left - 36, LINE - 1, "now")
            text = f"{name}: {value}" + ("  (changed)" if name in moment.changed else "")
            yield Text(MARGIN + 20, y + LINE * i, text, LABEL, mono=True)

    def _nodes(self, moment: Moment) -> list[Arrow | Box | Text]:
        kinds: dict[int, str] = {}
        values: dict[int, str] = {}
        fed = [tensor.op for tensor, _ in self.program.parameters]
        names = {tensor.op: name for tensor, name in self.program.parameters}
        for i in numbers_of(self.graph, fed):
            kinds[i], values[i] = "done", moment.values[names[self.graph.nodes[i].ops[0]]]
        for statement in (*moment.done, moment.statement):
            if statement is None:
                continue
            at = [i for i in numbers_of(self.graph, statement.ops) if kinds.get(i) is None]
            kinds |= dict.fromkeys(at, "now" if statement is moment.statement else "done")
            if at:
                held = moment.variables.get(self._updated(statement), "")
                values[at[-1]] = moment.values[statement.names[0]] if statement.names else held
        return self.graph.shapes(self.layout, (self.left + MARGIN, TOP), kinds, values)

    @staticmethod
    def _updated(statement: Statement) -> str:
        return statement.text.removeprefix('state["').partition('"')[0]

    def _words(self, moments: list[Moment], at: int) -> str:
        moment = moments[at]
        if moment.statement is None:
            held = _pairs(moment.variables)
            first = "Nothing has run yet." if len(moments) > 1 else NOTHING
            return first + (f"\nThe session holds {held}." if held else "")
        names = [op.name for op in moment.statement.ops]
        ran = ", ".join(names) if len(names) <= 4 else f"{len(names)} operations"
        run = f"Run {moment.run} of {self.runs}, statement" if self.runs > 1 else "Statement"
        changed = f" It changes {', '.join(sorted(moment.changed))}." if moment.changed else ""
        return (
            f"{run} {len(moment.done) + 1} of {len(self.program.statements)}: "
            f"{moment.statement.text}   gives {short(moment.value)}\nIt runs {ran}.{changed}"
        )


def short(value: Any) -> str:
    """Return a value in a few letters: a number with four digits, an array's shape and first number.

    `0.5`, `[1, 2, 3]`, `(10, 1): 1, ...`
    """
    array = np.asarray(value)
    if array.ndim == 0:
        text = _number(array[()])
    elif array.ndim == 1 and array.size <= 3:
        text = f"[{', '.join(map(_number, array))}]"
    else:
        first = f": {_number(array.flat[0])}, ..." if array.size else ""
        text = f"({', '.join(map(str, array.shape))}{',' if array.ndim == 1 else ''}){first}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _number(value: Any) -> str:
    if isinstance(value, bytes):
        return repr(value.decode(errors="replace"))
    return f"{value:.4g}" if isinstance(value, np.inexact) else str(value)


def _pairs(held: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in held.items())
