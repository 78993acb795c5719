"""Graphs are drawn downwards, without overlaps, the same every time, and say what a run needs."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import compare_graphs, draw_graph
from lab.drawing.layout import GAP, layered
from lab.drawing.run_graph import MOST_OPS, _edges, graph_of_ops, graph_of_program, keys_of
from lab.experiments.needed import ops_of_a_run
from minitf.client.session import program_of
from tests.lessons.posts import experiment

NEAR = 1e-6  # how far two sums of floats may be apart


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


# The layout.


@st.composite
def graphs(draw):
    """Draw the sizes of some nodes, and edges from earlier nodes to later ones."""
    many = draw(st.integers(1, 12))
    size = st.tuples(st.integers(10, 200), st.integers(10, 60))
    sizes = {node: draw(size) for node in range(many)}
    pairs = list(itertools.combinations(range(many), 2))
    least = min(draw(st.integers(0, 16)), len(pairs))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=least, max_size=24)) if pairs else []
    return sizes, edges


class Box(NamedTuple):
    """Where a node is drawn."""

    left: float
    top: float
    right: float
    bottom: float


def boxes(layout):
    """Return each node's box."""
    return {node: box(*layout.centers[node], *layout.sizes[node]) for node in layout.centers}


def box(x, y, width, height):
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@settings(max_examples=50)
@given(graphs())
def test_every_edge_leads_downwards_from_one_box_to_the_other(graph):
    layout = layered(*graph)
    place = boxes(layout)
    assert set(layout.routes) == set(graph[1])
    for (start, end), points in layout.routes.items():
        heights = [y for _, y in points]
        assert heights == sorted(set(heights))
        assert points[0] == (layout.centers[start][0], pytest.approx(place[start].bottom))
        assert points[-1] == (layout.centers[end][0], pytest.approx(place[end].top))


@settings(max_examples=50)
@given(graphs())
def test_nodes_stay_inside(graph):
    layout = layered(*graph)
    for place in boxes(layout).values():
        assert place.left >= -NEAR
        assert place.top >= -NEAR
        assert place.right <= layout.width + NEAR
        assert place.bottom <= layout.height + NEAR


@settings(max_examples=50)
@given(graphs())
def test_nodes_keep_their_distance(graph):
    place = boxes(layered(*graph))
    for one, other in itertools.combinations(place.values(), 2):
        apart = max(one.left, other.left) - min(one.right, other.right)
        below = max(one.top, other.top) - min(one.bottom, other.bottom)
        assert apart >= GAP - NEAR or below > 0


@settings(max_examples=50)
@given(graphs())
def test_no_edge_passes_through_a_box(graph):
    layout = layered(*graph)
    place = boxes(layout)
    for edge, points in layout.routes.items():
        others = [place[node] for node in place if node not in edge]
        for point in curve(points):
            assert not any(is_inside(point, one) for one in others)


def curve(points):
    """Return points of the curve that the page draws (`smooth` in graph.js): straight down, or an S."""
    drawn = []
    for start, end in itertools.pairwise(points):
        (x, y), (u, v) = start, end
        middle = (y + v) / 2
        ends = [start, (x, middle), (u, middle), end]
        drawn += [cubic(t, ends) for t in np.linspace(0, 1, 17)]
    return drawn


def cubic(t, ends):
    """Return the point at `t` of a cubic Bezier curve."""
    s = 1 - t
    weights = [s**3, 3 * s**2 * t, 3 * s * t**2, t**3]
    return np.dot(weights, ends)


def is_inside(point, one):
    x, y = point
    beside = x <= one.left + NEAR or x >= one.right - NEAR
    below = y <= one.top + NEAR or y >= one.bottom - NEAR
    return not (beside or below)


@pytest.mark.parametrize(
    "points, through",
    [
        ([(5, -10), (5, 20)], True),
        ([(-5, -10), (15, 20)], True),
        ([(-5, -10), (-5, 20)], False),
        ([(5, 10), (25, 20)], False),
    ],
)
def test_a_curve_through_a_box_is_noticed(points, through):
    assert any(is_inside(point, Box(0, 0, 10, 10)) for point in curve(points)) == through


def test_a_node_stands_just_above_what_needs_it():
    same = dict.fromkeys("abcd", (40, 38))
    layout = layered(same, [("a", "b"), ("b", "d"), ("c", "d")])
    y = {node: center[1] for node, center in layout.centers.items()}
    assert y["a"] < y["b"] == y["c"] < y["d"]


def test_no_nodes_need_no_room():
    layout = layered({}, [])
    assert layout.width == 0
    assert layout.height == 0
    assert layout.centers == {}


# A run as a graph.


def three_ops():
    """Build `w * x - y`."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(3.0, name="w")
    mul = w * x
    return x, y, w, mul, mul - y


def named(graph):
    """Return a graph's edges by the names of their nodes."""
    names = [node.name for node in graph.nodes]
    return {(names[a], names[b]): control for (a, b), control in graph.edges.items()}


def test_what_is_fed_needs_nothing():
    x, y, _, mul, sub = three_ops()
    graph = graph_of_program(program_of(sub + x, {x: 2.0, mul: 6.0, y: 1.0}))
    assert set(named(graph)) == {("mul", "sub"), ("y", "sub"), ("sub", "add"), ("x", "add")}


def test_edges_of_control_are_marked_unless_data_flows_too():
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        waits = tf.constant(2.0, name="waits")
        uses = tf.negative(a, name="uses")
    graph = graph_of_ops([a.op, waits.op, uses.op])
    assert named(graph) == {("a", "waits"): True, ("a", "uses"): False}
    assert [edge["order"] for edge in graph.part(graph.laid_out())["edges"]] == [True, False]


@pytest.mark.parametrize("turned_round", [False, True])
def test_data_counts_more_than_control_between_two_statements(turned_round):
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        late = tf.constant(2.0, name="late")
    both = tf.multiply(a, late)
    ops = [a.op, late.op, both.op]
    if turned_round:
        ops.reverse()
    statements = {op: int(op is not a.op) for op in ops}
    assert _edges(statements, statements) == {(0, 1): False}


def test_control_alone_is_an_edge_of_order():
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        late = tf.constant(2.0, name="late")
    assert _edges([a.op, late.op], {a.op: 0, late.op: 1}) == {(0, 1): True}


def additions(length):
    """Build as many ops, three of which become one statement."""
    scaled = 3.0 * tf.placeholder(tf.float32, [2], name="x")
    for _ in range((length - 3) // 2):
        scaled = scaled + 1.0
    return scaled if length % 2 else -scaled


def test_as_many_ops_as_fit_are_drawn_one_by_one():
    last = additions(MOST_OPS)
    graph = graph_of_program(program_of(last))
    assert [node.ops for node in graph.nodes] == [(op,) for op in ops_of_a_run(last)]
    assert len(graph.nodes) == MOST_OPS


def test_more_ops_are_drawn_by_statement():
    last = additions(MOST_OPS + 1)
    program = program_of(last)
    nodes = graph_of_program(program).nodes
    assert len(nodes) == 1 + len(program.statements) < MOST_OPS
    assert {op for node in nodes for op in node.ops} == set(ops_of_a_run(last))
    assert "2 ops in one" in [node.detail for node in nodes]


def arrows_of(program):
    """Return the arrows between statements, and whether they are of order only."""
    graph = graph_of_program(program)
    return named(graph)


@pytest.mark.parametrize(
    "end, starts",
    [
        ("d_w", {"d_mul", "x"}),  # the gradient's op asks w for its shape, which is known
        ("d_mul", {"d_sub", "mul"}),  # this one reads mul for its shape
        ("w -=", {"w", "rate", "d_w"}),
        ("global_step +=", {"global_step", "w -="}),
    ],
)
def test_between_statements_an_arrow_is_a_value_that_the_program_reads(end, starts):
    arrows = arrows_of(program_of(experiment().train_op))
    assert {start for start, to in arrows if to == end} == starts


def test_between_statements_the_step_waits_for_the_weight():
    arrows = arrows_of(program_of(experiment().train_op))
    assert [arrow for arrow, order in arrows.items() if order] == [("w -=", "global_step +=")]


def test_what_a_branch_reads_leads_to_it(monkeypatch):
    monkeypatch.setattr("lab.drawing.run_graph.MOST_OPS", 0)
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.Variable([1.0, 2.0], name="w")
    update = tf.assign_add(w, x * 2.0, name="update")
    scaled = tf.multiply(update, 3.0, name="scaled")
    chosen = tf.cond(x[0] > 1.0, lambda: tf.sin(scaled) + w, lambda: tf.cos(x), name="chosen")
    arrows = arrows_of(program_of(chosen))
    assert {("x", "mul"), ("mul", "w +="), ("w +=", "scaled"), ("scaled", "chosen"), ("x", "chosen")} <= arrows.keys()


def test_a_long_name_is_cut_but_not_forgotten():
    with tf.name_scope("a_rather_long_scope_of_names"):
        long = tf.constant(1.0, name="c")
        other = tf.constant(1.0, name="d")
    with tf.name_scope("another_long_scope_of_names"):
        same_end = tf.constant(1.0, name="c")
    first, second, third = graph_of_ops([long.op, other.op, same_end.op]).nodes
    assert first.label == ".../c"
    assert third.label == ".../c"
    assert len({first.key, second.key, third.key}) == 3


def test_a_box_is_as_wide_as_its_texts_and_all_are_as_high():
    *_, sub = three_ops()
    graph = graph_of_program(program_of(sub))
    plain = graph.laid_out().sizes
    held = graph.laid_out([{0: "1"}, {0: "(10, 1): 1, ..."}, {}]).sizes
    assert held[0][0] > plain[0][0] > 7 * len("Placeholder")
    assert {height for _, height in held.values()} == {52}


def test_a_node_is_linked_with_its_statements():
    *_, sub = three_ops()
    program = program_of(sub)
    graph = graph_of_program(program)
    keys = keys_of(graph, program.statements)
    assert {graph.nodes[i].name: key for i, key in keys.items()} == {
        "w": "s0",
        "w/read": "s0",
        "mul": "s1",
        "sub": "s2",
    }


def test_a_node_of_two_statements_is_linked_with_both():
    *_, sub = three_ops()
    program = program_of(sub)
    first, *others = program.statements
    assert "s0 s1" in keys_of(graph_of_program(program), [first, first, *others]).values()


# Pictures that do not move.


def test_what_a_fetch_needs_is_marked():
    *_, mul, _ = three_ops()
    [part] = draw_graph(fetch=mul).data["picture"]["parts"]
    kinds = {node["label"]: node["kind"] for node in part["nodes"]}
    assert [name for name in kinds if kinds[name] == "done"] == ["x", "w", "w/read", "mul"]
    assert kinds["sub"] == "off"


def test_the_graph_of_a_fetch_is_drawn_wherever_that_is():
    *_, mul, _ = three_ops()
    words = draw_graph(fetch=mul).words
    with tf.Graph().as_default():
        assert draw_graph(fetch=mul).words == words
        assert draw_graph().words == "The graph has 0 operations: none."


def test_a_fetch_of_another_graph_is_refused():
    *_, mul, _ = three_ops()
    with pytest.raises(ValueError, match="not in this graph"):
        draw_graph(tf.Graph(), fetch=mul)


def test_a_fetch_with_nothing_to_run_needs_itself():
    x, *_ = three_ops()
    assert ops_of_a_run(x) == [x.op]
    assert "A run needs 1 of 8 operations: x.\n" in draw_graph(fetch=x).words


def test_a_fetch_of_everything_leaves_nothing():
    x, *_ = three_ops()
    assert "Not needed: none." in draw_graph(fetch=x.graph.get_operations()).words


def test_a_picture_is_inside_its_frame():
    three_ops()
    [part] = draw_graph().data["picture"]["parts"]
    for node in part["nodes"]:
        assert 0 <= node["x"] <= part["width"] - node["width"]
        assert 0 <= node["y"] <= part["height"] - node["height"]


# Twins.


def test_twins_are_compared_op_by_op():
    made = {}
    for name, op in (("plus", tf.add), ("minus", tf.subtract)):
        with tf.Graph().as_default():
            a = tf.constant(1.0, name="a")
            b = tf.constant(2.0, name="b")
            made[name] = op(a, b, name="result").op
    assert compare_graphs(**made).words == ("plus: 3 boxes. Only here: result.\nminus: 3 boxes. Only here: result.")


def test_a_graph_is_like_itself():
    train_op = experiment().train_op
    view = compare_graphs(one=train_op, other=train_op)
    assert view.words.count("Only here: nothing.") == 2
    parts = view.data["picture"]["parts"]
    assert {node["kind"] for part in parts for node in part["nodes"]} == {"plain"}
