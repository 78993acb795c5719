"""The cards of lesson 07: what Python tells the page, and what it accepts."""

from __future__ import annotations

import pytest
from traitlets import TraitError

import lab
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS

DATA, CONTROL = ("step/read", "seen", False), ("update_w", "add_one", True)
GRAPHS = {  # each choice: its edges, the one that was chosen, and how many orders bring the old and the new value
    NO_EDGE: ({DATA, CONTROL}, [], (3, 3)),
    READ_WAITS: ({DATA, CONTROL, ("add_one", "seen", True)}, [("add_one", "seen")], (0, 3)),
    UPDATE_WAITS: ({DATA, CONTROL, ("seen", "add_one", True)}, [("seen", "add_one")], (3, 0)),
    MISSED: ({DATA, CONTROL, ("seen", "late", False), ("add_one", "late", True)}, [("add_one", "late")], (3, 3)),
}


@pytest.mark.parametrize("choice", GRAPHS)
def test_a_graph_has_the_edges_and_the_orders_that_minitf_has(choice):
    graph = lab.OrderShuffler(late=choice == MISSED).graphs[choice]
    edges, chosen, counts = GRAPHS[choice]
    assert {(edge["from"], edge["to"], edge["control"]) for edge in graph["edges"]} == edges
    assert [(edge["from"], edge["to"]) for edge in graph["edges"] if edge["chosen"]] == chosen
    reads_new = [order.index(graph["update"]) < order.index(graph["read"]) for order in graph["orders"]]
    assert (reads_new.count(False), reads_new.count(True)) == counts
    for order in graph["orders"]:
        assert sorted(order) == sorted(card["name"] for card in graph["cards"])
        assert all(order.index(start) < order.index(end) for start, end, _ in edges)


def test_three_edges_can_be_chosen_or_only_the_one_that_misses_the_read():
    assert list(lab.OrderShuffler().graphs) == [NO_EDGE, READ_WAITS, UPDATE_WAITS]
    assert list(lab.OrderShuffler(late=True).graphs) == [MISSED]


def test_a_chosen_edge_begins_again():
    cards = lab.OrderShuffler()
    cards.order = ["update_w", "add_one", "step/read", "seen"]
    cards.old, cards.new = 2, 1
    cards.edge = UPDATE_WAITS
    assert cards.order == ["step/read", "seen", "update_w", "add_one"]  # minitf's
    assert (cards.old, cards.new) == (0, 0)


def test_an_order_that_breaks_an_edge_is_refused():
    cards = lab.OrderShuffler()
    with pytest.raises(TraitError, match="edges don't allow"):
        cards.order = ["seen", "step/read", "update_w", "add_one"]
    with pytest.raises(TraitError, match="no further edge"):
        cards.edge = "no edge at all"


def test_the_words_tell_what_each_edge_does():
    words = lab.OrderShuffler().words
    assert "No further edge. No path joins the read and the update" in words
    assert "Of 6 valid orders, 3 bring the old value and 3 the new one." in words
    assert "The read waits for the update. A path leads from the update to the read, so all 3 valid orders" in words
    assert "an op that reads nothing" in lab.OrderShuffler(late=True).words


@pytest.mark.parametrize("late", [False, True])
def test_a_notebook_that_is_not_run_has_a_picture_and_words(late):
    cards = lab.OrderShuffler(late=late)
    data, metadata = cards._repr_mimebundle_()
    assert data["text/plain"] == cards.words
    assert len(data["image/png"]) < 60_000 * 4 / 3
    assert 700 < metadata["image/png"]["width"] <= 800  # points, of two pixels each
