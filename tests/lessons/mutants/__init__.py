"""Plausible wrong answers to the exercises, and what their rejection has to say.

One file a lesson: its `MUTANTS` has, for each exercise (named as in tests/lessons/exercises.py), two or
more of (what is wrong, the wrong code, words of the message that name it).
"""

from __future__ import annotations

import importlib
import pkgutil

Mutant = tuple[str, str, str]

MUTANTS: dict[str, list[Mutant]] = {}
for _module in pkgutil.iter_modules(__path__):
    MUTANTS |= importlib.import_module(f"{__name__}.{_module.name}").MUTANTS
