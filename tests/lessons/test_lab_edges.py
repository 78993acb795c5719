"""The order shuffler runs what the edges allow."""

from __future__ import annotations

import itertools
import re

import pytest

import minitf as tf
from lab import OrderShuffler, check_log, recorded
from lab.drawing.run_graph import text_width
from lab.experiments.ordering import all_before, is_variable, reads_of, updates_of, waits_for
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, build
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, read


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


@pytest.fixture
def clock():
    return tf.Variable(0, trainable=False, name="clock")


# The order of two operations.


def test_a_path_may_carry_values_or_order(clock):
    add = tf.assign_add(clock, 1).op
    by_value = tf.add(add.outputs[0], 0).op
    with tf.control_dependencies([add]):
        by_control = tf.no_op()
    assert waits_for(by_value, add) and waits_for(by_control, add)
    assert not waits_for(add, by_value) and not waits_for(add, add)
    assert not waits_for(by_control, by_value)
    assert {add, clock.op} <= set(all_before(by_control))


def test_an_identity_is_no_read(clock):
    named = tf.identity(clock)
    total = tf.add(named, 0)
    assert is_variable(named, clock) and is_variable(clock, clock)
    assert not is_variable(total, clock)
    assert reads_of(clock, named.op) == []
    assert reads_of(clock, tf.square(total).op) == [total.op]


def test_a_read_is_what_the_value_comes_from_not_what_comes_before(clock):
    before = clock + 0
    with tf.control_dependencies([before]):
        update = tf.assign(clock, before + 1)
    with tf.control_dependencies([update]):
        after = clock + 0
    assert reads_of(clock, after.op) == [after.op]
    through = tf.add(update, 0)
    assert reads_of(clock, through.op) == [through.op]
    assert updates_of(clock, all_before(after.op)) == [update.op]
    assert updates_of(tf.Variable(0), all_before(after.op)) == []


# The order shuffler.

# Of each choice: its name in the file of TensorFlow's counted answers, its orders, and those that give the new value.
CHOICES = {
    NO_EDGE: ("sum", 6, 3),
    READ_WAITS: ("read_waits", 3, 3),
    UPDATE_WAITS: ("update_waits", 3, 0),
    MISSED: ("made_outside", 6, 3),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_every_valid_order_is_found_once(choice):
    built, (_, count, _) = build(choice), CHOICES[choice]
    orders = built.orders
    assert len({tuple(order) for order in orders}) == len(orders) == count
    for order in itertools.permutations(orders[0]):
        valid = not any(waits_for(a, b) for a, b in itertools.combinations(order, 2))
        assert (list(order) in orders) == valid
    assert orders[0] == [op for op in built.ops if op.type != "VariableV2"]


@pytest.mark.parametrize("choice", CHOICES)
def test_minitf_fetches_the_same_if_an_order_is_forced(choice):
    built = build(choice)
    for order in built.orders:
        with tf.Graph().as_default(), tf.Session() as sess:
            step, w, made, before = tf.Variable(0), tf.Variable(5.0), {}, []
            for op in order:
                with tf.control_dependencies(before):
                    if op.name == "step/read":
                        continue  # made with the Variable: its place is free, for it copies nothing
                    if op.name == "update_w":
                        made[op.name] = tf.assign_sub(w, 1.0)
                    if op.name == "add_one":
                        made[op.name] = tf.assign_add(step, 1)
                    if op.name == "seen":
                        made[op.name] = tf.add(step, 0)
                    if op.name == "late":
                        made[op.name] = tf.add(made["seen"], 0)
                before = [made[op.name]]
            sess.run(tf.global_variables_initializer())
            _, got = sess.run([made["add_one"], made[built.fetched.op.name]])
            assert got == built.fetches(order)


@pytest.mark.parametrize("choice", CHOICES)
def test_tensorflow_gives_the_values_that_valid_orders_give(choice):
    built, (name, count, new) = build(choice), CHOICES[choice]
    assert sum(map(built.fetches, built.orders)) == new
    case, runs = recorded("race")["cases"][name], recorded("race")["runs"]
    assert bool(case["new"]) == bool(new) and bool(case["old"]) == (new < count)
    assert case["old"] + case["new"] == runs
    with tf.Session(graph=built.fetched.graph) as sess:  # minitf takes the first of them
        sess.run(tf.global_variables_initializer())
        assert sess.run([built.update, built.fetched])[1] == built.fetches(built.orders[0])


EXPLORERS = {choice: OrderShuffler(missed=choice == MISSED) for choice in CHOICES}


def shown(choice, run):
    return EXPLORERS[choice].picture(run=run, edge=choice)


@pytest.mark.parametrize("choice", CHOICES)
def test_six_presses_show_every_order(choice):
    built, (_, count, new) = build(choice), CHOICES[choice]
    seen, fetched = [], []
    for run in range(6):
        left, graph, verdict = shown(choice, run).parts
        program, runs = left["parts"]
        names = [line["text"].partition(". ")[2] for line in program["lines"]]
        seen.append(names)
        marked = {line["text"][3:]: (line["kind"], line["key"]) for line in program["lines"]}
        nodes = {node["label"]: (node["kind"], node["key"]) for node in graph["nodes"]}
        assert marked.items() <= nodes.items()
        assert (nodes["seen"][0], nodes["add_one"][0]) == ("done", "now")
        got = names.index("add_one") < names.index("seen")
        fetched.append(got)
        for value, (_, *cells) in zip((1, 0), runs["rows"], strict=True):
            dots = [cell.get("kind") for cell in cells]
            kinds = ["now" if n == run else "done" if n < run else None for n in range(6)]
            wanted = [kind if n <= run and fetched[n] == value else None for n, kind in enumerate(kinds)]
            assert dots == wanted
        assert f"It fetches {got:d}, the {'new' if got else 'old'} value." in shown(choice, run).words
        assert (verdict["kind"] == "now") == ("a race." in " ".join(verdict["lines"])) == (0 < new < count)
    orders = [[op.name for op in order] for order in built.orders]
    assert sorted(seen) == sorted(orders * (6 // count))
    assert seen[0] == orders[0]


def test_the_first_shuffle_reads_after_step_read_ran_before_the_update():
    lines = shown(NO_EDGE, 1).parts[0]["parts"][0]["lines"]
    assert [line["text"] for line in lines] == ["1. step/read", "2. update_w", "3. add_one", "4. seen"]
    assert lines[3]["note"] == "reads 1"


@pytest.mark.parametrize("choice", CHOICES)
def test_the_edge_is_drawn_and_named(choice):
    edges = shown(choice, 0).parts[1]["edges"]
    named = [edge for edge in edges if "name" in edge]
    assert len(named) == (choice != NO_EDGE)
    assert all((edge["name"], edge["kind"], edge["order"]) == ("the edge", "now", True) for edge in named)
    assert sum(edge["order"] for edge in edges) == 1 + len(named)  # add_one waits for update_w


def test_the_words_say_who_comes_first():
    assert shown(NO_EDGE, 0).words == (
        "No path joins the read and the update: a race. "
        "Of the 6 valid orders, 3 give the old value and 3 the new one.\n"
        "Run 1: step/read, seen, update_w, add_one. It fetches 0, the old value."
    )
    assert shown(READ_WAITS, 0).words.startswith(
        "A path leads from the update to the read: the read comes after. "
        "Of the 3 valid orders, 0 give the old value and 3 the new one."
    )
    assert shown(UPDATE_WAITS, 0).words.startswith("A path leads from the read to the update: the read comes before.")
    assert shown(MISSED, 0).words.startswith("The edge leads to late, but the read is seen, made outside. No path")


@pytest.mark.parametrize("explorer", [OrderShuffler(), OrderShuffler(missed=True)])
def test_nothing_moves_when_the_order_changes(explorer):
    shapes = set()
    for state in explorer.settings():
        left, graph, verdict = explorer.picture(**state).parts
        assert graph["width"] <= graph["basis"] and graph["height"] + 24 <= graph["reserve"]
        rows = [len(part.get("rows", part.get("lines"))) for part in left["parts"]]
        shapes.add((*rows, graph["basis"], graph["reserve"], len(verdict["lines"])))
    assert len(shapes) == 1


@pytest.mark.parametrize("choice", [READ_WAITS, UPDATE_WAITS, MISSED])
def test_the_name_of_the_edge_collides_with_nothing(choice):
    graph = shown(choice, 0).parts[1]
    [edge] = [edge for edge in graph["edges"] if "name" in edge]
    [(u, _), (x, y)] = edge["points"][-2:]
    width = text_width(edge["name"])  # as graph.js places it
    left = (x + u) / 2 + 8 if u >= x else (x + u) / 2 - 8 - width
    assert left >= 0
    boxes = [(node["x"], node["y"], node["width"], node["height"]) for node in graph["nodes"]]
    assert not any(bx < left + width and left < bx + w and by < y - 7 and y - 20 < by + h for bx, by, w, h in boxes)
    for other in graph["edges"]:
        for (a, b), (c, d) in itertools.pairwise(other["points"]):
            for t in (part / 32 for part in range(33)):
                px = a + (c - a) * (3 * t**2 - 2 * t**3)
                py = b + (d - b) * 1.5 * (t - t**2) + (d - b) * t**3
                assert not (left < px < left + width and y - 20 < py < y - 7), other["ends"]


# The check.


def test_a_right_answer_is_right_again_and_its_graph_stays_as_it_is():
    exercise, *_ = exercises_of("07", read(LESSONS / "07_before_or_after.ipynb"))
    names = {"tf": tf}
    with_a_read = exercise.solution.replace(
        "\n\n\n", "\nwith tf.control_dependencies([train_op]):\n    shown_step = tf.add(global_step, 0)\n\n\n"
    )
    one_run = "_, now, step = sess.run([train_op, rate, shown_step])"
    exec(re.sub(r"_, now = .*\n    step = .*", one_run, with_a_read), names)
    graph = tf.get_default_graph()
    before = len(graph.get_operations())
    for _ in range(2):
        assert check_log(names["train_once"], names["global_step"])
    assert len(graph.get_operations()) == before


def test_answers_of_another_kind_are_named():
    step = tf.Variable(0, trainable=False)
    assert "`train_once` should be a function" in check_log(None, step).message
    assert "`global_step` should be a Variable" in check_log(print, 0).message
