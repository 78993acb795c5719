"""Ops on variables: the place of each in the session's state, and the ops that assign to it.

The state is a dict. A compiled program reads a variable as `state["w"]` and updates it in a
statement such as `state["w"] += value`. Nothing else refers to the arrays in the state, so updates
may work in place.

Mirrors tensorflow/python/ops/state_ops.py, and ApplyGradientDescent of training_ops.py.
"""

from collections.abc import Callable
from functools import partial

from minitf.framework import dtypes
from minitf.framework.common_shapes import NO_MASKS, check_rank
from minitf.framework.op_def_library import build_tensor, camel_case, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    OPS,
    Code,
    call,
    first_itself,
    infix,
    not_differentiable,
    quoted,
    register,
)
from minitf.framework.tensor_shape import SCALAR, check_compatible, same_for_certain

_register = partial(register, gradient=not_differentiable, stateful=True)
_register(
    "VariableV2",
    "",
    lambda op: [(op.attrs["dtype"]._as_ref, op.attrs["shape"])],
    code=None,
    defaults={"container": "", "shared_name": ""},
)
# These two look into the state without reading the variable, so it need not have a value.
_register(
    "IsVariableInitialized",
    "ref:ref=dtype",
    lambda op: [(dtypes.bool, SCALAR)],
    lambda op: f"bool_({_key(op)} in state)",
)
_register(
    "InitializedValue",
    "ref:ref value:T",
    lambda op: [(op.inputs[1].dtype.base_dtype, op.inputs[1].shape)],
    lambda op, value: f"copy(state.get({_key(op)}, {value}))",
)


def _key(op):
    """The key, in the state, of the variable that is the op's first input."""
    return quoted(variable_of(op.inputs[0]).name)


def _infer_update(op):
    """The output is the variable. Slots and values must have its shape; all else is scalar."""
    ref, shape = op.inputs[0], op.inputs[0].shape
    for (name, kind), tensor in zip(OPS[op.type].inputs, op.inputs, strict=True):
        if kind == "ref" or name in ("value", "delta", "grad"):
            if not op.attrs.get("validate_shape", True):
                shape = tensor.shape
                op.graph.distrust_shape(variable_of(ref).outputs[0])
            else:
                check_compatible(shape, tensor.shape)
        else:
            check_rank(tensor, 0)
    return [(ref.dtype, shape)]


def register_update(op_type, inputs, code, infer=_infer_update, **traits) -> None:
    """Register an op that assigns to its `ref` inputs."""
    _register(op_type, inputs, infer, code, updates=True, **traits)


def _fitted(value, shape, text):
    """The code of `value`, with a check unless it surely has this shape.

    `text` is the code of the shape.
    """
    if same_for_certain(shape, value.shape):
        return value
    return Code(call("fitting", value, text))


def _assign_code(op, target, value):
    if op.attrs["validate_shape"]:
        shape = op.inputs[0].shape
        declared = tuple(shape.as_list()) if shape.is_fully_defined() else None
        held = str(target).replace("[", ".get(", 1)[:-1] + ")"
        value = _fitted(value, target.shape, f'getattr({held}, "shape", {declared})')
    return f"{target} = {value}"


def _in_place(operator):
    """The code of a statement such as `state["w"] += value`, or `-= rate * value` with a rate."""

    def code(op, target, *values):
        *rate, value = values
        value = _fitted(value, target.shape, f"{target}.shape")
        for alpha in rate:
            value = infix("*", _fitted(alpha, SCALAR, "()"), value)
        return f"{target} {operator}= {value}"

    return code


_SAME_SIZE = "Parameters and update must be the same size"
_TERMS = {"allowed": dtypes.NUMBERS, "explain": lambda value: _SAME_SIZE}
register_update("Assign", "ref:ref value:T", _assign_code, defaults={"validate_shape": True})
register_update("AssignAdd", "ref:ref value:T", _in_place("+"), **_TERMS)
register_update("AssignSub", "ref:ref value:T", _in_place("-"), **_TERMS)
register_update("ApplyGradientDescent", "var:ref alpha:T delta:T", _in_place("-"))


def variable_of(ref: Tensor) -> Operation:
    """The op of the variable that a `_ref` tensor, such as the output of an assign, refers to."""
    op = ref.op
    while op.type != "VariableV2":
        op = op.inputs[0].op
    return op


def variables_of(op: Operation) -> list[Operation]:
    """The ops of the variables that an update changes."""
    inputs = zip(OPS[op.type].inputs, op.inputs, strict=True)
    return [variable_of(t) for (_, kind), t in inputs if kind == "ref"]


def assign(ref, value, validate_shape=None, use_locking=None, name=None) -> Tensor:
    """Build an op that sets the variable `ref` to `value`; the result is the variable afterwards.

    With `validate_shape=False`, the value may have a different shape from the variable.
    `use_locking` has no effect here, where a run is atomic; a stored graph has it. Raises TypeError
    if the dtypes differ, ValueError if the shapes do.
    """
    attrs = {"validate_shape": validate_shape is None or bool(validate_shape)}
    ref, attrs = _variable(ref, "assign"), attrs | _locking(use_locking)
    return build_tensor("Assign", ref, value, name=name, **attrs)


def _locking(use_locking):
    """The attribute of an update whose caller has chosen one."""
    return {} if use_locking is None else {"use_locking": bool(use_locking)}


def assign_add(ref, value, use_locking=None, name=None) -> Tensor:
    """Build an op that adds `value` to the variable `ref`; the result is the variable afterwards.

    Otherwise like `assign`; `value` must have the shape of the variable.
    """
    ref, attrs = _variable(ref, "assign_add"), _locking(use_locking)
    return build_tensor("AssignAdd", ref, value, name=name, **attrs)


def assign_sub(ref, value, use_locking=None, name=None) -> Tensor:
    """Build an op that subtracts `value` from the variable `ref`; otherwise like `assign_add`."""
    ref, attrs = _variable(ref, "assign_sub"), _locking(use_locking)
    return build_tensor("AssignSub", ref, value, name=name, **attrs)


def _variable(ref, method):
    if not getattr(getattr(ref, "dtype", None), "_is_ref_dtype", False):
        raise AttributeError(f"'{type(ref).__name__}' object has no attribute '{method}'")
    return ref


# A scatter changes some rows of a variable, chosen by index.


def _rows_wanted(ref, indices):
    return indices.concatenate(ref[1:])


def scatter(
    name, text, locking, doc, chosen="rows({}, len({}))", wanted=_rows_wanted
) -> Callable[..., Tensor]:
    """Register an update of rows, and return the public function `name` that builds it.

    `text` is the statement, with `{}` for the variable, the index and the updates. The index is
    `chosen`, with `{}` for the indices and the variable. `wanted` returns the shape of the updates,
    given those of the variable and the indices. `doc` is the function's docstring, except for what
    holds for all such functions.
    """
    op_type = camel_case(name)

    def infer(op):
        ref, indices, updates = (tensor.shape for tensor in op.inputs)
        shape = wanted(ref, indices)
        if updates.rank != 0:
            check_compatible(updates, shape)
        return first_itself(op)

    def code(op, target, indices, updates):
        return text.format(target, chosen.format(indices, target), updates)

    register_update(op_type, "ref:ref indices:length=Tindices updates:T", code, infer)

    def function(ref, indices, updates, use_locking=locking, name=None):
        ref, attrs = _variable(ref, "scatter"), _locking(use_locking)
        return build_tensor(op_type, ref, indices, updates, name=name, **attrs)

    doc += """

    The result is the variable afterwards. Raises ValueError unless `updates` is a scalar or has an
    update for each index."""
    return named(function, name, doc)


scatter_update = scatter(
    "scatter_update",
    "{}[{}] = {}",
    True,
    "Build an op that sets the rows `indices` of the variable `ref` to `updates`.",
)
scatter_add = scatter(
    "scatter_add",
    "add_at({}, {}, {})",
    False,
    "Build an op that adds `updates` to the rows `indices` of the variable `ref`.",
)
scatter_sub = scatter(
    "scatter_sub",
    "subtract_at({}, {}, {})",
    False,
    "Build an op that subtracts `updates` from the rows `indices` of the variable `ref`.",
)


def _part_code(op, target, *inputs):
    *limits, value = inputs
    return f"{OPS['StridedSlice'].code(op, target, *limits)} = {value}"


register_update(
    "StridedSliceAssign",
    "ref:ref begin:length=Index end:length=Index strides:length=Index value:T",
    _part_code,
    first_itself,
    defaults=NO_MASKS,
)


def _assign_part(self, value, name=None):
    """Build an op that sets a part of a variable, as in `v[0].assign(value)`.

    The result is the whole variable afterwards. Raises AttributeError unless the tensor is a slice
    of a variable.
    """
    op = self.op
    if op.type != "StridedSlice" or not op.inputs[0].op.passes_on:
        raise AttributeError("'Tensor' object has no attribute 'assign'")
    (variable,) = op.inputs[0].op.inputs
    name = name or f"{op.name}/_assign"
    return build_tensor(
        "StridedSliceAssign", variable, *op.inputs[1:], value, name=name, **op.attrs
    )


Tensor.assign = _assign_part
