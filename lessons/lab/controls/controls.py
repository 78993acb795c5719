"""An explorer's controls as plain data: a name, a label, the first value, and the choices."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import traitlets


def slider(
    name: str,
    label: str,
    value: float,
    low: float,
    high: float,
    step: float = 1,
    format: int = 0,
    log: bool = False,
) -> dict:
    """Describe a slider; `format` is how many decimals it shows (0: as many as needed).

    With `log`, equal distances are equal ratios, and `step` doesn't count.
    """
    room = {"min": low, "max": high, "step": step, "format": format, "log": log}
    return _of("slider", name, label, value=value, **room)


def handle(
    name: str, label: str, value: float, low: float, high: float, step: float = 1, log: bool = False
) -> dict:
    """Describe a ring in the picture itself, to be dragged sideways."""
    return _of("handle", name, label, value=value, min=low, max=high, step=step, log=log)


def stops(name: str, label: str, value: float, stops: Sequence[float], format: int = 0) -> dict:
    """Describe a slider that has only these values."""
    room = {"min": stops[0], "max": stops[-1], "stops": list(stops), "format": format}
    return _of("slider", name, label, value=value, **room)


def segments(name: str, label: str, options: Sequence[str], value: str | None = None) -> dict:
    """Describe a row of buttons, exactly one of which is pressed."""
    return _of("segments", name, label, options=list(options), value=value or options[0])


def menu(
    name: str, label: str, options: Sequence[str], value: str | None = None, **also: Any
) -> dict:
    """Describe a drop-down list; a new choice gives other controls the values in `also`."""
    more = {"also": also} if also else {}
    return _of("menu", name, label, options=list(options), value=value or options[0], **more)


def tick(name: str, label: str, value: bool = False) -> dict:
    """Describe a checkbox."""
    return _of("tick", name, label, value=value)


def press(name: str, label: str) -> dict:
    """Describe a button; its value is the number of presses."""
    return _of("press", name, label, value=0)


def runs(name: str, label: str, most: int, **also: Any) -> dict:
    """Describe buttons that add one run or a hundred, and one that clears them; the value counts runs."""
    return _of("runs", name, label, value=0, min=0, max=most, step=1, also=also)


def order(name: str, label: str, options: Sequence[str]) -> dict:
    """Describe an order that the reader makes by dragging cards; it is "" until then."""
    return _of("order", name, label, options=["", *options], value="")


def player(name: str, label: str, last: int) -> dict:
    """Describe a slider over the moments 0 to `last`, with buttons to step and play."""
    return _of("player", name, label, value=0, min=0, max=last, step=1)


def _of(kind: str, name: str, label: str, **more: Any) -> dict:
    return {"kind": kind, "name": name, "label": label, **more}


def values(control: dict) -> list[Any]:
    """Return the values that a control can take."""
    if control["kind"] == "tick":
        return [False, True]
    if choices := control.get("options") or control.get("stops"):
        return choices
    low, step = control["min"], control["step"]
    return [_rounded(low + n * step) for n in range(round((control["max"] - low) / step) + 1)]


def _rounded(value: float) -> float:
    """Remove floating-point noise, as in 0.30000000000000004."""
    return round(value, 10) if isinstance(value, float) else value


def trait(control: dict) -> traitlets.TraitType:
    """Return what holds a control's value in Python.

    A number outside of a slider moves to the nearer end, as in ipywidgets, and may be between two of its
    steps. What else the control can't take raises TraitError.
    """
    value = control["value"]
    if choices := control.get("options") or control.get("stops"):
        return traitlets.Enum(choices, default_value=value).tag(sync=True)
    if isinstance(value, bool):
        return traitlets.Bool(value).tag(sync=True)
    kind = _Float if isinstance(value, float) else _Int
    limits = {"min": control.get("min", -math.inf), "max": control.get("max", math.inf)}
    return kind(value, **limits).tag(sync=True)


class _Float(traitlets.Float):
    """A number that moves to the nearer end if it is outside."""

    def validate(self, widget: Any, value: Any) -> float:
        if not isinstance(value, Real) or math.isnan(value):
            self.error(widget, value)
        return super().validate(widget, float(min(max(value, self.min), self.max)))


class _Int(traitlets.Int):
    """A whole number that moves to the nearer end if it is outside."""

    def validate(self, widget: Any, value: Any) -> int:
        if not isinstance(value, Real) or math.isnan(value) or value % 1:
            self.error(widget, value)
        return super().validate(widget, int(min(max(value, self.min), self.max)))
