"""Adding an op to a graph: its arguments become tensors, their dtypes are checked, the node is made.

Stands for tensorflow/python/framework/op_def_library.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework import dtypes
from minitf.framework.constant_op import as_array, const_op, holds_tensor, packed
from minitf.framework.dtypes import DType
from minitf.framework.graph import Graph, graph_of
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import LENGTHS, OPS, OpDef


def build(op_type: str, *values: Any, name: str | None = None, **attrs: Any) -> Operation:
    """Add an op of `op_type`, its inputs being `values`: tensors, variables, or what becomes a constant.

    Raises TypeError where dtypes don't agree, ValueError where shapes or graphs don't.
    """
    definition = OPS[op_type]
    graph = graph_of(values)
    if all(type(v) is Tensor for v in values):
        inputs = values
    else:
        # A constant is named after the op and the argument that it is: `mul/y`.
        name = _own_name(graph, name or op_type)
        inputs = tuple(_as_inputs(definition, graph, name, values))
    _check_dtypes(definition, inputs)
    return graph.create_op(op_type, inputs, attrs, name)


def build_tensor(op_type: str, *values: Any, name: str | None = None, **attrs: Any) -> Tensor:
    """The first output of `build`."""
    return build(op_type, *values, name=name, **attrs).outputs[0]


def _own_name(graph: Graph, name: str) -> str:
    return name if name.endswith("/") else graph.unique_name(name) + "/"


def _arguments(definition: OpDef, values: tuple) -> list[tuple[str, str, Any]]:
    """(name, type, value) of each input; of `values:*T` there are as many as the others leave."""
    if _takes_list(definition):
        name, kind = definition.inputs[0]
        count = len(values) - len(definition.inputs) + 1
        listed = [(f"{name}_{i}", kind[1:], v) for i, v in enumerate(values[:count])]
        others = zip(definition.inputs[1:], values[count:], strict=True)
        return listed + [(*argument, value) for argument, value in others]
    return [(*argument, value) for argument, value in zip(definition.inputs, values, strict=True)]


def _takes_list(definition: OpDef) -> bool:
    return bool(definition.inputs) and definition.inputs[0][1].startswith("*")


def _as_inputs(definition: OpDef, graph: Graph, scope: str, values: tuple) -> list[Tensor]:
    found: dict[str, DType] = {}
    if _takes_list(definition):
        tensors = [v for v in values if hasattr(v, "graph")]
        found = {"T": tensors[0].dtype.base_dtype} if tensors else {}
    inputs = []
    for argument, kind, value in _arguments(definition, values):
        if hasattr(value, "_as_tensor"):
            value = value._as_tensor(kind == "ref")
        if not isinstance(value, Tensor):
            empty = kind == "length" and isinstance(value, list | tuple) and not value
            dtype = dtypes.int32 if empty else dtypes.bool if kind == "bool" else found.get(kind)
            value = _constant_input(definition, graph, scope, argument, dtype, value)
        if kind in ("T", "ref") and not _takes_list(definition):
            found.setdefault("T", value.dtype.base_dtype)
        inputs.append(value)
    return inputs


def _constant_input(
    definition: OpDef, graph: Graph, scope: str, argument: str, dtype: DType | None, value: Any
) -> Tensor:
    if holds_tensor(value):
        return packed(value, dtype, scope + argument)
    try:
        array, dtype = as_array(value, dtype)
    except ValueError as error:
        raise ValueError(f"Tried to convert '{argument}' to a tensor and failed. Error: {error}") from None
    except TypeError as error:
        if dtype is None:
            raise
        raise TypeError(
            f"Expected {dtype.name} passed to parameter '{argument}' of op '{definition.type}', got "
            f"{value!r} of type '{type(value).__name__}' instead. Error: {error}"
        ) from None
    return const_op(graph, array, dtype, f"{scope}{argument}/")


def _check_dtypes(definition: OpDef, inputs: tuple[Tensor, ...]) -> None:
    found: dict[str, tuple[str, DType]] = {}
    kinds = [t.dtype.base_dtype for _, kind, t in _arguments(definition, inputs) if kind == "T"]
    if _takes_list(definition) and len(set(kinds)) > 1:
        types = ", ".join(dtype.name for dtype in kinds)
        raise TypeError(
            f"Tensors in list passed to '{definition.inputs[0][0]}' of '{definition.type}' Op have types [{types}] that don't all match."  # noqa: E501
        )
    for argument, kind, tensor in _arguments(definition, inputs):
        dtype = tensor.dtype.base_dtype
        if kind in ("T", "ref"):
            first, expected = found.setdefault("T", (argument, dtype))
            if dtype is not expected:
                raise TypeError(
                    f"Input '{argument}' of '{definition.type}' Op has type {dtype.name} that does not "
                    f"match type {expected.name} of argument '{first}'."
                )
        elif kind == "bool" and dtype is not dtypes.bool:
            raise TypeError(
                f"Input '{argument}' of '{definition.type}' Op has type {dtype.name} that does not match "
                "expected type of bool."
            )
        elif kind == "length":
            _check_allowed(argument, dtype, LENGTHS)
    if definition.allowed and inputs:
        _check_allowed(definition.inputs[0][0], inputs[0].dtype.base_dtype, definition.allowed)


def _check_allowed(argument: str, dtype: DType, allowed: tuple[str, ...]) -> None:
    if dtype.name not in allowed:
        raise TypeError(
            f"Value passed to parameter '{argument}' has DataType {dtype.name} not in list of allowed "
            f"values: {', '.join(allowed)}"
        )
