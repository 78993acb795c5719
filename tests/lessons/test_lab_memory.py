"""One Variable, many memories: the explorer and the table show what sessions really hold."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from lab import MemoryExplorer, check_counting, memory_of


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
    with tf.Graph().as_default():
        yield


def test_a_memory_is_empty_then_filled_and_later_runs_do_not_change_what_was_shown():
    step = tf.Variable(0, name="step")
    tf.Variable([0.5, 1 / 3], name="w")
    add_one = tf.assign_add(step, 1)
    with tf.Session() as sess:
        assert repr(memory_of(sess)) == str(memory_of(sess)) == "no entries"
        sess.run(tf.global_variables_initializer())
        memory = memory_of(sess)
        sess.run(add_one)
        assert memory["step"] == "0" and memory_of(sess)["step"] == "1"


def test_a_memory_has_a_line_for_each_variable_in_the_order_of_names():
    for name, value in {"w": [0.5, 1 / 3], "b": 2.0, "large": np.zeros([20, 5])}.items():
        tf.Variable(value, name=name)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        memory = memory_of(sess)
    lines = ["b: 2", "large: 100 numbers, shape (20, 5)", "w: [0.5, 0.3333]"]
    assert repr(memory).splitlines() == lines


@pytest.mark.parametrize("a, b", [(0, 0), (1, 9), (9, 1), (3, 5)])
def test_each_session_holds_the_number_of_its_own_runs(a, b):
    picture = MemoryExplorer().picture(a, b, True)
    assert f"Session A holds step: {a} after {a} run" in picture.words
    assert f"Session B holds step: {b} after {b} run" in picture.words
    assert [(node["kind"], node["value"]) for node in sessions(picture)] == [
        ("done", f"step: {a}"),
        ("done", f"step: {b}"),
    ]


def sessions(picture):
    return picture.parts[0]["nodes"][-2:]


@pytest.mark.parametrize(
    "runs, end",
    [
        (0, "0 runs of add_one: no error yet."),
        (1, "1 run of add_one: an error."),
        (3, "3 runs of add_one: an error each time."),
    ],
)
def test_without_the_initializer_there_is_no_entry(runs, end):
    picture = MemoryExplorer().picture(3, runs, False)
    assert "Session A holds step: 3 after 3 runs of add_one." in picture.words
    assert picture.words.endswith(f"Session B has no entry for step. {end}")
    in_a, in_b = sessions(picture)
    assert in_a["value"] == "step: 3"
    assert (in_b["kind"], in_b["value"]) == ("off", "no entry")
    assert in_b["detail"] == (
        f"{runs} run{'s' * (runs > 1)}: {end.partition(': ')[2]}"[:-1] if runs else "0 runs of add_one"
    )
    names = [edge["name"] for edge in picture.parts[0]["edges"] if edge["ends"][1] == 5]
    assert names == [""]


def test_a_value_goes_along_one_line_only_and_none_is_dashed():
    edges = MemoryExplorer().picture(2, 5, True).parts[0]["edges"]
    assert [edge["name"] for edge in edges if not edge["bare"]] == ["adds 1 to"]
    assert not any(edge.get("order") for edge in edges)


def test_every_line_starts_and_ends_at_a_box():
    [part] = MemoryExplorer().picture(2, 5, True).parts
    for edge in part["edges"]:
        (x, top), (_, bottom) = edge["points"]
        above, below = (part["nodes"][end] for end in edge["ends"])
        assert (top, bottom) == (above["y"] + above["height"], below["y"])
        for box in (above, below):
            assert box["x"] < x < box["x"] + box["width"] <= part["width"]


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
        (lambda: (0, None), "`count_op` is a Python NoneType"),
        (lambda: (0, 1), "`count_op` is a Python int, not an op"),
        (lambda: (0, "add_one"), "`count_op` is a Python str"),
        (lambda: (None, tf.constant(1)), "`counter` is a Python NoneType"),
        (lambda: (counter, tf.no_op()), "`count_op` adds to something else"),
        (lambda: ("0", tf.constant("1")), "Three runs give b'1', b'1', b'1'"),
        (lambda: (counter("0"), tf.constant("1")), "does not hold one number"),
        (lambda: (counter([0]), tf.constant(1)), "does not hold one number"),
        (lambda: (counter(), counter()), "`count_op` does not change `counter`"),
        (lambda: (counter(), tf.no_op()), "`count_op` does not change `counter`"),
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
