"""lab is what the lessons import to draw, ask and check; the teaching itself is in the lessons."""

import re
from importlib import import_module
from pathlib import Path

from lab import one_thread  # before anything imports NumPy

# Which module each name comes from; it is imported when a lesson first asks for the name.
# Checks and explorers need no line here: they are found in their files.
_MODULES = {
    "controls.quiz": "predict quiz",
    "drawing.curves": "plot_accuracy plot_curves plot_delays plot_weight",
    "drawing.digits": "show_digits",
    "drawing.graphs": "compare_graphs draw_graph",
    "drawing.learned": "learned_and_counted",
    "drawing.nodes": "draw_nodes",
    "drawing.programs": "compare_programs",
    "drawing.rates": "side_by_side small_curves",
    "drawing.wave": "plot_error",
    "experiments.clinic": "run_case",
    "experiments.errors": "attempt",
    "experiments.inheritance": "inheritance",
    "experiments.inherited": "curve inherited kill_and_restart run_inherited without_lines",
    "experiments.turns": "with_workers",
    "files.logged": "logged",
    "files.recorded": "recorded",
    "files.temporary_folder": "temporary_folder",
    "workers.engine": "Engine ServerLost",
    "workers.parameter_server": "ParameterServer",
    "checks.lesson_16": "ours_unless_right",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
for _room in ("checks", "explorers"):
    for _path in (Path(__file__).parent / _room).glob("*.py"):
        _text = _path.read_text(encoding="utf-8")
        _found = re.findall(r"^(?:def|class) (check_\w+|\w+(?=\(Explorer\)))", _text, re.MULTILINE)
        _HOMES |= dict.fromkeys(_found, f"{_room}.{_path.stem}")
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lab' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"lab.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
