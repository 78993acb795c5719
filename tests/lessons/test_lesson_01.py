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


def test_the_eight_ops_are_tensorflows():
    names = [name for name, _ in ANSWERS["ops"]]
    assert words("graph") == [f"The graph has 8 operations: {', '.join(names)}."]
    view = json.loads(code()["graph"].outputs[0].data[VIEW])
    boxes = [[node["label"], node["detail"]] for node in view["picture"]["parts"][0]["nodes"]]
    assert sorted(boxes) == sorted(ANSWERS["ops"])


def test_the_ten_ops_of_the_exercise_are_tensorflows():
    ops, without, both = answered("the_branches_of_a_graph")
    assert words("branches") == [f"The graph has 10 operations: {', '.join(name for name, _ in ops)}."]
    assert answered("a_fetch_that_needs_no_number_of_a_variable")[0] == without  # `scaled` fails, `other` does not


# What the text says.


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


# What the quiz says.
