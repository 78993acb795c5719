"""Adding an op to a graph: its arguments become tensors, their dtypes are checked, the node is made.

Mirrors tensorflow/python/framework/op_def_library.py.
"""

from collections.abc import Callable

from minitf.framework import dtypes
from minitf.framework.constant_op import as_array, const_op, holds_tensor, is_tensor, packed
from minitf.framework.graph import Graph, graph_of
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS, OpDef


def build(op_type: str, *values, name=None, **attrs) -> Operation:
    """Add an op of `op_type`, its inputs being `values`: tensors, variables, or what becomes a constant.

    Raises TypeError where dtypes don't agree, ValueError where shapes or graphs don't.
    """
    definition, graph, name = OPS[op_type], graph_of(values), name or op_type
    if not all(type(v) is Tensor for v in values):
        # A constant is named after the op and the argument that it is: `mul/y`.
        name = name if str(name).endswith("/") else graph.unique_name(name) + "/"
    inputs = _inputs(definition, graph, name, values)
    return graph.create_op(op_type, inputs, attrs, name)


def build_tensor(op_type: str, *values, name=None, **attrs) -> Tensor:
    """The first output of `build`."""
    return build(op_type, *values, name=name, **attrs).outputs[0]


def check_allowed(argument: str, dtype: dtypes.DType, allowed: tuple[str, ...]) -> None:
    """Raises TypeError where the argument's dtype is not one of the allowed ones."""
    if dtype.name not in allowed:
        problem = f"has DataType {dtype.name} not in list of allowed values: {', '.join(allowed)}"
        raise TypeError(f"Value passed to parameter '{argument}' {problem}")


def renamed(new_name: str, value, old_name: str, old_value):
    """Resolves an argument that has two names. Raises ValueError if both are given."""
    if value is not None and old_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old_value if value is None else value


def named(function: Callable, name: str, doc: str) -> Callable:
    """A public function that another function made, with its own name and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def camel_case(name: str) -> str:
    """`is_nan` as IsNan."""
    return "".join(word.capitalize() for word in name.split("_"))


def _arguments(definition: OpDef, values: tuple) -> list[tuple[str, str]]:
    """The (name, type) of each input; of `values:*T` there are as many as the others leave."""
    arguments = list(definition.inputs)
    if arguments and arguments[0][1].startswith("*"):
        name, kind = arguments.pop(0)
        arguments = [(f"{name}_{i}", kind) for i in range(len(values) - len(arguments))] + arguments
    return arguments


def _inputs(definition: OpDef, graph: Graph, scope: str, values: tuple) -> tuple[Tensor, ...]:
    """The values as tensors, whose dtypes agree: the first that is of type `T` decides, in a list the first tensor."""
    inputs, first, listed = [], None, []
    given = list(zip(_arguments(definition, values), values, strict=True))
    of_list = next(
        (v.dtype.base_dtype for (_, kind), v in given if kind == "*T" and is_tensor(v)), None
    )
    for (argument, kind), value in given:
        wanted = {"T": first and first[1], "*T": of_list, "bool": dtypes.bool}.get(kind)
        if hasattr(value, "_as_tensor"):
            value = value._as_tensor(kind == "ref")
        if not isinstance(value, Tensor):
            if kind == "length" and isinstance(value, list | tuple) and not value:
                wanted = dtypes.int32
            value = _constant_input(definition.type, graph, scope, argument, wanted, value)
        dtype = value.dtype.base_dtype
        if definition.allowed and not inputs:
            check_allowed(definition.inputs[0][0], dtype, definition.allowed)
        inputs.append(value)
        if kind == "*T":
            listed.append(dtype)
        elif kind == "length":
            check_allowed(argument, dtype, dtypes.LENGTHS)
        elif kind in ("T", "ref"):
            first = first or (argument, dtype)
            if dtype is not first[1]:
                _refuse(
                    definition,
                    argument,
                    dtype,
                    f"match type {first[1].name} of argument '{first[0]}'",
                )
        elif kind == "bool" and dtype is not dtypes.bool:
            _refuse(definition, argument, dtype, "match expected type of bool")
    if len(set(listed)) > 1:
        types = f"types [{', '.join(dtype.name for dtype in listed)}] that don't all match."
        raise TypeError(
            f"Tensors in list passed to '{definition.inputs[0][0]}' of '{definition.type}' Op have {types}"
        )
    return tuple(inputs)


def _refuse(definition: OpDef, argument: str, dtype: dtypes.DType, expected: str) -> None:
    problem = f"has type {dtype.name} that does not {expected}."
    raise TypeError(f"Input '{argument}' of '{definition.type}' Op {problem}")


def _constant_input(op_type: str, graph: Graph, scope: str, argument: str, dtype, value) -> Tensor:
    if holds_tensor(value):
        return packed(value, dtype, scope + argument)
    try:
        array, dtype = as_array(value, dtype)
    except ValueError as error:
        raise ValueError(
            f"Tried to convert '{argument}' to a tensor and failed. Error: {error}"
        ) from None
    except TypeError as error:
        if dtype is None:
            raise
        given = f"got {value!r} of type '{type(value).__name__}' instead. Error: {error}"
        expected = f"Expected {dtype.name} passed to parameter '{argument}' of op '{op_type}'"
        raise TypeError(f"{expected}, {given}") from None
    return const_op(graph, array, dtype, f"{scope}{argument}/")
