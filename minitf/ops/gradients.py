"""Gradients are ops in the same graph: walk back from the result, op by op, and apply the chain rule.

Each op on a path from the xs to the ys is visited once, the latest made first. What its outputs' gradients
are is known by then; its own rule gives those of its inputs.

Stands for tensorflow/python/ops/gradients_impl.py and gradients_util.py.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import Graph, graph_of, name_scope
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS
from minitf.ops import array_ops, joining_ops, shape_ops, sum_ops


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> list[Tensor | None]:
    """The derivative of the sum of `ys` with respect to each of `xs`, as new tensors.

    `grad_ys` are weights for the ys (ones where missing); what is in `stop_gradients` counts as constant.
    An x that no y depends on has the gradient None, or zeros with `unconnected_gradients="zero"`.
    `colocate_gradients_with_ops` and `aggregation_method` have no effect here.

    Raises LookupError for an op without a gradient rule, TypeError for a wrong number of `grad_ys` or
    ys that are not real numbers.
    """
    ys = [convert_to_tensor(y) for y in _as_list(ys)]
    xs = [_as_variable_or_tensor(x) for x in _as_list(xs)]
    stops = {_as_variable_or_tensor(s) for s in _as_list(stop_gradients)}
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if len(grad_ys) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    graph = graph_of([*ys, *xs])
    with graph.as_default(), name_scope(name, "gradients") as scope:
        walk = _Walk(graph, xs, stops, gate_gradients)
        for i, (y, grad_y) in enumerate(zip(ys, grad_ys, strict=True)):
            if y.dtype.is_floating or grad_y is not None:
                walk.add(y, _first_gradient(y, grad_y, i))
        walk.back(ys, scope)
        found = [walk.total(x, scope) for x in xs]
        if unconnected_gradients == "zero":
            found = [array_ops.zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]
    return found


def _as_list(values: Any) -> list:
    if values is None:
        return []
    return list(values) if isinstance(values, list | tuple) else [values]


def _as_variable_or_tensor(x: Any) -> Tensor:
    return x._as_tensor(as_ref=True) if hasattr(x, "_as_tensor") else convert_to_tensor(x)


def _first_gradient(y: Tensor, grad_y: Any, i: int) -> Tensor:
    """The gradient of y with respect to itself: ones, or what the caller says."""
    if grad_y is None:
        if y.dtype.is_complex:
            raise TypeError(f"Gradients of complex tensors ({y}) must set grad_ys (y.dtype = {y.dtype!r})")
        one = y.dtype.base_dtype.as_numpy_dtype(1)
        if y.shape.is_fully_defined():
            return array_ops.fill(y.shape.as_list(), one, name=f"grad_ys_{i}")
        return array_ops.fill(shape_ops.shape(y), one, name=f"grad_ys_{i}")
    return convert_to_tensor(grad_y, name=f"grad_ys_{i}")


def _sum(parts: list[Tensor | IndexedSlices]) -> Tensor | IndexedSlices:
    """All rows of IndexedSlices, one after another; as soon as one part is a tensor, a tensor."""
    if not all(isinstance(part, IndexedSlices) for part in parts):
        return sum_ops.add_n([convert_to_tensor(part) for part in parts])
    values, indices = (joining_ops.concat([getattr(p, kind) for p in parts[::-1]], 0) for kind in ("values", "indices"))
    return IndexedSlices(values, indices, parts[-1].dense_shape)


class _Walk:
    """One walk from the ys back to the xs."""

    def __init__(self, graph: Graph, xs: list[Tensor], stops: set[Tensor], gate: bool):
        self.graph = graph
        self.stops = stops
        self.gate = gate
        self.xs = set(xs)
        self.parts: dict[Tensor, list[Tensor]] = defaultdict(list)
        self.totals: dict[Tensor, Tensor | None] = {}
        self.leads_to_x: set[Operation] = set()

    def add(self, tensor: Tensor, gradient: Tensor) -> None:
        """Note one part of the gradient of `tensor`."""
        self.parts[tensor].append(gradient)

    def total(self, tensor: Tensor, scope: str) -> Tensor | None:
        """The sum of all the parts, or None where there is none."""
        if tensor not in self.totals:
            parts = self.parts.pop(tensor, [])
            total = parts[0] if len(parts) == 1 else None
            if len(parts) > 1:
                with self.graph.name_scope(scope):
                    total = _sum(parts)
            if total is not None:
                shown = total.values if isinstance(total, IndexedSlices) else total
                self.graph.gradient_of.setdefault(shown, tensor)
            self.totals[tensor] = total
        return self.totals[tensor]

    def back(self, ys: list[Tensor], scope: str) -> None:
        """Visit what lies between, the latest op first: whatever reads an op's output is made later."""
        for op in self._between(ys):
            outputs = [self.total(t, scope) for t in op.outputs]
            if not any(g is not None for g in outputs):
                continue
            with self.graph.name_scope(f"{op.name}_grad"):
                for tensor, gradient in zip(op.inputs, self._of_inputs(op, outputs), strict=True):
                    if gradient is not None:
                        self.add(tensor, gradient)

    def _between(self, ys: list[Tensor]) -> list[Operation]:
        """The ops that the ys depend on and that lead to an x, latest first."""
        reached: set[Operation] = set()
        waiting = [y.op for y in ys]
        while waiting:
            op = waiting.pop()
            if op not in reached:
                reached.add(op)
                waiting += [t.op for t in op.inputs if t not in self.stops]
        for op in sorted(reached, key=lambda op: op.number):
            if any(self._is_on_path(t) for t in op.inputs):
                self.leads_to_x.add(op)
        return sorted(self.leads_to_x, key=lambda op: -op.number)

    def _is_on_path(self, tensor: Tensor) -> bool:
        if tensor in self.stops and tensor not in self.xs:
            return False
        return tensor in self.xs or tensor.op in self.leads_to_x and tensor not in self.stops

    def _of_inputs(self, op: Operation, outputs: list[Tensor | None]) -> list[Tensor | None]:
        """What the op's own rule says, asked only for inputs that lead to an x."""
        rule = OPS[op.type].gradient
        if rule is None:
            raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type}){op.place}")
        filled = [
            array_ops.zeros_like(t) if g is None else g if op.type == "Identity" else convert_to_tensor(g)
            for g, t in zip(outputs, op.outputs, strict=True)
        ]
        found = rule(op, *filled)
        several = sum(g is not None for g in found) > 1
        wanted = [t.dtype.base_dtype.is_floating and self._is_on_path(t) for t in op.inputs]
        found = [(g() if callable(g) else g) if want else None for g, want in zip(found, wanted, strict=True)]
        return self._gated(found) if self.gate and several else found

    def _gated(self, found: list[Tensor | None]) -> list[Tensor | None]:
        """Each gradient of an op with several, under the name that TensorFlow gives it here."""
        names = ["control_dependency"] + [f"control_dependency_{i}" for i in range(1, len(found))]
        with self.graph.name_scope("tuple"):
            return [
                None if g is None else array_ops.identity(g, name=name) for g, name in zip(found, names, strict=True)
            ]
