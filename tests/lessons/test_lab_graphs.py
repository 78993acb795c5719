"""Graphs are drawn downwards, without overlaps, the same every time, and say what a run needs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import compare_graphs, draw_graph
from lab.drawing.layout import GAP, layered
from lab.drawing.run_graph import MOST_OPS, _edges, graph_of_ops, graph_of_program, keys_of, numbers_of
from lab.experiments.needed import ops_of_a_run
from minitf.client.session import program_of

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


def boxes(layout):
    """Return each node's (left, top, right, bottom)."""
    return {
        node: (x - layout.sizes[node][0] / 2, y - layout.sizes[node][1] / 2)
        + (x + layout.sizes[node][0] / 2, y + layout.sizes[node][1] / 2)
        for node, (x, y) in layout.centers.items()
    }


@settings(max_examples=150)
@given(graphs())
def test_every_edge_leads_downwards_from_one_box_to_the_other(graph):
    layout = layered(*graph)
    place = boxes(layout)
    for (start, end), points in layout.routes.items():
        assert all(a[1] < b[1] for a, b in itertools.pairwise(points))
        assert points[0] == (layout.centers[start][0], pytest.approx(place[start][3]))
        assert points[-1] == (layout.centers[end][0], pytest.approx(place[end][1]))
    assert set(layout.routes) == set(graph[1])


@settings(max_examples=150)
@given(graphs())
def test_nodes_keep_their_distance_and_stay_inside(graph):
    layout = layered(*graph)
    place = boxes(layout)
    for left, top, right, bottom in place.values():
        assert left >= -NEAR and top >= -NEAR
        assert right <= layout.width + NEAR and bottom <= layout.height + NEAR
    for one, other in itertools.combinations(place.values(), 2):
        beside = one[2] + GAP <= other[0] + NEAR or other[2] + GAP <= one[0] + NEAR
        below = one[3] < other[1] or other[3] < one[1]
        assert beside or below


@settings(max_examples=150)
@given(graphs())
def test_no_edge_passes_through_a_box(graph):
    layout = layered(*graph)
    place = boxes(layout)
    for edge, points in layout.routes.items():
        for node, box in place.items():
            if node not in edge:
                assert not any(is_inside(point, box) for point in curve(points))


def curve(points):
    """Return points of the curve that the page draws (`smooth` in graph.js): straight down, or an S."""
    drawn = []
    for (x, y), (u, v) in itertools.pairwise(points):
        middle = (y + v) / 2
        for t in (part / 16 for part in range(17)):
            weights = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
            ends = ((x, y), (x, middle), (u, middle), (u, v))
            drawn.append(tuple(sum(w * end[i] for w, end in zip(weights, ends, strict=True)) for i in (0, 1)))
    return drawn


def is_inside(point, box):
    (x, y), (left, top, right, bottom) = point, box
    return left + NEAR < x < right - NEAR and top + NEAR < y < bottom - NEAR


def test_a_curve_through_a_box_is_noticed():
    assert any(is_inside(point, (0, 0, 10, 10)) for point in curve([(5, -10), (5, 20)]))
    assert any(is_inside(point, (0, 0, 10, 10)) for point in curve([(-5, -10), (15, 20)]))
    assert not any(is_inside(point, (0, 0, 10, 10)) for point in curve([(-5, -10), (-5, 20)]))
    assert not any(is_inside(point, (0, 0, 10, 10)) for point in curve([(5, 10), (25, 20)]))


def test_a_long_edge_is_straight_where_it_can_be():
    chain = list(itertools.pairwise("abcde"))
    for sizes in (dict.fromkeys("abcde", (80, 40)), {n: (10 * w, 40) for w, n in enumerate("abcde", 5)}):
        points = layered(sizes, [*chain, ("a", "e")]).routes["a", "e"]
        assert len({x for x, _ in points[2:-2]}) == 1


def test_edges_are_uncrossed_where_that_is_possible():
    same = dict.fromkeys("abcd", (40, 38))
    layout = layered(same, [("a", "d"), ("b", "c")])
    x = {node: center[0] for node, center in layout.centers.items()}
    assert (x["a"] < x["b"]) == (x["d"] < x["c"])


def test_a_node_stands_just_above_what_needs_it():
    same = dict.fromkeys("abcd", (40, 38))
    layout = layered(same, [("a", "b"), ("b", "d"), ("c", "d")])
    y = {node: center[1] for node, center in layout.centers.items()}
    assert y["a"] < y["b"] == y["c"] < y["d"]


def test_a_chain_is_straight():
    layout = layered(dict.fromkeys("abc", (40, 38)), [("a", "b"), ("b", "c")])
    assert len({x for x, _ in layout.centers.values()}) == 1


def test_no_nodes_need_no_room():
    layout = layered({}, [])
    assert (layout.width, layout.height, layout.centers) == (0, 0, {})


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


def test_data_counts_more_than_control_between_two_statements():
    v = tf.Variable([1.0, 2.0], name="v")
    a = tf.negative(v, name="a")
    with tf.control_dependencies([a]):
        late = tf.constant(2.0, name="late")
    for fetch, control in ((a * late, False), (late, True)):
        assert named(graph_of_ops(program_of([a, fetch]).ops))["a", "late"]
        statements = {a.op: 0, late.op: 1, fetch.op: 1}
        assert _edges(statements, statements) == {(0, 1): control}
        assert _edges(dict(reversed(statements.items())), statements) == {(0, 1): control}


def chain(length):
    """Build as many ops that need each other."""
    tensor = tf.placeholder(tf.float32, [], name="x")
    for _ in range(length - 1):
        tensor = tf.sin(tensor)
    return tensor


@pytest.mark.parametrize("length", [MOST_OPS, MOST_OPS + 1])
def test_many_ops_are_drawn_by_statement(length):
    x = tf.placeholder(tf.float32, [2], name="x")
    scaled = 3.0 * x
    for _ in range((length - 3) // 2):
        scaled = scaled + 1.0
    if length % 2 == 0:
        scaled = -scaled
    program = program_of(scaled)
    assert len(ops_of_a_run(scaled)) == length
    graph = graph_of_program(program)
    if length <= MOST_OPS:
        assert [node.ops for node in graph.nodes] == [(op,) for op in ops_of_a_run(scaled)]
    else:
        assert len(graph.nodes) == 1 + len(program.statements) < length
        assert {op for node in graph.nodes for op in node.ops} == set(ops_of_a_run(scaled))
        assert any(node.detail == "2 operations" for node in graph.nodes)


def test_a_fed_placeholder_counts_once():
    last = chain(MOST_OPS)
    assert [node.name for node in graph_of_program(program_of(last)).nodes] == [op.name for op in ops_of_a_run(last)]
    longer = tf.sin(last)
    names = [node.name for node in graph_of_program(program_of(longer)).nodes]
    assert names == ["x", *(statement.names[0] for statement in program_of(longer).statements)]


def test_between_statements_an_arrow_is_a_value_that_the_program_reads():
    with tf.Graph().as_default():
        program = program_of(experiment(counted=True))
    graph = graph_of_program(program)
    arrows = {(graph.nodes[start].name, graph.nodes[end].name): order for (start, end), order in graph.edges.items()}
    assert "d_w = sum(d_mul * x)" in program.source  # the gradient's op asks w for its shape, which is known
    assert {start for start, end in arrows if end == "d_w"} == {"d_mul", "x"}
    assert {start for start, end in arrows if end == "d_mul"} == {"d_sub", "mul"}  # this one reads mul for its shape
    assert {start for start, end in arrows if end == "w -="} == {"w", "rate", "d_w"}
    ends_in_the_step = {start: order for (start, end), order in arrows.items() if end == "global_step +="}
    assert ends_in_the_step == {"global_step": False, "w -=": True}


def test_what_a_branch_reads_leads_to_it(monkeypatch):
    monkeypatch.setattr("lab.drawing.run_graph.MOST_OPS", 0)
    x, w = tf.placeholder(tf.float32, [2], name="x"), tf.Variable([1.0, 2.0], name="w")
    update = tf.assign_add(w, x * 2.0, name="update")
    scaled = tf.multiply(update, 3.0, name="scaled")
    chosen = tf.cond(x[0] > 1.0, lambda: tf.sin(scaled) + w, lambda: tf.cos(x), name="chosen")
    graph = graph_of_program(program_of(chosen))
    arrows = {(graph.nodes[start].name, graph.nodes[end].name) for start, end in graph.edges}
    assert {("x", "mul"), ("mul", "w +="), ("w +=", "scaled"), ("scaled", "chosen"), ("x", "chosen")} <= arrows


def test_a_long_name_is_cut_but_not_forgotten():
    with tf.name_scope("a_rather_long_scope_of_names"):
        long, other = tf.constant(1.0, name="c"), tf.constant(1.0, name="d")
    with tf.name_scope("another_long_scope_of_names"):
        same_end = tf.constant(1.0, name="c")
    first, second, third = graph_of_ops([long.op, other.op, same_end.op]).nodes
    assert (first.label, third.label) == (".../c", ".../c")
    assert len({first.key, second.key, third.key}) == 3


def test_every_node_is_as_wide_as_its_texts():
    *_, sub = three_ops()
    graph = graph_of_program(program_of(sub))
    plain, held = graph.laid_out(), graph.laid_out([{0: "1"}, {0: "(10, 1): 1, ..."}, {}])
    assert held.sizes[0][0] > plain.sizes[0][0] > 7 * len("Placeholder")
    assert {height for _, height in held.sizes.values()} == {57}  # all are as high, with a value or without
    assert graph.laid_out([{}]).sizes == {i: (width, 57) for i, (width, _) in plain.sizes.items()}


def test_a_node_is_linked_with_its_statements():
    *_, sub = three_ops()
    program = program_of(sub)
    graph = graph_of_program(program)
    keys = {graph.nodes[i].name: key for i, key in keys_of(graph, program.statements).items()}
    assert keys == {"w": "s0", "w/read": "s0", "mul": "s1", "sub": "s2"}
    assert keys_of(graph, [*program.statements[:1], *program.statements])[numbers_of(graph, [sub.op])[0]] == "s3"
    assert "s0 s1" in keys_of(graph, [*program.statements[:1], *program.statements]).values()


# Pictures that do not move.


def parts_of(view):
    """Return the parts of a picture, and check that all is inside."""
    parts = view.data["picture"]["parts"]
    for part in parts:
        boxes = [(n["x"], n["y"], n["x"] + n["width"], n["y"] + n["height"]) for n in part["nodes"]]
        points = [point for edge in part["edges"] for point in edge["points"]]
        for x, y in [*points, *(box[:2] for box in boxes), *(box[2:] for box in boxes)]:
            assert 0 <= x <= part["width"] and 0 <= y <= part["height"]
    return parts


def test_the_graph_of_a_fetch_is_drawn_wherever_that_is():
    *_, mul, _ = three_ops()
    words = draw_graph(fetch=mul).words
    with tf.Graph().as_default() as empty:
        assert draw_graph(fetch=mul).words == words
        assert draw_graph().words == "The graph has 0 operations: none."
        with pytest.raises(ValueError, match="not in this graph"):
            draw_graph(empty, fetch=mul)


def test_a_fetch_with_nothing_to_run_needs_itself():
    x, *_ = three_ops()
    assert ops_of_a_run(x) == [x.op]
    assert "A run needs 1 of 8 operations: x.\n" in draw_graph(fetch=x).words
    assert "Not needed: none." in draw_graph(fetch=list(x.graph.get_operations())).words


# Twins.


def experiment(counted):
    """Build the posts' train op."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(0.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2, name="rate")
    optimizer = tf.train.GradientDescentOptimizer(rate)
    return optimizer.minimize((w * x - y) ** 2, global_step=step if counted else None)


def small(counted):
    """Build a train op of few ops, from a gradient that is fed."""
    w = tf.Variable(5.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    pairs = [(tf.placeholder(tf.float32, [], name="gradient"), w)]
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return optimizer.apply_gradients(pairs, global_step=step if counted else None)


def twins(build):
    """Build with and without a counter, each in its graph."""
    made = {}
    for name in ("with_step", "without"):
        with tf.Graph().as_default():
            made[name] = build(name == "with_step")
    return made


def test_twins_are_compared_op_by_op():
    made = {}
    for name, op in (("plus", tf.add), ("minus", tf.subtract)):
        with tf.Graph().as_default():
            made[name] = op(tf.constant(1.0, name="a"), tf.constant(2.0, name="b"), name="result").op
    assert compare_graphs(**made).words == ("plus: 3 boxes. Only here: result.\nminus: 3 boxes. Only here: result.")


def test_a_graph_is_like_itself():
    train_op = twins(small)["with_step"]
    view = compare_graphs(one=train_op, other=train_op)
    assert view.words.count("Only here: nothing.") == 2
    assert all(node["kind"] == "plain" for part in parts_of(view) for node in part["nodes"])
