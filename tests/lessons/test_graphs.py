"""Graphs are drawn downwards, without overlaps, and their words say what is drawn."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pytest
from build import micro
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import draw_graph, draw_nodes
from lab.graphs import curve
from lab.layout import GAP, layered
from tests.lessons.pictures import NEAR, all_boxes, arrows, boxes, cut_texts
from tests.lessons.posts import experiment


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph, and leave no figures behind."""
    with tf.Graph().as_default():
        yield
    plt.close("all")


def three_ops():
    """Build `w * x - y`."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(3.0, name="w")
    mul = w * x
    return x, y, mul, mul - y


def drawn(draw, *arguments, **named):
    """Draw, and return the axes and the words."""
    draw(*arguments, **named)
    figure = plt.gcf()
    return figure.axes[0], figure.words


# The ops of a graph.


def test_every_op_is_a_box_with_its_type_and_every_use_an_arrow():
    three_ops()
    ax, _ = drawn(draw_graph)
    shown = boxes(ax)
    assert shown.keys() == {"x", "y", "w/initial_value", "w", "w/Assign", "w/read", "mul", "sub"}
    assert shown["w/initial_value"].lines == ["w/initial_value", "Const"]
    assert {box.colour for box in shown.values()} == {"plain"}
    assert arrows(ax) == dict.fromkeys(
        [
            ("w/initial_value", "w/Assign"),
            ("w", "w/Assign"),
            ("w", "w/read"),
            ("w/read", "mul"),
            ("x", "mul"),
            ("mul", "sub"),
            ("y", "sub"),
        ],
        False,
    )


def test_the_words_name_every_op_and_what_it_uses():
    three_ops()
    _, words = drawn(draw_graph)
    assert words.splitlines() == [
        "The graph has 8 operations:",
        "x (Placeholder), y (Placeholder), w/initial_value (Const), w (VariableV2), "
        "w/Assign (Assign), w/read (Identity), mul (Mul), sub (Sub)",
        "w/Assign uses w/initial_value, w",
        "w/read uses w",
        "mul uses x, w/read",
        "sub uses y, mul",
    ]


def test_what_a_run_needs_is_blue():
    *_, mul, _ = three_ops()
    ax, words = drawn(draw_graph, fetch=mul)
    assert [name for name, box in boxes(ax).items() if box.colour == "blue"] == ["x", "w", "w/read", "mul"]
    assert words.endswith(
        "\nA run needs 4 of 8 operations: x, w, w/read, mul\nNot needed: y, w/initial_value, w/Assign, sub"
    )


@pytest.mark.parametrize("many, said", [(1, "needs 1 of 8 operations: x\n"), (8, "\nNot needed: none")])
def test_a_run_may_need_one_op_or_all(many, said):
    x, *_ = three_ops()
    assert said in drawn(draw_graph, fetch=x.graph.get_operations()[:many])[1]


def test_the_graph_of_a_fetch_is_drawn_wherever_that_is():
    *_, mul, _ = three_ops()
    _, words = drawn(draw_graph, fetch=mul)
    with tf.Graph().as_default():
        assert drawn(draw_graph, fetch=mul)[1] == words
        assert drawn(draw_graph)[1] == "The graph has 0 operations:\nnone"


def test_an_arrow_that_carries_no_value_is_dashed():
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        tf.constant(2.0, name="waits")
        tf.negative(a, name="uses")
    ax, words = drawn(draw_graph)
    assert arrows(ax) == {("a", "waits"): True, ("a", "uses"): False}
    assert words.splitlines()[2:] == ["uses uses a", "waits waits for a"]


def test_a_loop_is_drawn_without_the_arrow_back():
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
    ax, _ = drawn(draw_graph)
    assert len(boxes(ax)) == len(tf.get_default_graph().get_operations())


def test_of_a_long_name_the_end_is_shown_and_the_words_have_all_of_it():
    with tf.name_scope("a_rather_long_scope_of_names"):
        tf.constant(1.0, name="c")
    ax, words = drawn(draw_graph)
    assert boxes(ax).keys() == {".../c"}
    assert "a_rather_long_scope_of_names/c (Const)" in words


@pytest.mark.parametrize("swapped", [False, True])
def test_no_text_is_cut(swapped):
    with tf.name_scope("wide" if swapped else "W_" * 11):
        experiment()
    drawn(draw_graph)
    assert cut_texts(plt.gcf()) == []


def test_a_text_that_is_cut_is_noticed():
    three_ops()
    ax, _ = drawn(draw_graph)
    ax.texts[-1].set_text("longer than its box")
    assert cut_texts(plt.gcf()) == ["longer than its box"]


# The Nodes of lesson 16.


@pytest.fixture
def nodes():
    """Give a test an empty graph of Nodes."""
    kept = dict(micro.graph)
    micro.graph.clear()
    yield micro.graph
    micro.graph.clear()
    micro.graph.update(kept)


def test_a_constant_is_a_number_in_the_boxes_that_use_it(nodes):
    x, w = micro.placeholder(micro.float32, name="x"), micro.Variable(3.0, name="w")
    ax, words = drawn(draw_nodes, (w * x - 2) ** 2)
    assert [box.lines for box in all_boxes(ax)] == [
        ["w", "in the state"],
        ["x", "fed"],
        ["mul", "w * x"],
        ["sub", "mul - 2"],
        ["pow", "sub ** 2"],
    ]
    assert words.splitlines() == [
        "5 Nodes: w (in the state), x (fed), mul (w * x), sub (mul - 2), pow (sub ** 2)",
        "mul uses w, x",
        "sub uses mul",
        "pow uses sub",
    ]
    assert cut_texts(plt.gcf()) == []


def test_a_node_that_only_waits_is_at_the_end_of_a_dashed_arrow(nodes):
    w, step = micro.Variable(3.0, name="w"), micro.Variable(0.0, name="step")
    with micro.control_dependencies([w.assign_sub(1.0)]):
        add = step.assign_add(1.0)
    ax, words = drawn(draw_nodes, add)
    assert arrows(ax) == {("w", "AssignSub"): False, ("step", "AssignAdd"): False, ("AssignSub", "AssignAdd"): True}
    assert words.endswith("\nAssignAdd waits for AssignSub")


def test_the_graph_of_a_constant_or_of_a_no_op_is_one_box(nodes):
    assert drawn(draw_nodes, micro.constant(2.0))[1] == "1 Nodes: Const (2)"
    assert drawn(draw_nodes, micro.Node("NoOp"))[1] == "1 Nodes: NoOp (waits)"


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


class Place(NamedTuple):
    """Where a node is."""

    left: float
    top: float
    right: float
    bottom: float


def places(layout):
    """Return where each node is."""
    return {
        node: Place(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        for node, (x, y), (wide, high) in ((n, layout.centers[n], layout.sizes[n]) for n in layout.centers)
    }


@settings(max_examples=50)
@given(graphs())
def test_every_edge_leads_downwards_from_one_node_to_the_other(graph):
    layout = layered(*graph)
    place = places(layout)
    assert set(layout.routes) == set(graph[1])
    for (start, end), points in layout.routes.items():
        heights = [y for _, y in points]
        assert heights == sorted(set(heights))
        assert points[0] == (layout.centers[start][0], pytest.approx(place[start].bottom))
        assert points[-1] == (layout.centers[end][0], pytest.approx(place[end].top))


@settings(max_examples=50)
@given(graphs())
def test_nodes_stay_inside_and_keep_their_distance(graph):
    layout = layered(*graph)
    place = places(layout)
    for one in place.values():
        assert min(one.left, one.top) >= -NEAR
        assert one.right <= layout.width + NEAR
        assert one.bottom <= layout.height + NEAR
    for one, other in itertools.combinations(place.values(), 2):
        apart = max(one.left, other.left) - min(one.right, other.right)
        below = max(one.top, other.top) - min(one.bottom, other.bottom)
        assert apart >= GAP - NEAR or below > 0


@settings(max_examples=50)
@given(graphs())
def test_no_edge_passes_through_a_node(graph):
    layout = layered(*graph)
    place = places(layout)
    for edge, points in layout.routes.items():
        others = [place[node] for node in place if node not in edge]
        assert not any(is_inside(point, one) for point in along(points) for one in others)


def along(points):
    """Return points of the curve that is drawn, close to each other."""
    [corners] = curve(points).to_polygons(closed_only=False)
    return [p + (q - p) * t for p, q in itertools.pairwise(corners) for t in np.linspace(0, 1, 9)]


def is_inside(point, one):
    x, y = point
    return one.left + NEAR < x < one.right - NEAR and one.top + NEAR < y < one.bottom - NEAR


@pytest.mark.parametrize(
    "points, through",
    [
        ([(5, -10), (5, 20)], True),
        ([(-5, -10), (15, 20)], True),
        ([(-5, -10), (-5, 20)], False),
        ([(5, 10), (25, 20)], False),
    ],
)
def test_an_edge_through_a_node_is_noticed(points, through):
    assert any(is_inside(point, Place(0, 0, 10, 10)) for point in along(points)) == through


def test_a_node_stands_just_above_what_needs_it():
    layout = layered(dict.fromkeys("abcd", (40, 38)), [("a", "b"), ("b", "d"), ("c", "d")])
    y = {node: center[1] for node, center in layout.centers.items()}
    assert y["a"] < y["b"] == y["c"] < y["d"]
