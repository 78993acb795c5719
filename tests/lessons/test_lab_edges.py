"""The edge switch shows what minitf and TensorFlow do; the check of lesson 07 knows order from luck."""

from __future__ import annotations

import itertools

import pytest

import minitf as tf
from lab import EdgeSwitch, check_before_and_after, recorded
from lab.drawing.run_graph import text_width
from lab.experiments.ordering import all_before, is_variable, reads_of, updates_of, waits_for
from lab.experiments.read_and_update import COUNTED, MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, build


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
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


# The edge switch.


@pytest.mark.parametrize("choice, which", [(READ_WAITS, "new"), (UPDATE_WAITS, "old")])
def test_an_edge_orders_here_as_in_tensorflow(choice, which):
    built = build(choice)
    later, earlier = {"new": (built.read, built.update), "old": (built.update, built.read)}[which]
    assert waits_for(later, earlier) and earlier in later.control_inputs
    assert built.edge == (earlier, later)
    assert built.runs(3) == [(n, n + (which == "new")) for n in range(3)]
    assert recorded("race")["cases"][COUNTED[choice]][which] == recorded("race")["runs"]


@pytest.mark.parametrize("choice", [NO_EDGE, MISSED])
def test_without_a_path_there_is_a_race(choice):
    built = build(choice)
    assert not waits_for(built.read, built.update) and not waits_for(built.update, built.read)
    assert built.runs(2) == [(0, 0), (1, 1)]
    case = recorded("race")["cases"][COUNTED[choice]]
    assert case["old"] and case["new"]


@pytest.fixture(scope="module")
def explorer():
    return EdgeSwitch()


@pytest.mark.parametrize("choice", COUNTED)
def test_the_picture_shows_program_runs_and_edge(choice, explorer):
    picture = explorer.picture(choice, runs=3)
    left, graph, verdict = picture.parts
    program, runs, counts = left["parts"]
    statements = build(choice).program.statements
    assert [line["text"] for line in program["lines"]][: len(statements)] == [s.text for s in statements]
    marked = {line["note"]: (line["kind"], line["key"]) for line in program["lines"] if line.get("note")}
    nodes = {node["label"]: (node["kind"], node["key"]) for node in graph["nodes"]}
    assert marked == {"the read": nodes["seen"], "the update": nodes["add_one"]}
    assert (nodes["seen"][0], nodes["add_one"][0]) == ("done", "now")
    named = [edge for edge in graph["edges"] if "name" in edge]
    assert len(named) == (choice != NO_EDGE)
    assert all((edge["name"], edge["kind"], edge["order"]) == ("the edge", "now", True) for edge in named)
    assert sum(edge["order"] for edge in graph["edges"]) == len(named)
    new = choice == READ_WAITS
    fetched = [f"{n + new}, {'new' if new else 'old'}" for n in range(3)]
    assert runs["rows"][:3] == [[f"{n + 1}", f"{n}", got, f"{n + 1}"] for n, got in enumerate(fetched)]
    case = recorded("race")["cases"][COUNTED[choice]]
    assert counts["rows"] == [["old value", f"{case['old']} times"], ["new value", f"{case['new']} times"]]
    assert f"old {case['old']}, new {case['new']}." in picture.words
    assert (verdict["kind"] == "now") == ("a race" in verdict["lines"][-1]) == bool(case["old"] and case["new"])


def test_the_words_say_who_comes_first(explorer):
    assert explorer.picture(**explorer.state).words == (
        "No path joins the read and the update: a race.\n"
        "minitf gives 0, 1, 2: the old value in each run.\n"
        "TensorFlow, counted in 300 runs: old 91, new 209."
    )
    assert explorer.picture(READ_WAITS, 3).words == (
        "A path leads from the update to the read: the read comes after.\n"
        "minitf gives 1, 2, 3: the new value in each run.\n"
        "TensorFlow, counted in 300 runs: old 0, new 300."
    )


def test_nothing_moves_when_the_edge_or_the_runs_change(explorer):
    shapes = set()
    for state in explorer.settings():
        left, graph, verdict = explorer.picture(**state).parts
        assert graph["width"] <= graph["basis"] and graph["height"] + 24 <= graph["reserve"]
        rows = [len(part.get("rows", part.get("lines"))) for part in left["parts"]]
        shapes.add((*rows, graph["basis"], graph["reserve"], verdict["reserve"]))
    assert len(list(explorer.settings())) == 20 and len(shapes) == 1


@pytest.mark.parametrize("choice", [READ_WAITS, UPDATE_WAITS, MISSED])
def test_the_name_of_the_edge_collides_with_nothing(choice, explorer):
    graph = explorer.picture(choice, runs=1).parts[1]
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


def ordered(clock, before=None, one=1):
    before = clock + 0 if before is None else before
    with tf.control_dependencies([before]):
        tick = tf.assign_add(clock, one)
    with tf.control_dependencies([tick]):
        return tick, before, clock + 0


def test_a_right_answer_is_right_again_and_stays_as_it_is(clock):
    answer = ordered(clock)
    before = len(tf.get_default_graph().get_operations())
    assert check_before_and_after(clock, *answer) and check_before_and_after(clock, *answer)
    assert len(tf.get_default_graph().get_operations()) == before


def by_values(clock):
    before = clock + 0
    tick = tf.assign(clock, before + 1)
    return tick, before, tick + 0


def by_a_group(clock):
    before = tf.cast(clock, tf.int64)
    with tf.control_dependencies([before]):
        tick = tf.group(clock.assign_add(1))
        with tf.control_dependencies([tick]):
            return tick, before, tf.identity(clock)


def by_a_train_op(clock):
    before = tf.identity(tf.identity(clock) * 1)
    loss = tf.Variable(1.0) ** 2
    with tf.control_dependencies([before]):
        tick = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=clock)
    with tf.control_dependencies([tick]):
        return tick, before, clock.read_value()


def by_the_update_itself(clock):
    tick, before, _ = ordered(clock)
    return tick, before, tick


@pytest.mark.parametrize("way", [by_values, by_a_group, by_a_train_op, by_the_update_itself])
def test_there_are_several_right_ways(way, clock):
    verdict = check_before_and_after(clock, *way(clock))
    assert verdict, verdict.message


def test_the_clock_may_start_anywhere():
    clock = tf.Variable(10)
    assert "before: 10, 11, 12; after: 11, 12, 13." in repr(check_before_and_after(clock, *ordered(clock)))


@pytest.mark.parametrize(
    "change, words",
    [
        ({"clock": 0}, "`clock` should be a Variable"),
        ({"tick": None}, "`tick` should be what tf.assign_add returns"),
        ({"tick": tf.no_op}, "`tick` should be what tf.assign_add returns"),
        ({"before": [1]}, "`before` is of type list"),
        ({"after": None}, "`after` is of type NoneType"),
    ],
)
def test_answers_of_another_kind_are_named(change, words, clock):
    tick, before, after = ordered(clock)
    parts = {"clock": clock, "tick": tick, "before": before, "after": after} | change
    assert words in check_before_and_after(**parts).message


def test_odd_tensors_are_named(clock):
    tick, before, after = ordered(clock)

    def said(**change):
        parts = {"clock": clock, "tick": tick, "before": before, "after": after} | change
        return check_before_and_after(**parts).message

    assert "`tick` does not change `clock`" in said(tick=before)
    assert "`before` is of type Operation, not a tensor" in said(before=tick.op)
    assert "`before` waits for `tick`" in said(before=tick)
    assert "`before` does not read `clock`" in said(before=tf.constant(0))
    assert "`after` does not read `clock`" in said(after=tf.constant(1))
    assert "`before` waits for `tick`" in said(before=after)
    with tf.Graph().as_default():
        assert "different graphs" in said(after=tf.constant(1))
        assert "different graphs" in said(clock=tf.Variable(0))


def test_a_run_that_fails_is_told(clock):
    tick, before, after = ordered(clock, before=clock + tf.placeholder(tf.int32, [], name="p"))
    message = check_before_and_after(clock, tick, before, after).message
    assert "You must feed a value for placeholder tensor 'p'" in message


def test_a_clock_of_several_numbers_is_no_error():
    clock = tf.Variable([0, 0])
    assert not check_before_and_after(clock, *ordered(clock, one=[1, 1]))
    clock = tf.Variable(0)
    assert not check_before_and_after(clock, *ordered(clock, before=clock + [0, 0]))
