"""What lesson 01 prints and says is what TensorFlow was recorded to answer, and what minitf does."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

import minitf as tf
from lab import recorded
from minitf.client.session import program_of
from tests.conformance.transcripts import answers
from tests.lessons.notebooks import LESSONS, VIEW, cells, read

LESSON = LESSONS / "01_a_graph_is_not_a_run.ipynb"
ANSWERS = recorded("graphs_and_runs")


@cache
def code():
    """Return the lesson's code cells by their ids."""
    return {cell.id: cell for cell in cells(read(LESSON), "code")}


def printed(cell):
    """Return the lines that a cell printed."""
    return "".join(output.get("text", "") for output in code()[cell].outputs).splitlines()


def words(cell):
    """Return what a cell's view says."""
    [output] = code()[cell].outputs
    return output.data["text/plain"].splitlines()


def answered(program):
    """Return what TensorFlow was recorded to answer to a program."""
    return answers("graphs_and_runs", program)


@pytest.fixture
def built():
    """Build the lesson's graph and give `w` its number: x, y, mul, sub, and a session."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = (tf.placeholder(tf.float32, [], name=name) for name in "xy")
        w = tf.Variable(3.0, name="w")
        mul = w * x
        sess.run(w.initializer)
        yield x, y, mul, mul - y, sess


# What TensorFlow prints.


def test_the_text_names_the_version_that_was_asked():
    text = "".join(cell.source for cell in cells(read(LESSON), "markdown"))
    versions = set(re.findall(r"TensorFlow (2[.\d]*\d)", text))
    assert versions == {ANSWERS["tensorflow"].rpartition(".")[0]}


def test_a_tensor_is_printed_as_tensorflow_prints_it():
    assert printed("model") == ANSWERS["printed"][:1]


def test_the_eight_ops_are_tensorflows():
    names = [name for name, _ in ANSWERS["ops"]]
    assert words("graph") == [f"The graph has 8 operations: {', '.join(names)}."]
    view = json.loads(code()["graph"].outputs[0].data[VIEW])
    boxes = [[node["label"], node["detail"]] for node in view["picture"]["parts"][0]["nodes"]]
    assert sorted(boxes) == sorted(ANSWERS["ops"])


def test_the_results_are_tensorflows():
    assert [float(number) for number in printed("fetch")[0].split()] == ANSWERS["results"]
    assert f"gives {ANSWERS['results'][0]:g}" in words("explorer")[-2]


def test_one_of_two_fetches_misses_the_feed_as_in_tensorflow():
    assert printed("part") == [str(ANSWERS["part"][0]), f"InvalidArgumentError: {ANSWERS['forgotten'][0]}"]


def test_python_prints_once_as_under_tensorflow():
    lines, results = ANSWERS["python"]
    assert printed("double") == [*lines, *(f"{result:g}" for result in results)]
    assert len(lines) == 1


def test_the_ten_ops_of_the_exercise_are_tensorflows():
    ops, without, both = answered("the_branches_of_a_graph")
    assert words("branches") == [f"The graph has 10 operations: {', '.join(name for name, _ in ops)}."]
    assert answered("a_fetch_that_needs_no_number_of_a_variable")[0] == without  # `scaled` fails, `other` does not


# What the text says.


def test_four_ops_run_for_mul():
    assert words("draw-part") == [
        "A run needs 4 of 8 operations: x, w, w/read, mul.",
        "Not needed: y, w/initial_value, w/Assign, sub.",
    ]


def test_the_read_op_copies_nothing():
    old, new = "w/read:0", [40.0, 50.0]  # two runs, and the update belongs to both
    assert answered("the_read_op_hands_on_the_current_value") == [old, old, *new]
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(3.0, name="w")
        reading = tf.get_default_graph().get_tensor_by_name("w/read:0")
        with tf.control_dependencies([tf.assign_add(w, 1.0)]):
            late = reading * 10.0  # waits for the update; the read op does not
        program = program_of([w * 1.0, late]).source
        assert program.count('= state["w"]') == 2  # one read op, and each op that uses it reads in its own place
        sess.run(w.initializer)
        assert sess.run(late) == new[0]


def test_double_leaves_a_constant_and_a_multiplication(built):
    x, *_ = built
    before = len(x.graph.get_operations())
    doubled = x * 2
    assert [op.type for op in x.graph.get_operations()[before:]] == ["Const", "Mul"]
    assert doubled.op.type == "Mul"


def test_the_first_cell_run_twice_makes_eight_more_ops():
    with tf.Graph().as_default() as graph:
        for _ in range(2):
            exec(code()["model"].source.replace("print(mul)", ""), {})
        assert len(graph.get_operations()) == 2 * 8
        assert graph.get_operation_by_name("mul_1").type == "Mul"


# What the quiz says.


def test_a_feed_too_many_changes_nothing(built):
    x, y, mul, _, sess = built
    with_y, without = answered("a_feed_that_the_fetch_does_not_need")
    assert sess.run(mul, {x: 2.0, y: 1.0}) == with_y == without == 6


def test_each_turn_of_a_loop_builds_again(built):
    x, _, mul, _, sess = built
    _, new = answered("an_expression_in_a_loop")
    assert len(new) == 2 * 3  # in three turns
    before = len(x.graph.get_operations())
    for _ in range(1000):
        sess.run(mul * 2, {x: 2.0})
    assert len(x.graph.get_operations()) == before + 2000


def test_what_two_fetches_need_runs_once(built):
    x, y, mul, sub, sess = built
    calls = []

    def watch(value):
        calls.append(float(value))
        return value

    seen = tf.py_func(watch, [mul], tf.float32)
    assert sess.run([seen, seen - y], {x: 2.0, y: 1.0}) == [6, 5]
    assert calls == [6]
    assert program_of([mul, sub]).source.count("w * x") == 1
