"""lab is what the lessons import to draw, ask and check; the teaching itself is in the lessons."""

from importlib import import_module

from lab import one_thread, programs  # one_thread before anything imports NumPy
from lab.explore import explore
from lab.figures import use

use()

# Which module each name comes from; it is imported when a lesson first asks for the name.
_MODULES = {
    "cards": "OrderShuffler",
    "checks.inheritance": "check_inheritance",
    "checks.lesson_00": "check_start",
    "checks.lesson_01": "check_needed",
    "checks.lesson_02": "check_two_sessions",
    "checks.lesson_03": "check_halving",
    "checks.lesson_04": "check_apply_gradients",
    "checks.lesson_05": "check_by_epochs",
    "checks.lesson_06": "check_converges",
    "checks.lesson_07": "check_log",
    "checks.lesson_08": "check_one_step",
    "checks.lesson_09": "check_guard",
    "checks.lesson_10": "check_rescued check_resumes",
    "checks.lesson_11": "check_log_hook",
    "checks.lesson_12": "check_curves",
    "checks.lesson_13": "check_rounds",
    "checks.lesson_14": "check_ported",
    "checks.lesson_15": "check_case",
    "checks.lesson_16": "check_built ours_unless_right",
    "experiments.clinic": "run_case",
    "experiments.errors": "attempt",
    "experiments.inheritance": "inheritance",
    "experiments.inherited": "curve inherited kill_and_restart run_inherited run_with_counter "
    "with_histograms without_lines",
    "experiments.turns": "with_workers",
    "explorers.first_batches": "draw_first_batches",
    "explorers.hook_calls": "draw_hook_calls hook_calls",
    "explorers.memory": "draw_memory",
    "explorers.two_runs": "draw_two_runs",
    "files.edited": "changes yours",
    "files.logged": "logged",
    "files.recorded": "recorded",
    "files.temporary_folder": "temporary_folder",
    "graphs": "draw_graph",
    "nodes": "draw_nodes",
    "stepping": "step_through",
    "toy": "Toy",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lab' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"lab.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
