"""lab is what the lessons import to draw, to ask and to check; what a lesson teaches stands in the lesson."""

from lab import one_thread  # before anything imports NumPy

from lab.board import TensorBoard
from lab.bug_switcher import BugSwitcher
from lab.call_timeline import CallTimeline
from lab.checkpoint_timeline import CheckpointTimeline
from lab.checks.lesson_00 import check_start
from lab.checks.lesson_01 import check_needed
from lab.checks.lesson_02 import check_counting
from lab.checks.lesson_03 import check_halving
from lab.checks.lesson_04 import check_apply_gradients
from lab.checks.lesson_05 import check_by_epochs
from lab.checks.lesson_06 import check_converges
from lab.checks.lesson_07 import check_before_and_after
from lab.checks.lesson_08 import check_one_step
from lab.checks.lesson_09 import check_decay
from lab.checks.lesson_10 import check_resumes
from lab.checks.lesson_11 import check_stops_when_small
from lab.checks.lesson_12 import check_histogram
from lab.checks.lesson_13 import check_epochs
from lab.checks.lesson_14 import check_ported
from lab.checks.lesson_15 import check_case
from lab.clinic import diagnose, symptoms
from lab.collection_viewer import CollectionViewer
from lab.counter import CounterExplorer
from lab.decay import DecayExplorer
from lab.digits import show_digits, show_weights
from lab.edge_switch import EdgeSwitch
from lab.elsewhere import ElsewhereExplorer
from lab.engine import Engine, ServerLost
from lab.first_steps import FirstSteps
from lab.graph_picture import compare_graphs, draw_graph, ops_of_a_run
from lab.learning_curves import learning_curves
from lab.logged import logged
from lab.memory import MemoryExplorer, memory_of
from lab.parameter_server import ParameterServer
from lab.predict import Prediction
from lab.quiz import quiz
from lab.recorded import recorded
from lab.schedules import ScheduleExplorer
from lab.small_curves import small_curves
from lab.smoothing import SmoothingExplorer
from lab.stability import StabilityExplorer
from lab.stepper import Stepper
from lab.temporary_folder import temporary_folder
from lab.twin import compare_programs, side_by_side
from lab.worker_lanes import WorkerRuns
from lab.worker_scheduler import WorkerScheduler

__all__ = [
    "BugSwitcher",
    "CallTimeline",
    "CheckpointTimeline",
    "CollectionViewer",
    "CounterExplorer",
    "DecayExplorer",
    "EdgeSwitch",
    "ElsewhereExplorer",
    "Engine",
    "FirstSteps",
    "MemoryExplorer",
    "ParameterServer",
    "Prediction",
    "ScheduleExplorer",
    "ServerLost",
    "SmoothingExplorer",
    "StabilityExplorer",
    "Stepper",
    "TensorBoard",
    "WorkerRuns",
    "WorkerScheduler",
    "check_apply_gradients",
    "check_before_and_after",
    "check_by_epochs",
    "check_case",
    "check_converges",
    "check_counting",
    "check_decay",
    "check_epochs",
    "check_halving",
    "check_histogram",
    "check_needed",
    "check_one_step",
    "check_ported",
    "check_resumes",
    "check_start",
    "check_stops_when_small",
    "compare_graphs",
    "compare_programs",
    "diagnose",
    "draw_graph",
    "learning_curves",
    "logged",
    "memory_of",
    "ops_of_a_run",
    "quiz",
    "recorded",
    "show_digits",
    "show_weights",
    "side_by_side",
    "small_curves",
    "symptoms",
    "temporary_folder",
]
