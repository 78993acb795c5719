"""Questions about a graph: what a tensor is computed from, what an update adds, and what races.

Two ops are ordered if a path of values or control leads from one to the other. An update of a
variable and a read of it in the same run without such a path are in a race: in TensorFlow, either
may come first.
"""

from collections.abc import Iterator

from minitf.framework.op_def_library import constant_value
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variable_of, variables_of

# These pass a variable on without reading it; it is read where the result is used.
_HAND_ON = ("Identity", "Reshape", "StopGradient")


def above(tensor: Tensor) -> list[Operation]:
    """Return the operations that a value is computed from.

    The value of an update is its variable, so nothing above an update counts.
    """
    found: dict[Operation, None] = {}
    waiting = [tensor.op]
    while waiting:
        op = waiting.pop()
        if op not in found:
            found[op] = None
            waiting += [] if OPS[op.type].updates else [source.op for source in op.inputs]
    return list(found)


def is_scalar(variable: Operation) -> bool:
    """Return whether an operation is a variable with a single number."""
    return variable.type == "VariableV2" and variable.outputs[0].shape.rank == 0


def initializes(op: Operation) -> bool:
    """Return whether an operation is the initializer of a variable."""
    return op.type == "Assign" and op.name == f"{variable_of(op.outputs[0]).name}/Assign"


def held(tensor: Tensor) -> Operation | None:
    """Return the variable that a tensor still is, because nothing has read its value yet."""
    op = tensor.op
    while op.type in _HAND_ON:
        op = op.inputs[0].op
    is_reference = op.type == "VariableV2" or OPS[op.type].updates
    return variable_of(op.outputs[0]) if is_reference else None


def added(update: Operation) -> float | None:
    """Return the constant that an update adds to a single number, or None."""
    target, value = held(update.outputs[0]), update
    if update.type == "Assign":
        value = update.inputs[1].op
    if not is_scalar(target) or value.type not in ("AssignAdd", "AssignSub", "Add", "AddV2"):
        return None
    one, other = value.inputs
    if held(one) is not target:
        one, other = other, one
    source = other.op.inputs[0] if other.op.type == "Cast" else other
    amount = constant_value(source) if held(one) is target else None
    return None if amount is None else float(amount) * (-1 if value.type == "AssignSub" else 1)


def races(ops: list[Operation], fetched: list[Tensor]) -> Iterator[tuple[Operation, Tensor]]:
    """Yield each variable that a run updates and reads in no order, with the fetch that reads it.

    `ops` are those of the run, in the order of execution.
    """
    updates = [(v, op) for op in ops if OPS[op.type].updates for v in variables_of(op)]
    reads = [(held(tensor), tensor.op, tensor) for tensor in fetched if held(tensor)]
    for tensor in fetched:
        for op in above(tensor) if held(tensor) is None else ():
            if op.type not in _HAND_ON and not OPS[op.type].updates:
                reads += [(held(source), op, tensor) for source in op.inputs if held(source)]
    marks = {op: 1 << i for i, (_, op, *_) in enumerate([*updates, *reads])}
    before: dict[Operation, int] = {}  # the marks of all ops from which a path leads to an op
    for op in ops:
        before[op] = marks.get(op, 0)
        for source in [*(tensor.op for tensor in op.inputs), *op.control_inputs]:
            before[op] |= before.get(source, 0)
    for variable, reader, tensor in reads:
        for updated, update in updates:
            if updated is variable and reader in before and not before[reader] & marks[update]:
                if held(tensor) or not before[update] & marks[reader]:
                    yield variable, tensor
