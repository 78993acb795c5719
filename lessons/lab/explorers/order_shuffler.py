"""The order shuffler: run a read and an update in every order that the edges allow."""

from random import Random

from lab.controls.controls import menu, press
from lab.controls.explorer import Stored
from lab.drawing.parts import DONE, NOW, PLAIN, Picture, code, note, stack, table
from lab.drawing.run_graph import RunGraph, graph_of_ops, numbers_of
from lab.experiments.ordering import waits_for
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, Built, build
from minitf import Operation

RUNS = 6  # as many as there are orders without an edge; with one, they repeat
MIX = 1  # the seed: run 2 gives a different value from run 1, although it starts with the same op
GAP = 36  # pixels between the layers of the graph, enough for the edge's name
WIDTH, HEIGHT = 300, 300  # room for each of the four graphs
NAMES = ("old", "new")


class OrderShuffler(Stored):
    """Choose a control edge, and press to run the ops in another order."""

    def __init__(self, missed: bool = False):
        """Offer three graphs, or show only the one whose edge misses the read."""
        choices = [MISSED] if missed else [NO_EDGE, READ_WAITS, UPDATE_WAITS]
        self._built = {choice: build(choice) for choice in choices}
        shuffle = press("run", "Shuffle")
        self.controls = [shuffle] if missed else [menu("edge", "control edge", choices), shuffle]
        super().__init__()

    def picture(self, run: int, edge: str = MISSED) -> Picture:
        """Return the order of this run, what each order gives, the graph, and all runs so far."""
        built = self._built[edge]
        first, *others = built.orders
        mixed = [first, *Random(MIX).sample(others, len(others))]
        got = [built.fetches(order) for order in mixed]
        now, graph = run % len(mixed), graph_of_ops(built.ops)
        lines = code(steps_of(mixed[now], built, graph), title="Run in this order", linked=True)
        fetched = [got[n % len(got)] for n in range(run + 1)]
        left = stack(lines, runs_so_far(fetched), basis=330)
        race, verdict = path_between(built)
        old, new = got.count(0), got.count(1)
        count = f"Of the {len(got)} valid orders, {old} give the old value and {new} the new one."
        verdict.append(count)
        ran = f"Run {run + 1}: {', '.join(op.name for op in mixed[now])}."
        fetches = f"It fetches {got[now]}, the {NAMES[got[now]]} value."
        words = f"{' '.join(verdict)}\n{ran} {fetches}"
        below = note(*verdict, kind=NOW if race else DONE)
        return Picture([left, graph_of(built, graph), below], words)


def steps_of(order: list[Operation], built: Built, graph: RunGraph) -> list[dict]:
    """List an order's ops, with what each does; lines and boxes light up together."""
    got = built.fetches(order)
    does = {
        "step/read": (PLAIN, "hands the step on"),
        "update_w": (PLAIN, "w: 5 → 4"),
        "add_one": (NOW, "step: 0 → 1"),
        "seen": (DONE, f"reads {got}"),
        "late": (PLAIN, f"gets {got} from seen"),
    }
    lines = []
    for number, op in enumerate(order, start=1):
        [key], (kind, what) = numbers_of(graph, [op]), does[op.name]
        lines.append({"text": f"{number}. {op.name}", "kind": kind, "note": what, "key": f"n{key}"})
    return lines


def runs_so_far(fetched: list[int]) -> dict:
    """Show what each run fetched, one dot per run; the last one is happening now."""
    rows = [[{"text": f"{value}, {NAMES[value]}"}] for value in (1, 0)]
    for run in range(RUNS):
        for value, row in zip((1, 0), rows, strict=True):
            is_here = fetched[run : run + 1] == [value]
            kind = NOW if run == len(fetched) - 1 else DONE
            row.append({"text": "●", "kind": kind} if is_here else {"text": " "})
    head = ["run", *map(str, range(1, RUNS + 1))]
    return table(rows, head, title="What the fetch gives, run after run", widths=[60] + [40] * RUNS)


def path_between(built: Built) -> tuple[bool, list[str]]:
    """Return whether there is a race, and lines that say which path orders read and update."""
    if waits_for(built.read, built.update):
        return False, ["A path leads from the update to the read: the read comes after."]
    if waits_for(built.update, built.read):
        return False, ["A path leads from the read to the update: the read comes before."]
    missed = ["The edge leads to late, but the read is seen, made outside."] if built.edge else []
    return True, [*missed, "No path joins the read and the update: a race."]


def graph_of(built: Built, graph: RunGraph) -> dict:
    """Draw the graph, and name the chosen edge."""
    ops = [built.read, built.update, *(built.edge or ())]
    [read], [update], *edge = (numbers_of(graph, [op]) for op in ops)
    ends = tuple(number for [number] in edge)
    looks = {ends: {"kind": NOW, "name": "the edge"}} if edge else {}
    kinds = {read: DONE, update: NOW}
    part = graph.part(graph.laid_out(gap=GAP), kinds, edges=looks, title="The graph")
    return {**part, "basis": WIDTH, "reserve": HEIGHT}
