"""A finding is a function that looks for one kind of fault in what a script did.

    @finding("rate-grows", lesson="05_the_rate_reads_the_clock", title="The rate grows")
    def rate_grows(script):
        for rate in script.rates:
            if rate.last.rate > rate.first.rate:
                cure = Cure(words="Choose a decay_rate below 1.")
                yield Fault("The rate grew.", [rate.call.line], cure)

If the run shows that something is wrong, that's a fault. If it only might be wrong, the fault isn't
sure, and the report asks a question instead.

If one fault causes another, the report shows them as one. A finding names the kinds that can follow
from it (`causes`), and each Fault says what it is about, because only faults about the same thing
are joined.
"""

import linecache
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from minitf.explain.comments import ignored, silences
from minitf.explain.cure import Cure
from minitf.explain.source import is_scripts, statement
from minitf.framework.operation import SourceLine

FINDINGS: dict[str, "Finding"] = {}


class Finding(NamedTuple):
    """A kind of fault: its identifier, the lesson about it, its title, and how to look for it."""

    id: str
    lesson: str
    title: str
    causes: Collection[str]
    look: Callable


@dataclass(eq=False)
class Fault:
    """What was found: the evidence, the script's lines, how to repair it, and what it is about.

    `about` is a step, a rate or whatever else is at fault, or several of them.
    """

    evidence: str
    lines: Sequence[SourceLine]
    cure: Cure = Cure()
    sure: bool = True
    about: Sequence[Any] = ()
    kind: Finding | None = None
    follows: list["Fault"] = field(default_factory=list)


def finding(id: str, lesson: str, title: str, causes: Collection[str] = ()) -> Callable:
    """Decorate a function that yields the Faults of this kind in a ScriptRun."""

    def enter(look: Callable[[Any], Iterator[Fault]]) -> Callable:
        FINDINGS[id] = Finding(id, lesson, title, causes, look)
        return look

    return enter


def all_faults(script, chosen: Collection[str] | None = None) -> tuple[list[Fault], list[Fault]]:
    """Return the faults, each with what follows from it, and the questions that remain.

    `chosen` are the identifiers to look for, by default all. What a comment of the script silences
    is left out.
    """
    script.chosen = set(FINDINGS if chosen is None else chosen)
    found = list(_found(script, script.chosen))
    faults = [fault for fault in found if fault.sure]
    causes = []
    for fault in faults:
        cause = _first_cause(fault, faults)
        (causes if cause is fault else cause.follows).append(fault)
    questions = [fault for fault in found if not fault.sure and not _cause(fault, faults)]
    return causes, questions


def _found(script, chosen: Collection[str]) -> Iterator[Fault]:
    """Yield what the chosen findings find, once for the same lines."""
    seen = set()
    for kind in FINDINGS.values():
        for fault in _looked_for(kind, script) if kind.id in chosen else ():
            fault.kind = kind
            lines = [line for line in dict.fromkeys(fault.lines) if line and is_scripts(line)]
            fault.lines = lines
            if (kind.id, *lines) not in seen and not any(
                _is_silenced(kind.id, line) for line in lines
            ):
                yield fault
            seen.add((kind.id, *lines))


def _looked_for(kind: Finding, script) -> Iterator[Fault]:
    """Yield what a finding finds; an error of its own doesn't keep the others from looking."""
    try:
        yield from kind.look(script)
    except Exception as error:
        script.record.problems.append(error)


def _is_silenced(id: str, line: SourceLine) -> bool:
    """Return whether a comment on a line, or on another one of its statement, silences a kind."""
    node = statement(line)
    lines = range(node.lineno, node.end_lineno + 1) if node else [line.lineno]
    return silences(_comments(line.filename), id, lines)


@cache
def _comments(filename: str) -> dict[int, set[str] | None]:
    return ignored(linecache.getlines(filename))


def _first_cause(fault: Fault, faults: list[Fault]) -> Fault:
    """Return the cause of a fault, or of its cause, and so on; itself if it has none."""
    chain = [fault]
    while (cause := _cause(chain[-1], faults)) and cause not in chain:
        chain.append(cause)
    in_a_circle = cause is not None
    return min(chain, key=faults.index) if in_a_circle else chain[-1]


def _cause(fault: Fault, faults: list[Fault]) -> Fault | None:
    """Return the fault from which this one follows, or None."""
    for other in faults:
        about_the_same = any(one is another for one in fault.about for another in other.about)
        if fault.kind.id in other.kind.causes and about_the_same and other is not fault:
            return other
    return None
