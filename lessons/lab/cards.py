"""The ops of one run as cards: shuffle them or move them, and count what the runs have read."""

from pathlib import Path
from typing import Any

import traitlets

from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, Built, build
from lab.widget import Widget

DOES = {  # an op in a run whose read comes before the update, and in one whose read comes after
    "step/read": ("passes the step on",) * 2,
    "update_w": ("w: 5 → 4",) * 2,
    "add_one": ("step: 0 → 1",) * 2,
    "seen": ("reads 0", "reads 1"),
    "late": ("takes 0 from seen", "takes 1 from seen"),
}

WORDS = "The ops of one run as cards, and two bins that count what all runs have read."


class OrderShuffler(Widget):
    """Choose a control edge, and shuffle the cards or move them into another order."""

    _esm = Path(__file__).with_name("cards.js")
    graphs = traitlets.Dict().tag(sync=True)  # for each choice of an edge
    edge = traitlets.Unicode().tag(sync=True)  # the choice
    order = traitlets.List(traitlets.Unicode()).tag(sync=True)  # the names of the ops
    old = traitlets.Int(0, min=0).tag(sync=True)  # how many runs have read the old value,
    new = traitlets.Int(0, min=0).tag(sync=True)  # and how many the new one

    def __init__(self, late: bool = False):
        """Offer three graphs, or show only the one with `late`, whose edge misses the read."""
        choices = [MISSED] if late else [NO_EDGE, READ_WAITS, UPDATE_WAITS]
        graphs = {choice: described(build(choice)) for choice in choices}
        self.picture = "cards_missed" if late else "cards"
        lines = [f"{choice.capitalize()}. {graph['verdict']}" for choice, graph in graphs.items()]
        self.words = "\n".join([WORDS, *lines])
        super().__init__(graphs=graphs, edge=choices[0], order=graphs[choices[0]]["orders"][0])

    @traitlets.validate("edge")
    def _offered(self, proposal: Any) -> str:
        if proposal["value"] not in self.graphs:
            raise traitlets.TraitError(f"edge is one of {list(self.graphs)}")
        return proposal["value"]

    @traitlets.validate("order")
    def _allowed(self, proposal: Any) -> list[str]:
        if proposal["value"] not in self.graphs[self.edge]["orders"]:
            raise traitlets.TraitError(f"the edges don't allow the order {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("edge")
    def _begin_again(self, change: Any) -> None:
        self.order, self.old, self.new = self.graphs[self.edge]["orders"][0], 0, 0


def described(built: Built) -> dict:
    """Return what the page needs to know about a graph."""
    orders = built.orders
    ops = orders[0]
    edges = [(tensor.op, op, False) for op in ops for tensor in op.inputs]
    edges += [(before, op, True) for op in ops for before in op.control_inputs]
    return {
        "cards": [{"name": op.name, "does": DOES[op.name]} for op in ops],
        "edges": [
            {
                "from": start.name,
                "to": end.name,
                "control": control,
                "chosen": (start, end) == built.edge,
            }
            for start, end, control in edges
            if start in ops
        ],
        "read": built.read.name,
        "update": built.update.name,
        "orders": [[op.name for op in order] for order in orders],
        "verdict": verdict(built),
    }


def verdict(built: Built) -> str:
    """Say whether a path joins the read and the update, and which values the valid orders bring."""
    values = [built.fetches(order) for order in built.orders]
    old, new = values.count(0), values.count(1)
    if not old:
        return f"A path leads from the update to the read, so all {new} valid orders bring the new value."
    if not new:
        return f"A path leads from the read to the update, so all {old} valid orders bring the old value."
    missed = "The control edge leads to an op that reads nothing. " if built.edge else ""
    orders = f"Of {old + new} valid orders, {old} bring the old value and {new} the new one."
    return f"{missed}No path joins the read and the update, so they race. {orders}"
