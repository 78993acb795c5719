"""Showing the program of a run without running it: `tf.program`, which TensorFlow does not have."""

from collections.abc import Iterable
from typing import Any

from minitf.client.compiler import compile_program
from minitf.client.feeds import as_feed_key
from minitf.client.fetches import flatten
from minitf.client.order import all_ops, execution_order
from minitf.client.program import Program
from minitf.framework import nest
from minitf.framework.graph import Graph, get_default_graph
from minitf.framework.operation import Tensor


def program_of(fetches: Any, feeds: Iterable[Any] | None = None, graph: Graph | None = None) -> Program:
    """The program that `run(fetches)` executes when `feeds` are fed; None: the placeholders it needs."""
    graph = graph or next((f.graph for f in nest.flatten(fetches)[0] if hasattr(f, "graph")), get_default_graph())
    elements, _ = flatten(fetches, graph)
    if feeds is None:
        targets = [e.op if isinstance(e, Tensor) else e for e in elements]
        needed = all_ops(execution_order(targets, set()))
        fed = [op.outputs[0] for op in needed if op.type == "Placeholder"]
    else:
        fed = [as_feed_key(key, graph) for key in feeds]
    return compile_program(graph, elements, fed)


def program(fetches: Any, feeds: Iterable[Any] | None = None) -> Program:
    """Print the NumPy program that `run(fetches)` executes, and return it.

    `feeds` are the tensors that would be fed; without them, the placeholders that the run needs.

        tf.program(train_op)
    """
    shown = program_of(fetches, feeds)
    print(shown)
    return shown
