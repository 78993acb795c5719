"""lab is what the lessons import to draw, to ask and to check; what a lesson teaches stands in the lesson."""

from lab.board import TensorBoard
from lab.checks.lesson_00 import check_start
from lab.checks.lesson_01 import check_needed
from lab.checks.lesson_02 import check_counting
from lab.checks.lesson_03 import check_halving
from lab.checks.lesson_04 import check_apply_gradients
from lab.checks.lesson_05 import check_by_epochs
from lab.checks.lesson_06 import check_converges
from lab.checks.lesson_07 import check_before_and_after
from lab.checks.lesson_08 import check_one_step
from lab.checks.lesson_12 import check_histogram
from lab.collection_viewer import CollectionViewer
from lab.counter import CounterExplorer
from lab.decay import DecayExplorer
from lab.edge_switch import EdgeSwitch
from lab.graph_picture import compare_graphs, draw_graph, ops_of_a_run
from lab.logged import logged
from lab.memory import MemoryExplorer, memory_of
from lab.predict import Prediction
from lab.quiz import quiz
from lab.recorded import recorded
from lab.schedules import ScheduleExplorer
from lab.small_curves import small_curves
from lab.smoothing import SmoothingExplorer
from lab.stability import StabilityExplorer
from lab.stepper import Stepper
from lab.twin import compare_programs, side_by_side

__all__ = [
    "CollectionViewer",
    "CounterExplorer",
    "DecayExplorer",
    "EdgeSwitch",
    "MemoryExplorer",
    "Prediction",
    "ScheduleExplorer",
    "SmoothingExplorer",
    "StabilityExplorer",
    "Stepper",
    "TensorBoard",
    "check_apply_gradients",
    "check_before_and_after",
    "check_by_epochs",
    "check_converges",
    "check_counting",
    "check_halving",
    "check_histogram",
    "check_needed",
    "check_one_step",
    "check_start",
    "compare_graphs",
    "compare_programs",
    "draw_graph",
    "logged",
    "memory_of",
    "ops_of_a_run",
    "quiz",
    "recorded",
    "side_by_side",
    "small_curves",
]
