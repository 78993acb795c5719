"""The order shuffler: run a read and an update in every order that the edges allow."""

from lab.controls.controls import menu, order, runs
from lab.controls.explorer import Explorer
from lab.drawing.run_graph import graph_of_ops, numbers_of
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, Built, build

MOST = 1000  # runs until the reader clears them
DOES = {  # an op in a run whose read comes before the update, and in one whose read comes after
    "step/read": ("passes the step on",) * 2,
    "update_w": ("w: 5 → 4",) * 2,
    "add_one": ("step: 0 → 1",) * 2,
    "seen": ("reads 0", "reads 1"),
    "late": ("takes 0 from seen", "takes 1 from seen"),
}


class OrderShuffler(Explorer):
    """Choose a control edge, and shuffle the ops or drag them into another order."""

    rule = "orders"

    def __init__(self, missed: bool = False):
        """Offer three graphs, or show only the one whose edge misses the read."""
        choices = [MISSED] if missed else [NO_EDGE, READ_WAITS, UPDATE_WAITS]
        built = {choice: build(choice) for choice in choices}
        every = dict.fromkeys(text_of(one) for each in built.values() for one in each.orders)
        edges = menu("edge", "control edge", choices, runs=0, order="")
        shuffle = runs("runs", "Shuffle", MOST, order="")
        cards = order("order", "your order", list(every))
        self.controls = [shuffle, cards] if missed else [edges, shuffle, cards]
        super().__init__(in_words(built), choices={name: known(one) for name, one in built.items()})


def text_of(order: list) -> str:
    """Return an order as the explorer's `order` has it: the ops' names, in one text."""
    return ", ".join(op.name for op in order)


def known(built: Built) -> dict:
    """Return what the page must know about a graph: its ops in minitf's order, and its edges."""
    ops = built.orders[0]
    graph = graph_of_ops(ops)
    place = {op: number for op in ops for number in numbers_of(graph, [op])}
    return {
        "ops": [{"name": op.name, "does": DOES[op.name]} for op in ops],
        "edges": [[start, end, order] for (start, end), order in graph.edges.items()],
        "read": place[built.read],
        "update": place[built.update],
        "gives": place[built.fetched.op],
        "chosen": [place[op] for op in built.edge] if built.edge else None,
        "isMissed": built.edge is not None and built.read not in built.edge,
    }


def in_words(built: dict[str, Built]) -> str:
    """Say, for each choice of an edge, how many of the valid orders give which value."""
    lines = ["The ops of one run as cards, and two bins that count what all runs have read."]
    for choice, one in built.items():
        got = [one.fetches(order) for order in one.orders]
        counts = f"{got.count(0)} give the old value and {got.count(1)} the new one"
        lines.append(f"{choice.capitalize()}: of {len(got)} valid orders, {counts}.")
    return "\n".join(lines)
