"""Questions about a graph: what a tensor is computed from, what an update adds, and what races.

Two ops are ordered if a path of values or control leads from one to the other. An update of a
variable and a read of it in the same run without such a path are in a race: in TensorFlow, either
may come first.
"""

import itertools
from collections import defaultdict

from minitf.framework.op_def_library import constant_value
from minitf.framework.operation import Tensor
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of

# These pass a variable on without reading it; it is read where the result is used.
_HAND_ON = ("Identity", "Reshape", "StopGradient")


def above(value):
    """Return the operations that a tensor or a variable is computed from; for a number, none.

    The value of an update is its variable, so nothing above an update counts.
    """
    value = value._as_graph_element() if hasattr(value, "_as_graph_element") else value
    found, waiting = {}, [value.op] if isinstance(value, Tensor) else []
    while waiting:
        op = waiting.pop()
        if op not in found:
            found[op] = None
            waiting += [] if OPS[op.type].updates else [source.op for source in op.inputs]
    return list(found)


def is_scalar(op):
    """Return whether an operation is a variable with a single number."""
    return op.type == "VariableV2" and op.outputs[0].shape.rank == 0


def initializes(op):
    """Return whether an operation is the initializer of a variable."""
    return op.type == "Assign" and op.name == f"{held(op.outputs[0]).name}/Assign"


def held(tensor):
    """Return the variable that a tensor still is, because nothing has read its value yet."""
    op = tensor.op
    while op.type in _HAND_ON or OPS[op.type].updates:
        op = op.inputs[0].op
    return op if op.type == "VariableV2" else None


def added(update):
    """Return the constant that an update adds to a single number, or None."""
    target = held(update.outputs[0])
    value = update.inputs[1].op if update.type == "Assign" else update
    if is_scalar(target) and value.type in ("AssignAdd", "AssignSub", "Add", "AddV2"):
        for one, other in itertools.permutations(value.inputs):
            source = other.op.inputs[0] if other.op.type == "Cast" else other
            if held(one) is target:
                return constant_value(source)
    return None


def races(ops, fetched):
    """Yield each variable that a run updates and reads in no order, with the fetch that reads it.

    `ops` are those of the run, in the order of execution.
    """
    updates = defaultdict(list)
    for op in ops:
        for variable in variables_of(op) if OPS[op.type].updates else ():
            updates[variable].append(op)
    reads = []
    for tensor in fetched:
        if held(tensor) in updates:
            reads.append((held(tensor), tensor.op, tensor))
        elif held(tensor) is None:
            pairs = [(op, source) for op in above(tensor) for source in op.inputs]
            reads += [
                (held(s), op, tensor)
                for op, s in pairs
                if op.type not in _HAND_ON and held(s) in updates
            ]
    marked = [*itertools.chain(*updates.values()), *(op for _, op, _ in reads)]
    marks, before = {op: 1 << i for i, op in enumerate(marked)}, {}
    for op in ops:  # before: the marks of all ops from which a path leads to an op
        before[op] = marks.get(op, 0)
        for source in [*(tensor.op for tensor in op.inputs), *op.control_inputs]:
            before[op] |= before.get(source, 0)
    for variable, reader, tensor in reads:
        for update in updates[variable]:
            read_first = before[update] & marks[reader] and held(tensor) is None
            if reader in before and not read_first and not before[reader] & marks[update]:
                yield variable, tensor
