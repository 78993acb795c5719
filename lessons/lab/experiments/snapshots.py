"""Snapshots of a run: what exists before its first statement and after each one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minitf as tf
from minitf.client.dependencies import changes
from minitf.client.feeds_and_fetches import as_feed_key, as_feed_value
from minitf.client.program import Program, Statement, copy
from minitf.client.session import State, program_of

LONGEST = 20  # characters of a value; more don't fit into a box


@dataclass(frozen=True)
class Snapshot:
    """What exists before the first statement of a run, or after one of them."""

    run: int
    statement: Statement | None  # the one that has just run
    done: tuple[Statement, ...]  # those before it
    value: Any
    values: Mapping[str, str]  # under the names that the program has assigned, as short texts
    variables: Mapping[str, str]
    changed: frozenset[str] = field(default=frozenset())  # variables that this statement changed


def trace(
    fetches: Any, feed_dict: Mapping, session: tf.Session | None, runs: int
) -> tuple[Program, list[Snapshot]]:
    """Run `fetches` `runs` times on a copy of what `session` holds, or from the initial values."""
    program = program_of(fetches, feed_dict, session.graph if session else None)
    held = _held(program, session)
    try:
        return program, list(snapshots(program, feed_dict, held, runs))
    except Exception:  # an ordinary run says which op failed, and where it was made
        fresh = tf.Session(graph=program.graph)
        fresh.state.update({name: copy(value) for name, value in held.items()})
        for _ in range(runs):
            fresh.run(fetches, feed_dict)
        raise


def snapshots(
    program: Program, feed_dict: Mapping, held_before: Mapping[str, Any], runs: int
) -> Iterator[Snapshot]:
    """Yield each snapshot of these runs."""
    state = State({name: copy(value) for name, value in held_before.items()})
    feeds = {as_feed_key(key, program.graph): value for key, value in feed_dict.items()}
    feeds = {tensor: as_feed_value(tensor, value) for tensor, value in feeds.items()}
    fed = {name: short(feeds[tensor]) for tensor, name in program.parameters}
    used = {op.name for op in program.ops if op.type == "VariableV2"}
    used |= {variable.name for op in program.ops for variable in changes(op)}

    def held() -> dict[str, Any]:
        return {name: copy(state[name]) for name in state if name in used}

    for run in range(1, runs + 1):
        before, values, done = held(), dict(fed), ()
        if run == 1:
            yield Snapshot(run, None, (), None, dict(values), _shortened(before))
        for statement, _, value in program.trace(state, feeds):
            values |= {name: short(value) for name in statement.names[:1]}
            now = held()
            changed = frozenset(name for name in now if not _same(now[name], before.get(name)))
            yield Snapshot(run, statement, done, value, dict(values), _shortened(now), changed)
            before, done = now, (*done, statement)


def updated(statement: Statement) -> str:
    """Return the name of the variable that a statement updates, or "" if it updates none."""
    return statement.changes.removeprefix('state["').removesuffix('"]')


def short(value: Any) -> str:
    """Return a value in a few characters: a number to four digits, an array's shape and first item.

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


def _held(program: Program, session: tf.Session | None) -> Mapping[str, Any]:
    if session is not None:
        return session.state
    with program.graph.as_default(), tf.Session() as fresh:
        fresh.run([variable.initializer for variable in tf.global_variables()])
        return dict(fresh.state)


def _shortened(held: Mapping[str, Any]) -> dict[str, str]:
    return {name: short(value) for name, value in held.items()}


def _same(now: Any, before: Any) -> bool:
    """Whether a variable's shape and numbers are the same, including nan and the sign of zero."""
    one, other = (repr(np.asarray(value).tolist()) for value in (now, before))
    return before is not None and one == other


def _number(value: Any) -> str:
    if isinstance(value, bytes):
        return repr(value.decode(errors="replace"))
    return f"{value:.4g}" if isinstance(value, np.inexact) else str(value)
