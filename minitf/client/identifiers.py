"""What a program calls things: after their ops, a gradient after what it is the gradient of.

No two values have the same identifier, and none that of a kernel or of a word of Python's.
"""

import keyword
import re

from minitf.client.nodes import Node
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation
from minitf.framework.registry import KERNELS


class Identifiers:
    """Identifiers that differ from each other, from Python's words and from the kernels."""

    def __init__(self):
        self._taken = {*KERNELS, *keyword.kwlist, "state", "values", "program"}
        self._next: dict[str, int] = {}
        self._made: dict[tuple[str, ...], str] = {}

    def make(self, words: list[str]) -> str:
        """The shortest end of `words` that is still free, else one with a number behind it."""
        of = (
            self._made.get((*words[:-1], words[-1].removeprefix("d_")))
            if words[-1].startswith("d_")
            else None
        )
        if of and f"d_{of}" not in self._taken:
            self._taken.add(f"d_{of}")
            return f"d_{of}"
        made = self._made[tuple(words)] = self._new(words)
        return made

    def _new(self, words: list[str]) -> str:
        for count in range(1, len(words) + 1):
            name = re.sub(r"\W", "_", "_".join(words[-count:]))
            if name[0].isdigit() or name[0] == "_":
                name = f"x{name}"
            if name not in self._taken:
                self._taken.add(name)
                return name
        number = self._next.get(name, 1)
        while f"{name}_{number}" in self._taken:
            number += 1
        self._next[name] = number + 1
        self._taken.add(f"{name}_{number}")
        return f"{name}_{number}"


def words_of(op: Operation) -> list[str]:
    """What an op is called, scope by scope."""
    name = op.name.removesuffix("/read") if op.passes_on else op.name
    return op.graph.shown_as.get(name, name).split("/")


def words_for(node: Node, graph: Graph, index: int) -> list[str]:
    """A gradient is named after what it is the gradient of, everything else after its op."""
    made = node.outputs[index]
    for tensor in node.tensors if len(node.outputs) == 1 else [made]:
        if tensor in graph.gradient_of:
            words = words_of(graph.gradient_of[tensor].op)
            return [*words[:-1], f"d_{words[-1]}"]
    words = words_of(made.op)
    return words if len(made.op.outputs) == 1 else [*words[:-1], f"{words[-1]}_{index}"]


_GRADIENT_SCOPE = re.compile(r".*?_grad(?=/)")


def library_call(op: Operation) -> str:
    """The scope of the one call in the user's code that made `op` among other ops."""
    found = _GRADIENT_SCOPE.match(op.name)
    if found:
        return found.group()
    scope = op.name
    while scope := scope.rpartition("/")[0]:
        if scope in op.graph.operations or scope in op.graph.shown_as:
            return scope
    return op.name
