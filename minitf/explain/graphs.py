"""Questions about a graph: what a tensor is computed from, and what races.

Two ops are ordered if a path of values or control leads from one to the other. If a run updates and
reads a variable with no such path between the two, they race: in TensorFlow, either may come first.
"""

import itertools

from minitf.framework.operation import Tensor
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of

# These pass a variable on without reading it; it is read where the result is used.
_HAND_ON = ("Identity", "Reshape", "StopGradient")


def above(value):
    """Return the operations that a tensor or variable is computed from; none for a number.

    The value of an update is its variable, so nothing above an update counts.
    """
    found, waiting = {}, [value.op] if hasattr(value, "op") else []
    for op in waiting:
        if op not in found:
            found[op] = None
            waiting += [] if OPS[op.type].updates else [source.op for source in op.inputs]
    return list(found)


def is_counter(op):
    """Return whether an operation is a variable that holds a single whole number.

    Some scripts count in floats; such a step is known by its name.
    """
    value = op.outputs[0] if op.type == "VariableV2" else None
    counts = value is not None and (value.dtype.is_integer or "global_step" in op.name)
    return counts and value.shape.rank == 0


def initializes(op):
    """Return whether an operation is the initializer of a variable."""
    return op.type == "Assign" and op.name == f"{held(op.outputs[0]).name}/Assign"


def held(tensor):
    """Return the variable that a tensor still refers to, or None if its value has been read."""
    op = tensor.op
    while op.type in _HAND_ON or OPS[op.type].updates:
        op = op.inputs[0].op
    return op if op.type == "VariableV2" else None


def races(ops, fetches):
    """Yield each variable that a run updates and reads in no order, with the fetch that reads it.

    `ops` are those of the run, in execution order. Each fetch comes with its place.
    """
    bits, before = {op: 1 << i for i, op in enumerate(ops)}, {}
    for op in ops:  # before: the bits of all ops from which a path leads to an op
        before[op] = bits[op]
        # The results of a loop also depend on the ends of its iterations.
        ends = [tensor.op.inputs[1] for tensor in getattr(op.control.closes, "results", ())]
        for source in [*(tensor.op for tensor in [*op.inputs, *ends]), *op.control_inputs]:
            before[op] |= before.get(source, 0)
    updates = [(op, v) for op in ops if OPS[op.type].updates for v in variables_of(op)]
    for place, fetch in enumerate(fetches):
        itself = held(fetch) if isinstance(fetch, Tensor) else None
        users = [op for op in above(fetch) if op in bits and op.type not in _HAND_ON]
        reads = [(op, held(source)) for op in users for source in op.inputs]
        reads = [(fetch.op, itself)] if itself in bits else reads
        for (op, variable), (update, changed) in itertools.product(reads, updates):
            read_first = before[update] & bits[op] and not itself
            if variable is changed and not read_first and not before[op] & bits[update]:
                yield variable, fetch, place
