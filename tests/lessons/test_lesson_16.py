"""Lesson 16 builds micro.py, cell by cell, and what the reader's own pieces print is what TensorFlow prints."""

from __future__ import annotations

import contextlib
import inspect
import io

import numpy as np
import pytest
from build import micro

import minitf
from lab import recorded
from lab.checks import lesson_16
from tests.lessons.exercises import _at_home, exercises_of
from tests.lessons.notebooks import LESSONS, cells, read

NAME = "16_build_it_yourself"
NOTEBOOK = read(LESSONS / f"{NAME}.ipynb")
CODE = {cell.id: cell for cell in cells(NOTEBOOK, "code")}
EXERCISES = list(exercises_of(NAME, NOTEBOOK))
PIECES = {
    "unique_name",
    "Variable",
    "walk_back",
    "Session",
    "gradients",
    "control_dependencies",
    "GradientDescentOptimizer",
    "exponential_decay",
}
ANSWERS = recorded("experiment")


def printed(name):
    return "".join(output.get("text", "") for output in CODE[name].outputs).splitlines()


def lines_of(code):
    return [line for line in code.splitlines() if line.strip()]


# The lesson and the file.


def test_its_cells_and_its_solutions_are_the_file():
    solutions = {exercise.cell.id: exercise.solution for exercise in EXERCISES}
    built = [
        line
        for cell in NOTEBOOK.cells
        for line in lines_of(solutions.get(cell.id) or cell.source * ("micro" in cell.metadata.get("tags", [])))
    ]
    _, _, file = (LESSONS / "build" / "micro.py").read_text(encoding="utf-8").split('"""', 2)
    assert built == lines_of(file)


def test_each_piece_has_an_exercise():
    asked = [exercise.check.source for exercise in EXERCISES]
    assert {source.split('"')[1] for source in asked} == PIECES
    assert all(f'exec(lab.ours_unless_right("{name}"))' in [cell.source for cell in CODE.values()] for name in PIECES)


def run_the_lesson(answers):
    """Run the whole lesson with these answers (by number), and return its namespace and what it printed."""
    namespace = {"__name__": "__main__", "display": lambda *things: None}
    out = {}
    answered = {EXERCISES[number].cell.id: answer for number, answer in answers.items()}
    with _at_home(LESSONS):
        for cell in CODE.values():
            with contextlib.redirect_stdout(io.StringIO()) as text:
                exec(compile(answered.get(cell.id, cell.source), f"<{cell.id}>", "exec"), namespace)
            out[cell.id] = text.getvalue().splitlines()
    return namespace, out


@pytest.mark.parametrize("solved", [set(), {1, 3, 5, 7}, {0, 2, 4, 6}, set(range(8))], ids=str)
def test_it_runs_whatever_is_solved(solved):
    namespace, out = run_the_lesson({number: EXERCISES[number].solution for number in solved})
    for name in ("ten-lines", "yours", "without", "first-run", "shape", "curvature", "run-two", "agree"):
        assert out[name] == printed(name)
    right = {EXERCISES[number].check.source.split('"')[1] for number in solved}
    assert right == lesson_16.RIGHT
    for name in PIECES:  # ours come as text, and theirs stay
        [*methods] = (getattr(namespace[name], method, None) for method in ("run", "minimize", "assign_add"))
        code = next(filter(None, methods), namespace[name])
        code = getattr(code, "__wrapped__", code).__code__
        assert (code.co_filename == "<string>") == (name not in right), name


def test_a_check_leaves_the_reader_s_graph_as_it_was():
    namespace = dict(vars(micro)) | {"graph": {"mine": None}, "waiting_for": []}
    exec((LESSONS / "build" / "micro.py").read_text(encoding="utf-8"), namespace)
    namespace["graph"]["mine"] = None
    for name in sorted(PIECES):
        assert lesson_16.check_built(name, namespace)
        assert list(namespace["graph"]) == ["mine"]
        assert namespace["waiting_for"] == []


# What it shows is what TensorFlow prints.


def test_missing_values_end_in_the_words_of_minitf():
    with minitf.Graph().as_default():
        x = minitf.placeholder(minitf.float32, name="x")
        w = minitf.Variable(0.0, name="w")
        for fetch, said in zip((w, x), printed("first-run")[::2], strict=True):
            with pytest.raises(minitf.errors.OpError) as error:
                minitf.Session().run(fetch)
            assert error.value.message.startswith(said)
    assert printed("first-run")[1] == "0.0"


def test_minitf_stops_where_w_would_become_ten_numbers():
    assert printed("shape")[-1] == "w has the shape (10, 1)"
    with minitf.Graph().as_default():
        x = minitf.placeholder(minitf.float32)
        w = minitf.Variable(0.0)
        update = minitf.assign_sub(w, w * x)
        sess = minitf.Session()
        sess.run(w.initializer)
        with pytest.raises(minitf.errors.InvalidArgumentError, match="Parameters and update must be the same size"):
            sess.run(update, {x: np.ones((10, 1))})


def test_a_float32_stops_counting():
    step = micro.Variable(16_777_216, trainable=False)
    one = step.assign_add(1)
    sess = micro.Session()
    sess.run(step.initializer)
    assert sess.run(one) == 16_777_216
    step = micro.Variable(16_777_215, trainable=False)
    sess.run(step.initializer)
    assert sess.run(step.assign_add(1)) == 16_777_216
    micro.graph.clear()


def test_an_attempt_leaves_nothing_to_the_next():
    """A list that was rebound, not put back, still held a Node when the next answer was tried."""
    with_finally = """
def control_dependencies(nodes):
    global waiting_for
    before = waiting_for
    waiting_for = before + list(nodes)
    try:
        yield
    finally:
        waiting_for = before
"""
    namespace = dict(vars(micro))
    exec(inspect.getsource(micro.Node), namespace)  # so that it reads this namespace's waiting_for
    exec(inspect.getsource(micro.constant), namespace)
    without = with_finally.replace("    try:\n        yield\n    finally:\n        waiting", "    yield\n    waiting")
    said = []
    for source in (without, with_finally):
        exec(source, namespace)
        namespace["control_dependencies"] = contextlib.contextmanager(namespace["control_dependencies"])
        said.append(lesson_16.check_built.__wrapped__("control_dependencies", namespace))
    assert "Use `finally`" in said[0]
    assert said[1].right, said[1]


def test_updates_that_wait_for_no_gradient_are_not_right_by_the_reader_s_own_order():
    """In the order of building, every gradient comes before the first update, with or without a block that waits."""
    in_building_order = """
def walk_back(nodes, known=(), order=()):
    needed, left = set(), list(nodes)
    while left:
        node = left.pop()
        if node not in needed and node not in known:
            needed.add(node)
            left += node.inputs + node.control_inputs
    return [*order, *(node for node in graph.values() if node in needed)]
"""
    namespace = dict(vars(micro))
    file = (LESSONS / "build" / "micro.py").read_text(encoding="utf-8")
    waits = "with control_dependencies([d for d, w in pairs]):  # no update before all gradients"
    assert waits in file
    said = []
    for source in (file.replace(waits, "if True:"), file):
        exec(source + in_building_order, namespace)
        assert lesson_16.check_built.__wrapped__("walk_back", namespace).right
        said.append(lesson_16.check_built.__wrapped__("GradientDescentOptimizer", namespace))
    assert "by luck: another right walk_back would make them [1.7, 2.83]" in said[0]
    assert said[1].right, said[1]
