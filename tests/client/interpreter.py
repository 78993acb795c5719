"""The rules of a run, executed one op at a time, without any cleverness.

Nothing is folded, shared, dropped or inlined, no static shape is believed, every value has its own
memory. Whatever the compiler does, its program must give what this gives.
"""

import numpy as np

from minitf.client.arithmetic import calculate
from minitf.framework.operation import Tensor
from minitf.framework.registry import OPS
from tests.client.plain_ops import RULES, Doubtful, demand, index_of, result_of
from tests.client.plain_order import UPDATES, blocks_of, order, variable_of


class Failed(Exception):
    """The run must fail: at this op, or at one that uses what this op could not compute."""

    def __init__(self, op, reason):
        super().__init__(f"{op.name}: {reason}")
        self.op = op


class Nothing:
    """The result of an op that failed. An optimizer may drop work of which only the shape is used,
    and with it the error: then `certain` is False."""

    def __init__(self, failed, certain=True):
        self.failed = failed
        self.certain = certain


# What NumPy raises where an op must fail.
WRONG = (ValueError, TypeError, IndexError)
# Inputs of which only the shape counts, or which only make the shape of the result.
SHAPE_ONLY = {
    "Shape": [0],
    "Size": [0],
    "Rank": [0],
    "Fill": [0],
    "BroadcastTo": [1],
    "Reshape": [1],
    "Unbroadcast": [1],
    "Unreduce": [1, 2],
    # And those that a constant condition may leave unread.
    "Select": [1, 2],
    "SelectV2": [1, 2],
}


def interpret(state, fetches, feeds):
    """What the fetches give; `state` is changed as by the run.

    Raises Failed where the run must fail, Doubtful where it may, because what fails is not used.
    """
    run = _Run(state, feeds)
    ops = order(fetches, set(feeds))
    waited_for = {c for op in ops for c in op.control_inputs}.union(fetches)
    for op in ops:
        calculate(run.execute, op)
        if op in waited_for:
            run.must_have_run(op)
    values = [run.fetched(fetch) for fetch in fetches]
    if run.failures:
        raise Doubtful(run.failures[0])
    return values


# The updates.


def rule_of(op):
    """What is done to the whole variable, or to each row of a sparse update."""
    return RULES["Nesterov" if op.attrs.get("use_nesterov") else op.type.removeprefix("Sparse")]


def new_values(op, old, inputs):
    """What an update puts in the place of the variables that it changes, of which `old` is the first."""
    if op.type.startswith("Sparse"):
        return _rows_trained(op, old, inputs)
    if op.type.startswith("Scatter"):
        return [_scattered(op, old, *inputs)]
    if op.type == "StridedSliceAssign":
        return [_with_part(op, old, *inputs)]
    if op.type in RULES:
        for x, (name, kind) in zip(inputs, OPS[op.type].inputs[1:], strict=True):
            if (name == "grad" or kind == "ref") and x.shape != old.shape:
                raise Doubtful(f"{op.name}: a {name} of another shape than {old.shape}")
        return rule_of(op)(old, *inputs)
    *rate, value = inputs
    demand(value.shape == old.shape and all(r.ndim == 0 for r in rate))
    if op.type == "AssignAdd":
        return [old + value]
    return [old - value * rate[0] if rate else old - value]


def _rows_trained(op, old, inputs):
    """The same rule for each of some rows, as if it were a variable."""
    names = [name for name, _ in OPS[op.type].inputs[1:]]
    indices = inputs.pop(names.index("indices"))
    slots = sum(t.dtype.name.endswith("_ref") for t in op.inputs) - 1
    held = [old, *inputs[:slots]]
    gradient = names.index("grad")
    demand(inputs[gradient].shape == indices.shape + old.shape[1:])
    demand(np.all((indices >= 0) & (indices < len(old))))
    for place, row in enumerate(indices):
        part = [x[row] for x in held] + inputs[slots:]
        part[gradient + 1] = inputs[gradient][place]
        for whole, new in zip(held, rule_of(op)(*part), strict=True):
            whole[row] = new
    return held


def _scattered(op, old, indices, updates):
    new, updates = old.copy(), np.broadcast_to(updates, indices.shape + old.shape[1:])
    demand(np.all((indices >= 0) & (indices < len(old))))
    for place in np.ndindex(indices.shape):
        row, update = indices[place], updates[place]
        if op.type == "ScatterUpdate":
            new[row] = update
        else:
            new[row] += update if op.type == "ScatterAdd" else -update
    return new


def _with_part(op, old, *inputs):
    *limits, value = inputs
    new, place = old.copy(), tuple(index_of(op, *limits))
    new[place] = np.broadcast_to(value, new[place].shape)
    return new


# The ops.


class _Run:
    def __init__(self, state, feeds):
        self.state = state
        self.feeds = feeds
        self.values = {}
        self.failures = []

    def fail(self, failed):
        """Note a failure; it counts if somebody uses the result."""
        self.failures.append(failed)
        return Nothing(failed)

    def must_have_run(self, op):
        """Somebody waits for `op`: a failure counts, though nobody may use the result.

        (Of an op whose output is fed, only updates must run.)
        """
        if any(t in self.feeds for t in op.outputs):
            return
        if op.passes_on:
            self.certain(self.read(op.outputs[0], op))
        elif op.outputs and op.outputs[0] in self.values:
            self.certain(self.values[op.outputs[0]])

    @staticmethod
    def certain(value):
        """The value, for somebody who needs it."""
        if isinstance(value, Nothing):
            raise value.failed if value.certain else Doubtful(value.failed)
        return value

    def fetched(self, fetch):
        """The value of a tensor, None of an op."""
        return self.certain(self.read(fetch, fetch.op)) if isinstance(fetch, Tensor) else None

    def read(self, tensor, reader):
        """What `reader` sees now: of a variable, what it holds at this moment."""
        if tensor in self.feeds:
            return np.array(self.feeds[tensor])
        if tensor.op.passes_on:
            return self.read(tensor.op.inputs[0], reader)
        if not tensor.dtype.name.endswith("_ref"):
            return self.values[tensor]
        variable = variable_of(tensor)
        if variable.outputs[0] in self.feeds:
            return np.array(self.feeds[variable.outputs[0]])
        if variable.name not in self.state:
            return self.fail(Failed(reader, f"{variable.name} is uninitialized"))
        return self.state[variable.name].copy()

    def execute(self, op):
        """Compute the outputs of `op`, or change the state; nothing in a branch that is not taken."""
        if not all(self.is_taken(block) for block in reversed(blocks_of(op))):
            return
        if op.type in ("VariableV2", "NoOp") or op.passes_on:
            return
        if op.type == "Placeholder":
            raise Failed(op, "not fed")
        if op.type in UPDATES:
            try:
                return self.update(op)
            except WRONG as error:
                raise Failed(op, error) from None
        if op.type == "IsVariableInitialized":
            self.values[op.outputs[0]] = np.array(variable_of(op.inputs[0]).name in self.state)
            return
        if op.type == "InitializedValue":
            initialized = variable_of(op.inputs[0]).name in self.state
            self.values[op.outputs[0]] = self.read(op.inputs[0 if initialized else 1], op)
            return
        if op.type == "Merge":
            block = next(b for b in op.control.closes.blocks if self.is_taken(b))
            self.values[op.outputs[0]] = self.read(op.inputs[block.index], op)
            return
        inputs = [self.read(t, op) for t in op.inputs]
        if op.type == "Assert":
            condition = self.certain(inputs[0])
            if condition.size != 1 or not condition:
                raise Failed(op, "not true")
            return
        result = self.result(op, inputs)
        for i, tensor in enumerate(op.outputs):
            found = result if isinstance(result, Nothing) else np.array(result[i], tensor.dtype.as_numpy_dtype)
            self.values[tensor] = found

    def is_taken(self, block):
        """Whether the predicate of a cond chooses this branch."""
        predicate = block.construct.pred
        value = self.certain(self.read(predicate, predicate.op))
        if value.size != 1:
            raise Failed(predicate.op, "not one truth value")
        return bool(value) == bool(block.index)

    def result(self, op, inputs):
        """What `op` gives for these inputs: a value for each output, or Nothing."""
        missing = {i: x for i, x in enumerate(inputs) if isinstance(x, Nothing)}
        for i, x in missing.items():
            if x.certain and i not in SHAPE_ONLY.get(op.type, []):
                return x
        for x in missing.values():
            return Nothing(x.failed, certain=False)
        try:
            return result_of(op, inputs)
        except WRONG as error:
            return self.fail(Failed(op, error))

    def update(self, op):
        """Change the variables; an assigned value has the shape that the variable has."""
        variable = variable_of(op.outputs[0])
        inputs = [self.certain(self.read(t, op)) for t in op.inputs[1:]]
        if op.type == "Assign":
            (value,) = inputs
            demand(not op.attrs["validate_shape"] or value.shape == self._shape(variable, value))
            self.state[variable.name] = value.copy()
            return
        old = self.certain(self.read(variable.outputs[0], op))
        for ref, new in zip(op.inputs, new_values(op, old, inputs), strict=False):
            self.state[variable_of(ref).name] = np.array(new, old.dtype)

    def _shape(self, variable, value):
        """The shape that an assigned value must have: the one it has now, or else the declared one."""
        if variable.name in self.state:
            return self.state[variable.name].shape
        declared = variable.outputs[0].shape
        return tuple(declared.as_list()) if declared.is_fully_defined() else value.shape
