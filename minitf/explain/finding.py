"""A finding is a function that looks for one kind of fault in what a script did.

    @finding("rate-grows", lesson="05_the_rate_reads_the_clock", title="The rate grows")
    def rate_grows(script):
        for call, points in script.rates.values():
            if points[-1] > points[0]:
                yield Fault("It grew.", "decay_rate=0.5", [call.line])

What the run shows to be wrong is a fault. What only might be wrong isn't sure, so it's a question.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

FINDINGS: dict[str, "Finding"] = {}


class Finding(NamedTuple):
    """A kind of fault: its identifier, the lesson about it, its title, and how to look for it."""

    id: str
    lesson: str
    title: str
    look: Callable


class Fault(NamedTuple):
    """What was found: the evidence from the run, a cure ("" for none), and the script's lines."""

    evidence: str
    cure: str
    lines: Sequence
    sure: bool = True


def finding(id: str, lesson: str, title: str) -> Callable:
    """Decorate a function that yields the Faults of this kind in a ScriptRun."""

    def enter(look: Callable) -> Callable:
        FINDINGS[id] = Finding(id, lesson, title, look)
        return look

    return enter


def item(says, *lines, **facts):
    """Return an item of the report, about some lines of the script."""
    return {"says": says, "lines": [str(line) for line in dict.fromkeys(lines)], **facts}


def all_findings(script):
    """Return the findings, and the questions that remain, as items of the report."""
    faults, questions = {}, {}
    for kind in FINDINGS.values():
        for fault in kind.look(script):
            found = faults if fault.sure else questions
            found.setdefault((kind.id, *fault.lines), _as_item(kind, fault))
    return [*faults.values()], [*questions.values()]


def _as_item(kind: Finding, fault: Fault) -> dict:
    return item(
        f"{kind.title} [{kind.id}]",
        *fault.lines,
        id=kind.id,
        evidence=fault.evidence,
        cure=fault.cure,
        lesson=f"lessons/{kind.lesson}.ipynb",
    )
