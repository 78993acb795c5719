"""A run executes only the operations that its fetches need, however many others the graph has."""

from typing import Any

import minitf as tf
from minitf.client.session import program_of


def ops_of_a_run(fetch: Any) -> list[tf.Operation]:
    """Return the operations that `run(fetch)` needs, in the order in which they run."""
    program = program_of(fetch)
    fed = [tensor.op for tensor, _ in program.parameters]
    return [*(op for op in fed if op not in program.ops), *program.ops]
