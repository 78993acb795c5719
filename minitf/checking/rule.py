"""A rule is a function that looks for one kind of fault in a script's text.

    @rule("saves-every-step")
    def saves_every_step(script):
        for call in script.by_name["save"]:
            if ...:
                yield call, "This line writes a checkpoint at every training step"

For each fault, it yields a node of the syntax tree and a line on what's wrong there and why it
matters. It reports only what the text proves, or very nearly.
"""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from minitf.explain.finding import FINDINGS

RULES: dict[str, "Rule"] = {}
Fault = tuple[ast.AST, str]


class Rule(NamedTuple):
    """A kind of fault, and how to look for it."""

    id: str
    title: str
    lesson: str
    look: Callable


def rule(id: str, lesson: str = "", title: str = "") -> Callable:
    """Decorate a function that yields the faults of this kind in a Script.

    A kind that `--explain` also finds has its title and lesson from there.
    """

    def enter(look: Callable[..., Iterator[Fault]]) -> Callable:
        known = FINDINGS.get(id)
        if bool(known) is bool(title):
            raise ValueError(f"{id}: a title is for kinds that --explain doesn't find")
        RULES[id] = Rule(
            id, known.title if known else title, known.lesson if known else lesson, look
        )
        return look

    return enter
