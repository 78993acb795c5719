"""How much room a picture takes: it must be the same for all settings of an explorer, so that nothing jumps."""

from __future__ import annotations

from lab.drawing.parts import Picture


def room(picture: Picture) -> list[tuple]:
    """Return what decides how high each part is."""
    return [_room(part) for part in picture.parts]


def _room(part: dict) -> tuple:
    kept = [part.get(name) for name in ("basis", "grow", "height", "reserve", "row")]
    inner = [len(part.get(name, ())) for name in ("rows", "groups", "images")]
    lines = 0 if part["type"] == "chart" or "reserve" in part else len(part.get("lines", ()))
    heads = [name for name in ("title", "head", "groups") if part.get(name)]
    return part["type"], *kept, *inner, lines, heads, [_room(one) for one in part.get("parts", ())]
