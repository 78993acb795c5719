"""Gradients are ops in the same graph: walk back from the result and apply the chain rule.

Each op on a path from the xs to the ys is visited once, newest first. By then, the gradients of its
outputs are known, and its own rule turns them into those of its inputs.

Mirrors tensorflow/python/ops/gradients_impl.py and gradients_util.py.
"""

import enum
from collections import defaultdict

from minitf.framework import dtypes
from minitf.framework.graph import Graph, graph_of, name_scope
from minitf.framework.op_def_library import IndexedSlices, convert_to_tensor
from minitf.framework.operation import Operation, Tensor, with_place
from minitf.framework.registry import OPS, no_gradient
from minitf.ops.array_ops import fill, identity, shape, zeros_like
from minitf.ops.control_flow_ops import GradientBlocks, block_of, dense
from minitf.ops.reduction_ops import add_n
from minitf.ops.slicing_ops import concat

Gradient = Tensor | IndexedSlices


class UnconnectedGradients(enum.Enum):
    """What `tf.gradients` returns for an x that no y depends on.

    NONE gives None, ZERO gives zeros.
    """

    NONE, ZERO = "none", "zero"


class AggregationMethod:
    """How TensorFlow adds up gradients. It is ignored here."""

    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE, EXPERIMENTAL_ACCUMULATE_N = 1, 2


def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
) -> list[Gradient | None]:
    """The derivative of the sum of `ys` with respect to each of `xs`, as a list of new tensors.

        dw, db = tf.gradients(loss, [w, b])

    `grad_ys` are weights for the ys, by default ones; tensors in `stop_gradients` count as
    constants. If no y depends on an x, its gradient is None, or zeros with
    `unconnected_gradients=tf.UnconnectedGradients.ZERO`. Rows gathered from an x have IndexedSlices
    as their gradient. `colocate_gradients_with_ops` and `aggregation_method` are ignored.

    Raises LookupError for an op without a gradient rule, ValueError for a wrong number of
    `grad_ys`, TypeError for ys or `grad_ys` that are not numeric.
    """
    ys = [convert_to_tensor(y) for y in _as_list(ys)]
    xs = [_as_variable_or_tensor(x) for x in _as_list(xs)]
    stops = {_as_variable_or_tensor(x) for x in _as_list(stop_gradients)}
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if len(grad_ys) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    try:
        unconnected_gradients = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
        ) from None
    graph = graph_of([*ys, *xs])
    with graph.as_default(), name_scope(name, "gradients") as scope:
        walk = _Walk(graph, scope, set(xs), stops, gate_gradients)
        for i, (y, grad_y) in enumerate(zip(ys, grad_ys, strict=True)):
            if y.dtype.base_dtype is dtypes.string and grad_y is None:
                raise TypeError("Expected string, but got 1 of type 'int'.")
            differentiable = y.dtype.is_floating or y.dtype.is_complex
            if differentiable or grad_y is not None or y in walk.xs:
                walk.parts[y].append(_first_gradient(y, grad_y, f"grad_ys_{i}"))
        ops = walk.between(ys)
        for y in ys:  # asked even where, as for truth values, no gradient begins
            if y.op in walk.leads_to_x and OPS[y.op.type].gradient is no_gradient:
                walk.of_inputs(y.op, [None] * len(y.op.outputs))
        walk.back(ops)
        found = [walk.total(x) for x in xs]
    if unconnected_gradients == UnconnectedGradients.ZERO:
        found = [zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]
    return found


def _as_list(values):
    if values is None:
        return []
    return list(values) if isinstance(values, list | tuple) else [values]


def _as_variable_or_tensor(x):
    return x._as_tensor(as_ref=True) if hasattr(x, "_as_tensor") else convert_to_tensor(x)


def _first_gradient(y, grad_y, name):
    """The gradient of y with respect to itself: ones, or `grad_y` if the caller gives it."""
    if y.dtype.base_dtype not in dtypes.NUMERIC:
        raise TypeError(
            f"Tensor {y} with type {y.dtype.name} must be numeric to obtain a default gradient"
        )
    if grad_y is None:
        if y.dtype.is_complex:
            raise TypeError(
                f"Gradients of complex tensors ({y}) must set grad_ys (y.dtype = {y.dtype.name})"
            )
        dims = y.shape.as_list() if y.shape.is_fully_defined() else shape(y)
        return fill(dims, y.dtype.base_dtype.as_numpy_dtype(1), name=name)
    grad_y = convert_to_tensor(grad_y, name=name)
    if not y.dtype.is_complex and not (grad_y.dtype.is_floating or grad_y.dtype.is_integer):
        raise TypeError(
            f"Gradient type {grad_y.dtype.name} generated for real or integer-valued tensor {y} "
            f"with type {y.dtype.name} must be real or integer"
        )
    return grad_y


def _sum(parts):
    """The sum of gradients: a tensor if any of them is one, or else IndexedSlices with all rows."""
    if not all(isinstance(part, IndexedSlices) for part in parts):
        parts = [convert_to_tensor(part) for part in parts]
        with parts[0].graph.colocate_with(parts[0]):
            return add_n(parts)
    values = concat([part.values for part in parts[::-1]], 0)
    indices = concat([part.indices for part in parts[::-1]], 0)
    return IndexedSlices(values, indices, parts[-1].dense_shape)


def _can_have_gradient(tensor: Tensor) -> bool:
    """Whether a tensor is of floats, or a list of tensors, whose gradient is a list."""
    return tensor.dtype.base_dtype.is_floating or tensor.dtype.name == "variant"


class _Walk:
    """One walk from the ys back to the xs, with the parts of each gradient found so far."""

    def __init__(self, graph: Graph, scope: str, xs: set[Tensor], stops: set[Tensor], gate: bool):
        self.graph, self.scope, self.xs, self.stops, self.gate = graph, scope, xs, stops, gate
        self.blocks = GradientBlocks(graph)
        self.leads_to_x: set[Operation] = set()
        self.done: set[Operation] = set()
        self.parts = defaultdict(list)  # of each tensor's gradient

    def total(self, tensor):
        """The gradient of `tensor`: the sum of its parts, or None if there are none."""
        parts = self.parts[tensor]
        if len(parts) > 1:
            with self.graph.name_scope(self.scope), self.blocks.inside(block_of(tensor)):
                parts[:] = [_sum(parts)]
        for total in parts:
            self.graph.gradient_of.setdefault(getattr(total, "values", total), tensor)
        return parts[0] if parts else None

    def back(self, ops: list[Operation]) -> None:
        """Visit the ops in this order. The first result of a loop leads to a visit of all of it."""
        for op in ops:
            outputs = [self.total(t) for t in op.outputs]
            if op in self.done or all(g is None for g in outputs):
                continue
            self.done.add(op)
            if op.type == "Exit":
                op.control.closes.back(self, ops)
                continue
            with self.graph.name_scope(f"{op.name}_grad"), self.blocks.inside(op.control.block):
                found = self.of_inputs(op, outputs)
                for tensor, gradient in zip(op.inputs, found, strict=True):
                    if gradient is not None:
                        self.parts[tensor].append(gradient)

    def between(self, ys: list[Tensor]) -> list[Operation]:
        """The ops on which the ys depend and that depend on an x, newest first.

        An op is older than its readers, except around a loop.
        """
        readers = defaultdict(list)
        reached, waiting = set(), [y.op for y in ys]
        while waiting:
            op = waiting.pop()
            if op not in reached:
                reached.add(op)
                for tensor in op.inputs:
                    readers[tensor].append(op)
                waiting += [t.op for t in op.inputs if t not in self.stops]
        tensors = [*self.xs]
        for tensor in tensors:
            if _can_have_gradient(tensor):
                for op in readers.pop(tensor, ()):
                    self.leads_to_x.add(op)
                    tensors += [t for t in op.outputs if t not in self.stops]
        return sorted(self.leads_to_x, key=lambda op: -op.number)

    def _is_on_path(self, tensor):
        return tensor in self.xs or tensor.op in self.leads_to_x and tensor not in self.stops

    def of_inputs(self, op, outputs):
        """The gradients of an op's inputs by its rule, for those that depend on an x."""
        if op.type == "Switch":
            return [self.blocks.of_entry(op, outputs), None]
        outputs = [  # only an Identity passes IndexedSlices on
            g if op.type == "Identity" else dense(g, t)
            for g, t in zip(outputs, op.outputs, strict=True)
        ]
        try:
            found = [*OPS[op.type].gradient(op, *outputs)]
        except LookupError as error:  # see no_gradient
            raise with_place(error, op) from None
        found += [None] * (len(op.inputs) - len(found))
        # As in TensorFlow, gradients that nobody wants are counted as well.
        gate = self.gate and sum(g is not None for g in found) > 1
        for i, (gradient, tensor) in enumerate(zip(found, op.inputs, strict=True)):
            wanted = _can_have_gradient(tensor) and self._is_on_path(tensor)
            found[i] = (gradient() if callable(gradient) else gradient) if wanted else None
        return self._gated(found) if gate else found

    def _gated(self, found):
        """The gradients of an op's inputs, renamed as TensorFlow does if it gates them."""
        with self.graph.name_scope("tuple"):
            for i, g in enumerate(found):
                if g is not None:
                    name = f"control_dependency_{i}" if i else "control_dependency"
                    with self.graph.colocate_with(getattr(g, "values", g)):
                        found[i] = identity(g, name)
        return found
