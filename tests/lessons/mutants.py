"""Plausible wrong answers to the exercises, and what their rejection has to say.

For each exercise two or more of (what is wrong, the wrong code, words of the message that name it).
"""

from __future__ import annotations

MUTANTS: dict[str, list[tuple[str, str, str]]] = {}
