"""One Variable, many memories: the explorer and the table show what sessions really hold."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from lab import MemoryExplorer, check_counting, memory_of
from lab.scene import Arrow, Text


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
    with tf.Graph().as_default():
        yield


def texts(scene):
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def test_a_memory_is_empty_then_filled_and_later_runs_do_not_change_what_was_shown():
    step = tf.Variable(0, name="step")
    tf.Variable([0.5, 1 / 3], name="w")
    add_one = tf.assign_add(step, 1)
    with tf.Session() as sess:
        assert repr(memory_of(sess)) == "no entries"
        assert memory_of(sess)._repr_html_() == "<p>no entries</p>"
        sess.run(tf.global_variables_initializer())
        memory = memory_of(sess)
        sess.run(add_one)
        assert memory.entries["step"] == "0" and memory_of(sess).entries["step"] == "1"


def test_a_memory_is_a_table_in_the_order_of_names():
    for name, value in {"w": [0.5, 1 / 3], "b": 2.0, "large": np.zeros([20, 5])}.items():
        tf.Variable(value, name=name)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        memory = memory_of(sess)
    lines = ["b: 2", "large: 100 numbers, shape (20, 5)", "w: [0.5, 0.3333]"]
    assert repr(memory).splitlines() == lines
    assert memory._repr_html_().count("<tr>") == 4
    assert "<code>[0.5, 0.3333]</code>" in memory._repr_html_()


@pytest.mark.parametrize("a, b", [(0, 0), (1, 9), (9, 1)])
def test_each_session_holds_the_number_of_its_own_runs(a, b):
    explorer = MemoryExplorer()
    explorer.runs_in_a.value, explorer.runs_in_b.value = a, b
    assert f"Session A holds step: {a} after {a} run" in explorer.words
    assert f"Session B holds step: {b} after {b} run" in explorer.words
    assert [text for text in texts(explorer.picture()) if text.startswith("step: ")] == [f"step: {a}", f"step: {b}"]


@pytest.mark.parametrize(
    "runs, end",
    [
        (0, "0 runs of add_one: no error yet."),
        (1, "1 run of add_one: an error."),
        (3, "3 runs of add_one: an error each time."),
    ],
)
def test_without_the_initializer_there_is_no_entry_and_no_arrow_to_it(runs, end):
    explorer = MemoryExplorer()
    with_entry = [shape for shape in explorer.picture().shapes if isinstance(shape, Arrow)]
    explorer.initialized_in_b.value = False
    explorer.runs_in_b.value = runs
    scene = explorer.picture()
    assert explorer.words.endswith(f"Session B has no entry for step. {end}")
    assert "no entry for step" in texts(scene)
    arrows = [shape for shape in scene.shapes if isinstance(shape, Arrow)]
    assert arrows == with_entry[:-1]


def counter(value=0, **options):
    return tf.Variable(value, **{"trainable": False, **options})


RIGHT = {
    "assign_add": lambda step: tf.assign_add(step, 1),
    "its method": lambda step: step.assign_add(1),
    "assign": lambda step: tf.assign(step, step + 1),
    "less than nothing": lambda step: tf.assign_sub(step, -1),
    "the op, not the tensor": lambda step: tf.assign_add(step, 1).op,
    "a group": lambda step: tf.group(tf.assign_add(step, 1)),
    "read afterwards": lambda step: _read_after(step),
}


def _read_after(step):
    with tf.control_dependencies([tf.assign_add(step, 1)]):
        return tf.identity(step)


@pytest.mark.parametrize("build", RIGHT.values(), ids=RIGHT)
def test_there_are_many_right_counters(build):
    step = counter()
    verdict = check_counting(step, build(step))
    assert verdict and "remark" not in verdict.message, verdict


def test_a_right_counter_is_right_again_and_its_graph_does_not_grow():
    step = counter(dtype=tf.int64)
    count_op = tf.assign_add(step, 1)
    before = tf.get_default_graph().get_operations()
    assert check_counting(step, count_op) and check_counting(step, count_op)
    assert tf.get_default_graph().get_operations() == before


def test_a_counter_that_joins_no_collection_is_right_too():
    step = counter(collections=[])
    assert check_counting(step, tf.assign_add(step, 1))


def test_what_could_be_better_is_remarked_and_still_right():
    step = counter(0.0, trainable=True)
    tf.assign_add(step, 1)
    message = check_counting(step, tf.assign_add(step, 1)).message
    for words in ("Add trainable=False", "holds whole numbers", "2 ops change this counter"):
        assert words in message


@pytest.mark.parametrize(
    "build, words",
    [
        (lambda: (0, None), "of the Python type NoneType"),
        (lambda: (0, 1), "of the Python type int, no op"),
        (lambda: (0, "add_one"), "of the Python type str"),
        (lambda: (None, tf.constant(1)), "`counter` is of the Python type NoneType"),
        (lambda: (counter, tf.no_op()), "`count_op` adds to something else"),
        (lambda: ("0", tf.constant("1")), "Three runs give ?, ?, ?"),
        (lambda: (counter("0"), tf.constant("1")), "does not hold one number"),
        (lambda: (counter([0]), tf.constant(1)), "does not hold one number"),
        (lambda: (counter(), counter()), "`count_op` does not change it"),
        (lambda: (counter(), tf.no_op()), "`count_op` does not change it"),
        (lambda: (counter(), tf.constant([1, 2])), "still a constant"),
        (lambda: (0, tf.placeholder(tf.int32, [], name="x")), "A run stops: You must feed"),
        (lambda: (counter(-1), tf.constant(1)), "still a constant"),
        (lambda: (counter(), tf.assign_add(counter(), 1)), "changes another Variable"),
    ],
)
def test_odd_answers_are_named(build, words):
    verdict = check_counting(*build())
    assert not verdict
    assert words in verdict.message


def test_parts_of_different_graphs_are_named():
    step = counter()
    with tf.Graph().as_default():
        assert "different graphs" in check_counting(step, tf.constant(1)).message
