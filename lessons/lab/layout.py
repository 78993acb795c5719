"""A layered drawing: whatever an op needs is above it, and few edges cross.

It follows Sugiyama, Tagawa and Toda (1981) in four steps: layers, a bend wherever an edge passes
a layer, an order within each layer, and positions that keep edges straight.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf
from statistics import fmean

GAP, ROW = 13, 15  # points between neighbours in a layer, and between layers
SWEEPS = 12
NEAR = 1e-6  # points by which a sum may differ, for Pythons add floats differently
Node = Hashable
Edge = tuple[Node, Node]
Pair = tuple[float, float]  # a place (x, y), or a size (width, height)


@dataclass(frozen=True)
class Layout:
    """The size and centre of each node, the points of each edge, and the size of the whole drawing."""

    sizes: Mapping[Node, Pair]
    centers: dict[Node, Pair]
    routes: dict[Edge, list[Pair]]
    width: float
    height: float


@dataclass(frozen=True)
class Bend:
    """The point where an edge passes a layer: a node without size."""

    edge: Edge
    layer: int


def layered(sizes: Mapping[Node, Pair], edges: Sequence[Edge]) -> Layout:
    """Place nodes of these sizes (width, height); every edge must lead to a later node."""
    if not sizes:
        return Layout(sizes, {}, {}, 0.0, 0.0)
    layer = _layers(list(sizes), edges)
    chains: dict[Edge, list[Node]] = {}
    for start, end in edges:
        bends = [Bend((start, end), row) for row in range(layer[start] + 1, layer[end])]
        layer |= {bend: bend.layer for bend in bends}
        chains[start, end] = [start, *bends, end]
    rows: list[list[Node]] = [[] for _ in range(max(layer.values()) + 1)]
    for node, row in layer.items():
        rows[row].append(node)
    links = [link for chain in chains.values() for link in pairwise(chain)]
    above, below = _neighbours(links)
    rows = _ordered(rows, above, below, links)
    widths = {node: sizes[node][0] if node in sizes else 0.0 for row in rows for node in row}
    x = _columns(rows, above, below, widths, list(chains.values()))
    tall = [max(sizes[node][1] for node in row if node in sizes) for row in rows]
    y = [sum(tall[:i]) + ROW * i + tall[i] / 2 for i in range(len(rows))]
    left = min(x[node] - widths[node] / 2 for node in x)
    right = max(x[node] + widths[node] / 2 for node in x)

    def route(edge: Edge) -> list[Pair]:
        points = []
        for node in chains[edge]:  # straight down past the whole layer, so that edges cross no node
            middle, half = y[layer[node]], tall[layer[node]] / 2
            points += [(x[node] - left, middle - half), (x[node] - left, middle + half)]
        start, end = edge
        first = (x[start] - left, y[layer[start]] + sizes[start][1] / 2)
        last = (x[end] - left, y[layer[end]] - sizes[end][1] / 2)
        return list(dict.fromkeys([first, *points[1:-1], last]))

    centers = {node: (x[node] - left, y[layer[node]]) for node in sizes}
    routes = {edge: route(edge) for edge in edges}
    return Layout(sizes, centers, routes, right - left, y[-1] + tall[-1] / 2)


def _layers(nodes: list[Node], edges: Sequence[Edge]) -> dict[Node, int]:
    """Put each node below what it needs, or just above its first user if it needs nothing."""
    before, after = _neighbours(edges)
    layer: dict[Node, int] = {}
    for node in nodes:
        layer[node] = max((layer[start] + 1 for start in before[node]), default=0)
    for node in nodes:
        if after[node] and not before[node]:
            layer[node] = min(layer[end] for end in after[node]) - 1
    return layer


def _neighbours(links: Sequence[Edge]) -> tuple[dict, dict]:
    above, below = defaultdict(list), defaultdict(list)
    for start, end in links:
        above[end].append(start)
        below[start].append(end)
    return above, below


def _ordered(rows: list, above: dict, below: dict, links: list[Edge]) -> list[list[Node]]:
    """Sort each layer by its neighbours' mean place, sweeping down and up; keep the best order."""
    best, fewest = [list(row) for row in rows], _crossings(rows, links)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for row in rows if downwards else reversed(rows):
            place = {node: i for other in rows for i, node in enumerate(other)}
            means = {n: fmean(place[o] for o in neighbours[n] or [n]) for n in row}
            row.sort(key=means.get)
        crossings = _crossings(rows, links)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _crossings(rows: list, links: list[Edge]) -> int:
    place = {node: (i, j) for i, row in enumerate(rows) for j, node in enumerate(row)}
    ends = [(place[start], place[end]) for start, end in links]
    return sum(
        (a[1] - c[1]) * (b[1] - d[1]) < 0
        for n, (a, b) in enumerate(ends)
        for c, d in ends[:n]
        if a[0] == c[0]
    )


def _columns(rows: list, above: dict, below: dict, widths: dict, chains: list) -> dict[Node, float]:
    """Move each node towards the mean of those it is linked to, as far as its row leaves room."""
    x: dict[Node, float] = {}
    for row in rows:
        x |= _spread(row, [0.0] * len(row), widths)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = []
            for node in row:
                near = [*above[node], *below[node]] or [node]
                pulls = [_pull(node, other) for other in near]
                places = sum(pull * x[other] for pull, other in zip(pulls, near, strict=True))
                wanted.append(places / sum(pulls))
            x |= _spread(row, wanted, widths)
        for chain in chains:
            _straighten(chain, x, rows, widths)
    return x


def _straighten(chain: list, x: dict[Node, float], rows: list, widths: dict) -> None:
    """Let an edge run straight down past as many layers as the nodes beside it allow."""
    run: list[Node] = []
    low, high = -inf, inf
    for bend in chain[1:-1]:
        row = rows[bend.layer]
        at = row.index(bend)
        least = x[row[at - 1]] + _apart(row[at - 1], bend, widths) if at else -inf
        most = x[row[at + 1]] - _apart(bend, row[at + 1], widths) if row[at + 1 :] else inf
        if max(low, least) > min(high, most) + NEAR:
            run, low, high = [], -inf, inf
        run, low, high = [*run, bend], max(low, least), min(high, most)
        places = [min(max(x[end], low), high) for end in (chain[0], chain[-1])]
        place = min(places, key=lambda at: abs(at - x[chain[0]]) + abs(at - x[chain[-1]]))
        x |= dict.fromkeys(run, place)


def _apart(node: Node, other: Node, widths: dict) -> float:
    """Return the least distance between the centres of two neighbours."""
    return (widths[node] + widths[other]) / 2 + GAP


def _pull(node: Node, other: Node) -> int:
    """Return how much it matters that one is straight above the other (as in Graphviz's dot)."""
    return (1, 2, 8)[isinstance(node, Bend) + isinstance(other, Bend)]


def _spread(row: list[Node], wanted: list[float], widths: dict) -> dict[Node, float]:
    """Return places as near to `wanted` as the widths allow, in the row's order.

    Once the room that each node needs is subtracted, the places only have to be non-decreasing. The
    nearest such places are means of pools (isotonic regression by pooling adjacent violators).
    """
    offsets = list(accumulate((_apart(*pair, widths) for pair in pairwise(row)), initial=0.0))
    pools: list[tuple[float, int, int]] = []  # (mean, weight, how many)
    for node, want, offset in zip(row, wanted, offsets, strict=True):
        pools.append((want - offset, _pull(node, node), 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n, i), (b, m, j) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m, i + j)]
    means = [mean for mean, _, many in pools for _ in range(many)]
    return {node: m + offset for node, m, offset in zip(row, means, offsets, strict=True)}
