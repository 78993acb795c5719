"""Adding an op to a graph: Python values become constants, and the dtypes of inputs are checked.

Mirrors tensorflow/python/framework/op_def_library.py, constant_op.py, tensor_util.py and
indexed_slices.py.
"""

from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import numpy as np

from minitf.framework import dtypes
from minitf.framework.graph import Graph, get_default_graph, graph_of
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS, not_differentiable, plain_attr, register
from minitf.framework.tensor_shape import UNKNOWN, Dimension, TensorShape

# From values to tensors.


def _infer(op):
    return [(op.attrs["dtype"], TensorShape(np.shape(op.attrs["value"])))]


register("Const", "", _infer, None, not_differentiable)


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False) -> Tensor:
    """Return a tensor that has this value in every run.

    Python floats become float32 and ints int32 (int64 if they don't fit); NumPy arrays keep their
    dtype. If `shape` has more elements than `value`, the last element is repeated.

    Raises TypeError for a tensor, a value that `dtype` can't hold, or, with `verify_shape`, a value
    of another shape; ValueError for None and for more elements than `shape` has.
    """
    if is_tensor(value) or holds_tensor(value):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    with np.errstate(all="ignore"):  # a value too large for the dtype becomes infinite
        array, dtype = as_array(value, dtype)
    if shape is not None:
        array = _filled_up(array, tuple(TensorShape(shape).as_list()), verify_shape)
    return const_op(get_default_graph(), array, dtype, name)


def const_op(graph: Graph, array, dtype: dtypes.DType, name: str) -> Tensor:
    """Return a Const tensor for a NumPy value, which must not change any more."""
    if np.ndim(array):
        array = array.view()
        array.flags.writeable = False
    elif isinstance(array, np.ndarray):
        array = array[()]
    return graph.create_op("Const", (), {"value": array, "dtype": dtype}, name).outputs[0]


def _filled_up(array, shape, verify_shape):
    wanted = int(np.prod(shape))
    if verify_shape and array.shape != shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, but got {array.shape}.")
    if array.size > wanted:
        raise ValueError(
            f"Too many elements provided. Takes at most {wanted}, but got {array.size}."
        )
    last = np.append(np.zeros(1, array.dtype), array)[-1, ...]  # 0 if the array is empty
    if array.size < 2:
        return np.broadcast_to(last, shape)  # which stored graphs tell from an array of this shape
    return np.append(array, np.repeat(last, wanted - array.size)).reshape(shape)


def as_array(value, dtype=None) -> tuple[np.ndarray, dtypes.DType]:
    """Return `value` as an array, and its dtype, by TensorFlow's rules for Python and NumPy values.

    Raises TypeError for a value that `dtype` can't hold, ValueError for None, for a ragged list and
    for a partially known shape.
    """
    if value is None:
        raise ValueError("None values not supported.")
    if isinstance(value, Operation):
        raise TypeError(f"can't convert Operation '{value.name}' to Tensor")
    if isinstance(value, Dimension):
        value = value.value if value.value is not None else TensorShape([value])
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        value, dtype = value.as_list(), dtype or dtypes.int32
    of_numpy = isinstance(value, np.ndarray | np.generic)
    if dtype is not None and not of_numpy:
        _check_python_value(value, dtype)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor. {error}"
        ) from None
    is_number = of_numpy and dtype not in (None, dtypes.string)  # NumPy reads numbers in texts
    if dtype is dtypes.string or array.dtype.kind in "USO" and not is_number:
        return _string_array(value), dtypes.string
    if dtype is None:
        dtype = dtypes.as_dtype(array.dtype) if of_numpy else _default_dtype(array)
    with np.errstate(invalid="ignore", over="ignore"):
        return array.astype(dtype.as_numpy_dtype), dtype


def _default_dtype(array):
    if array.dtype == np.float64:
        return dtypes.float32
    fits = array.dtype == np.int64 and (array.astype(np.int32) == array).all()
    return dtypes.int32 if fits else dtypes.as_dtype(array.dtype)


def _string_array(value):
    array = np.array(value, dtype=object)
    wrong = [leaf for leaf in array.flat if not isinstance(leaf, str | bytes)]
    if wrong and isinstance(value, np.ndarray | np.generic):
        raise TypeError(f"Expected binary or unicode string, got {wrong[0]}")
    if wrong:
        raise TypeError(
            f"Failed to convert elements of {value} to Tensor. "
            "Consider casting elements to a supported type."
        )
    for i, text in enumerate(array.flat):
        array.flat[i] = text.encode() if isinstance(text, str) else bytes(text)
    return array


def _check_python_value(value, dtype):
    others = {dtypes.bool: [bool, np.bool_], dtypes.string: [str, bytes]}
    types = others.get(dtype, [int, np.integer, Dimension])
    types += [float, np.floating] * (dtype.is_floating or dtype.is_complex)
    types += [complex, np.complexfloating] * dtype.is_complex
    for leaf in _leaves(value):
        if not isinstance(leaf, tuple(types)):
            raise TypeError(
                f"Expected {dtype.name}, but got {leaf} of type '{type(leaf).__name__}'."
            )


def _leaves(value):
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.ravel()[:1]
    else:
        yield value


def holds_tensor(value) -> bool:
    """Return whether `value` is a list or tuple that contains a tensor or variable at any depth."""
    return isinstance(value, list | tuple) and any(map(is_tensor, _leaves(value)))


def packed(value, dtype: dtypes.DType | None, name: str) -> Tensor:
    """Return a list that contains tensors as one tensor; its numbers get the tensors' dtype.

    Raises TypeError if the dtypes of the tensors differ from each other or from `dtype`.
    """
    tensors = [v for v in _leaves(value) if is_tensor(v)]
    dtype = dtype or tensors[0].dtype.base_dtype
    for t in tensors:
        if t.dtype.base_dtype is not dtype:
            raise TypeError(
                "Cannot convert "
                f"a list containing a tensor of dtype {t.dtype.base_dtype} "
                f"to {dtype} (Tensor is: {t!r})"
            )
    with tensors[0].graph.name_scope(name) as scope:
        parts = tuple(convert_to_tensor(v, dtype, str(i)) for i, v in enumerate(value))
        return tensors[0].graph.create_op("Pack", parts, {"axis": 0}, scope).outputs[0]


def convert_to_tensor(
    value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None
) -> Tensor:
    """Return `value` as a tensor: itself, a variable's current value, or a constant.

    `dtype_hint` (once `preferred_dtype`) is the dtype to try first. Raises ValueError for a tensor
    whose dtype isn't `dtype`, and whatever `constant` raises.
    """
    dtype, given = None if dtype is None else dtypes.as_dtype(dtype).base_dtype, value
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor()
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype.base_dtype is not dtype:
            found = f"Tensor with dtype {value.dtype.name}: {value!r}"
            problem = f"Tensor conversion requested dtype {dtype.name} for {found}"
            if hasattr(given, "initializer"):
                found = f"variable of type '{given.dtype.name}'"
                problem = (
                    f"Incompatible type conversion requested to type '{dtype.name}' for {found}"
                )
            raise ValueError(f"{name}: {problem}" if name else problem)
        return value
    if holds_tensor(value):
        return packed(value, dtype, name or "packed")
    hint = dtype_hint or preferred_dtype
    if dtype is None and hint is not None:
        with suppress(TypeError, ValueError):
            return constant(value, hint, name=name or "Const")
    return constant(value, dtype, name=name or "Const")


def is_tensor(x) -> bool:
    """Return whether `x` is a tensor, a variable or IndexedSlices."""
    return isinstance(x, Tensor) or hasattr(x, "_as_tensor")


def constant_value(tensor: Tensor):
    """Return the value of a constant tensor, an array or a scalar, or None for any other tensor.

    Of a number that a stored graph repeats very often, nothing is known before a run, so that a few
    bytes of a file can't cost a lot of memory.
    """
    value = tensor.op.attrs["value"] if tensor.op.type == "Const" else None
    if type(value) is np.ndarray and value.size > 1 << 16 and not any(value.strides):
        return None
    return value


# From tensors to ops.


def build(op_type: str, *values, name=None, **attrs) -> Operation:
    """Add an op whose inputs are `values`: tensors, variables, or Python and NumPy values.

    Raises TypeError if dtypes don't match, ValueError if shapes or graphs don't.
    """
    definition, graph, name = OPS[op_type], graph_of(values), name or op_type
    if op_type != "Const":  # whose value is an array, and never code
        attrs = {key: plain_attr(key, value) for key, value in attrs.items()}
    if not str(name).endswith("/"):
        # The name is taken even if the op is then refused. And a constant is named after the op
        # and the input that it becomes: `mul/y`.
        name = graph.unique_name(name) + "/"
    inputs = _inputs(definition, graph, name, values)
    return graph.create_op(op_type, inputs, attrs, name)


def build_tensor(op_type: str, *values, name=None, **attrs) -> Tensor:
    """Add an op as `build` does, and return its first output."""
    return build(op_type, *values, name=name, **attrs).outputs[0]


def check_allowed(argument: str, dtype: dtypes.DType, allowed: tuple[str, ...]) -> None:
    """Raise TypeError unless the argument's dtype is one of the allowed ones."""
    if dtype.name not in allowed:
        raise TypeError(
            f"Value passed to parameter '{argument}' "
            f"has DataType {dtype.name} not in list of allowed values: {', '.join(allowed)}"
        )


def at_least_one(op_type: str, **sizes: int) -> dict[str, int]:
    """Return these sizes as attributes. Raises ValueError for one below 1."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"Attr '{name}' of '{op_type}' Op passed {size} less than minimum 1.")
    return sizes


def renamed(new_name: str, value, old_name: str, old_value, usual=None):
    """Resolve an argument that has two names. Raises ValueError if both are given."""
    if value is not None and old_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return next((v for v in (value, old_value) if v is not None), usual)


def named(function: Callable, name: str, doc: str) -> Callable:
    """Give a generated public function its name and docstring, and return it."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def camel_case(name: str) -> str:
    """Return a name such as `is_nan` in the form `IsNan`."""
    return "".join(word.capitalize() for word in name.split("_"))


def _arguments(definition, values):
    """Return the (name, kind) of each input; `values:*T` takes all values that the others leave."""
    arguments, count = [], len(values) - len(definition.inputs) + 1
    for name, kind in definition.inputs:
        if kind[0] == "*":
            arguments += [(f"{name}_{i}", kind) for i in range(count)]
        else:
            arguments.append((name, kind))
    return arguments


# The usual dtypes of whole numbers; an `index` has none.
_USUAL = {"length": dtypes.int32, "length64": dtypes.int64}


def _takes_usual(value, allowed):
    """Whether whole numbers take their usual dtype, because `value` has none that is allowed."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.name not in allowed and value.dtype.kind in "biuf"
    return isinstance(value, bool) or isinstance(value, list | tuple) and not value


def _inputs(definition, graph, scope, values):
    """Convert the values to tensors and check their dtypes."""
    arguments, inputs = _arguments(definition, values), []
    dtypes_so_far = _Dtypes(definition, arguments, values)
    for (argument, kind), value in zip(arguments, values, strict=True):
        if hasattr(value, "_as_tensor"):
            value = value._as_tensor(kind == "ref")
        if not isinstance(value, Tensor):
            dtype = dtypes_so_far.wanted(kind, value)
            value = _constant_input(definition.type, graph, scope, argument, dtype, value)
        dtypes_so_far.add(argument, kind, value)
        inputs.append(value)
    dtypes_so_far.check_list()
    return tuple(inputs)


def _fixed(kind):
    """Return the dtype that a kind of input always has, such as `bool`, or None, as for `T`."""
    return vars(dtypes).get(kind)


class _Dtypes:
    """The dtypes of an op's inputs, each of which must fit those before it.

    Inputs of kind `T` must match the first of them, those in a list the list's first tensor.
    """

    def __init__(self, definition, arguments, values):
        self._definition = definition
        self._unchecked = definition.allowed  # for the first input whose dtype isn't fixed
        self._first = {}  # by kind, the name and dtype of its first input
        listed = (v for (_, kind), v in zip(arguments, values, strict=True) if kind == "*T")
        self._of_list = next((v.dtype.base_dtype for v in listed if is_tensor(v)), None)
        self._listed = []  # the dtypes in the list

    def wanted(self, kind, value):
        """Return the dtype to give a value that isn't a tensor; None leaves it to the value."""
        others = self._definition.allowed if kind == "length64" else dtypes.LENGTHS
        if kind in _USUAL and _takes_usual(value, others):
            return _USUAL[kind]
        if kind == "*T":
            return self._of_list
        return self._first[kind][1] if kind in self._first else _fixed(kind)

    def add(self, argument, kind, tensor):
        """Take the next input. Raises TypeError unless its dtype is allowed and fits the others."""
        dtype = tensor.dtype.base_dtype
        if self._unchecked and _fixed(kind) is None:
            check_allowed(argument.removesuffix("_0"), dtype, self._unchecked)
            self._unchecked = ()
        if problem := self._misfit(argument, kind, tensor):
            raise TypeError(
                f"Input '{argument}' of '{self._definition.type}' Op "
                f"has type {dtype.name} that does not {problem}."
            )
        if kind in ("length", "index"):
            check_allowed(argument, dtype, dtypes.LENGTHS)
        if kind == "*T":
            self._listed.append(dtype)

    def _misfit(self, argument, kind, tensor):
        """Say what the dtype of an input fails to do; return "" if it fits."""
        dtype = tensor.dtype.base_dtype
        if kind in ("T", "ref", "index"):
            group = "T" if kind == "ref" else kind
            first, wanted = self._first.setdefault(group, (argument, dtype))
            if kind == "ref" and not tensor.dtype._is_ref_dtype:
                return "refer to a variable"
            return "" if dtype is wanted else f"match type {wanted.name} of argument '{first}'"
        return "" if _fixed(kind) in (None, dtype) else f"match expected type of {kind}"

    def check_list(self):
        """Raise TypeError if the dtypes in the list differ."""
        if len(set(self._listed)) > 1:
            op_type, argument = self._definition.type, self._definition.inputs[0][0]
            types = ", ".join(dtype.name for dtype in self._listed)
            raise TypeError(
                f"Tensors in list passed to '{argument}' of '{op_type}' Op have "
                f"types [{types}] that don't all match."
            )


def _constant_input(op_type, graph, scope, argument, dtype, value):
    if holds_tensor(value):
        return packed(value, dtype, f"{scope}{argument}/")
    try:
        array, dtype = as_array(value, dtype)
    except ValueError as error:
        raise ValueError(
            f"Tried to convert '{argument}' to a tensor and failed. Error: {error}"
        ) from None
    except TypeError as error:
        if dtype is None:
            raise
        raise TypeError(
            f"Expected {dtype.name} passed to parameter '{argument}' of op '{op_type}', "
            f"got {value!r} of type '{type(value).__name__}' instead. Error: {error}"
        ) from None
    return const_op(graph, array, dtype, f"{scope}{argument}/")


# Some rows of a tensor and their indices: the gradient of a gather.


IndexedSlicesValue = namedtuple("IndexedSlicesValue", "values indices dense_shape", defaults=[None])
IndexedSlicesValue.__doc__ = "What a run returns for IndexedSlices: the same parts, as arrays."


class IndexedSlices:
    """A tensor whose row `indices[k]` is `values[k]`, and whose other rows are zero.

    `dense_shape` is its shape. Rows with the same index are added. Using it as a tensor makes it
    dense, which raises ValueError without `dense_shape`.
    """

    def __init__(self, values: Tensor, indices: Tensor, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape
        self.name, self.op, self.dtype = values.name, values.op, values.dtype
        self.graph, self.device = values.graph, values.device

    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor, as far as it is known."""
        source = None if self.dense_shape is None else self.dense_shape.op
        if source is not None and source.type == "Const":
            return TensorShape(source.attrs["value"])
        return source.inputs[0].shape if source is not None and source.type == "Shape" else UNKNOWN

    def get_shape(self) -> TensorShape:
        """Return `shape`."""
        return self.shape

    def _as_tensor(self, as_ref=False) -> Tensor:
        if self.dense_shape is None:
            raise ValueError(
                f"Tensor conversion requested for IndexedSlices without dense_shape: {self}"
            )
        dense = build_tensor("UnsortedSegmentSum", self.values, self.indices, self.dense_shape[0])
        dense._shape = self.shape if self.shape.rank else dense.shape
        return dense

    def __neg__(self) -> Self:
        return IndexedSlices(build_tensor("Neg", self.values), self.indices, self.dense_shape)

    def __str__(self) -> str:
        dense = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{dense})"
