"""A finding is a function that looks for one kind of fault in what a script did.

    @finding("rate-grows", lesson="05_the_rate_reads_the_clock", title="The rate grows")
    def rate_grows(script):
        for rate in script.rates:
            if rate.last.rate > rate.first.rate:
                yield Fault("It grew.", [rate.call.line], Cure(words="Choose a decay_rate below 1."))

What the run shows to be wrong is a fault. What only might be wrong isn't sure, so it's a question.

If one fault is the cause of another, the report has them as one. A finding says which kinds follow
from it (`causes`), and each Fault what it is about: only faults about the same thing are joined.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from minitf.explain.cure import Cure
from minitf.explain.source import is_scripts
from minitf.framework.operation import SourceLine

FINDINGS: dict[str, "Finding"] = {}


class Finding(NamedTuple):
    """A kind of fault: its identifier, the lesson about it, its title, and how to look for it."""

    id: str
    lesson: str
    title: str
    causes: Collection[str]
    look: Callable


@dataclass
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

    `chosen` are the identifiers to look for, by default all.
    """
    found: dict[tuple, Fault] = {}
    for kind in FINDINGS.values():
        if chosen is None or kind.id in chosen:
            for fault in kind.look(script):
                fault.kind = kind
                fault.lines = [
                    line for line in dict.fromkeys(fault.lines) if line and is_scripts(line)
                ]
                found.setdefault((kind.id, *fault.lines), fault)
    faults = [fault for fault in found.values() if fault.sure]
    causes = [fault for fault in faults if not _join(fault, faults)]
    questions = [fault for fault in found.values() if not fault.sure]
    return causes, [question for question in questions if not _cause(question, faults)]


def _join(fault: Fault, faults: list[Fault]) -> bool:
    """Put a fault below its cause, if it has one; return whether it has."""
    cause = _cause(fault, faults)
    if cause:
        cause.follows.append(fault)
    return bool(cause)


def _cause(fault: Fault, faults: list[Fault]) -> Fault | None:
    for other in faults:
        about_the_same = any(one is another for one in fault.about for another in other.about)
        if fault.kind.id in other.kind.causes and about_the_same and other is not fault:
            return other
    return None
