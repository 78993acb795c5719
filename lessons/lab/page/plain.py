"""Plain data: what JSON can hold, the same on every processor, and stored without repetition."""

import json
import math
from typing import Any

import numpy as np

DIGITS = 5  # as many as a picture can show


def plain(value: Any) -> Any:
    """Return `value` as JSON holds it: lists, dicts, floats of five digits, None if not finite."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        rounded = float(f"{value:.{DIGITS}g}")
        if math.isinf(rounded):  # the largest numbers of all
            return value
        return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded
    return value


def key_of(values: list) -> str:
    """Return what `JSON.stringify` makes of a list of numbers, words and booleans."""
    return json.dumps(plain(values), separators=(",", ":"), ensure_ascii=False)


def delta(base: Any, now: Any) -> Any:
    """Return how `now` differs: a dict of changes by key or index, or [now] if all of it is new.

    The page puts the two together again (`patched` in rules/stored.js).
    """
    if isinstance(base, dict) and isinstance(now, dict) and base.keys() == now.keys():
        pairs = [(key, base[key], now[key]) for key in base]
    elif isinstance(base, list) and isinstance(now, list) and len(base) == len(now):
        pairs = [(str(i), *pair) for i, pair in enumerate(zip(base, now, strict=True))]
    else:
        return [now]
    changes = {key: delta(old, new) for key, old, new in pairs if old != new}
    if isinstance(base, dict):
        return changes
    return min(changes, [now], key=lambda change: len(json.dumps(change)))
