"""`map_fn` and `scan`: a function is called for each row of a tensor, in a loop of the graph.

The rows wait in a list, from which each iteration takes the next one, and the results are put into
other lists. The gradient goes the opposite way: what was taken from a list is put into one.

Mirrors tensorflow/python/ops/map_fn.py, functional_ops.py and list_ops.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.extras.arrays import reverse as reversed_rows
from minitf.extras.control_flow import VARIANT, while_loop
from minitf.framework import dtypes, nest
from minitf.framework.common_shapes import length_of
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build, build_tensor, convert_to_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import kernel, register, shape_code
from minitf.framework.tensor_shape import SCALAR, TensorShape, in_message
from minitf.ops.array_ops import shape
from minitf.ops.kernels import invalid

# Lists. Those of extras/control_flow.py: ((((), 1), 2), 3).


@kernel
def as_list(rows):
    """A list of the rows of an array."""
    values = ()
    for row in rows:
        values = values, row
    return values


@kernel
def stacked(values, shape, dtype):
    """The elements of a list as the rows of an array; `shape` is theirs if there are none."""
    rows = []
    while values:
        values, row = values
        rows.append(row)
    if not rows:
        return np.zeros([0, *(max(length, 0) for length in np.ravel(shape))], dtype)
    for index, row in enumerate(rows[::-1]):
        if np.shape(row) != np.shape(rows[-1]):
            words = "which is incompatible with the TensorArray's inferred element shape"
            found, usual = in_message(np.shape(row)), in_message(np.shape(rows[-1]))
            raise invalid(
                f"Could not write to TensorArray index {index} because the value shape is {found} "
                f"{words}: {usual}"
            )
    return np.stack(rows[::-1])


def _infer_list(op):
    return [(VARIANT, SCALAR)]


def _infer_stack(op):
    rows = TensorShape(None if op.attrs["num_elements"] == -1 else [op.attrs["num_elements"]])
    rows = rows if rows.rank else TensorShape([None])
    return [(op.attrs["element_dtype"], rows.concatenate(TensorShape(op.attrs.get("shape"))))]


def _of_list(op, d_list):
    x = op.inputs[0]
    return [lambda: _stacked(d_list, x.dtype, x.shape[1:], length_of(x, 0))]


def _of_stack(op, dy):
    return [lambda: build_tensor("TensorListFromTensor", dy, -1)]


def _stack_code(op, values, shape):
    return f"stacked({values}, {shape_code(shape)}, {op.attrs['element_dtype'].name})"


register(
    "TensorListFromTensor",
    "tensor=element_dtype element_shape:length=shape_type",
    _infer_list,
    lambda op, x, _: f"as_list({x})",
    _of_list,
)
register(
    "TensorListStack",
    "input_handle=- element_shape:length=-",
    _infer_stack,
    _stack_code,
    _of_stack,
    defaults={"element_dtype": dtypes.float32, "num_elements": -1},
    fixed={"shape": None},
)


def _stacked(values, dtype, shape: TensorShape, count, name="TensorListStack") -> Tensor:
    """The elements of a list as one tensor. `shape` is what is known of theirs, `count` or None."""
    attrs = {"element_dtype": dtype.base_dtype, "num_elements": -1 if count is None else count}
    lengths = -1 if shape.rank is None else [-1 if n is None else n for n in shape.as_list()]
    lengths = np.array(lengths, np.int32)
    return build_tensor("TensorListStack", values, lengths, name=name, shape=shape, **attrs)


# What programs call.

_RESULT = "TensorArrayGatherV3"  # TensorFlow's name for the op of a result


def _check_callable(fn):
    if not callable(fn):
        raise TypeError(f"fn must be callable. Received: {fn!r}")


def _rows(elems) -> tuple[list[Tensor], Callable, Tensor, int | None]:
    """Return the tensors, what nests them as `elems`, their number of rows, and the known one."""
    tensors, rebuild = nest.flatten(elems, lambda value: convert_to_tensor(value, name="elem"))
    for tensor in tensors:
        if tensor.shape.rank == 0:
            raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    known = [t.shape[0] for t in tensors if t.shape.rank]
    for length in known[1:]:
        known[0].assert_is_compatible_with(length)
    count = next((length.value for length in known if length.value is not None), None)
    return tensors, rebuild, shape(tensors[0])[0] if count is None else count, count


def _waiting(tensors, backwards=False) -> list[Tensor]:
    """Lists of the rows of these tensors, from which the first (or the last) is taken first."""
    rows = tensors if backwards else [reversed_rows(tensor, [0]) for tensor in tensors]
    return [build_tensor("TensorListFromTensor", tensor, -1) for tensor in rows]


def _taken(lists, tensors) -> tuple[list[Tensor], list[Tensor]]:
    """Return the lists without the element that is next, and these elements."""
    rest, rows = [], []
    for values, tensor in zip(lists, tensors, strict=True):
        attrs = {"element_dtype": tensor.dtype.base_dtype, "shape": tensor.shape[1:]}
        popped = build("TensorListPopBack", values, -1, **attrs).outputs
        rest.append(popped[0])
        rows.append(popped[1])
    return rest, rows


def _empty(dtype) -> Tensor:
    attrs = {"element_dtype": dtypes.as_dtype(dtype).base_dtype, "shape": TensorShape(None)}
    return build_tensor("EmptyTensorList", -1, -1, **attrs)


def _pushed(lists, rows) -> list[Tensor]:
    pairs = zip(lists, rows, strict=True)
    return [build_tensor("TensorListPushBack", values, row) for values, row in pairs]


def _results(lists, rows, count, backwards=False) -> list[Tensor]:
    """The results of all iterations, as TensorFlow names them."""
    found = []
    for values, row in zip(lists, rows, strict=True):
        number = f"_{len(found)}" if found else ""
        with name_scope(f"TensorArrayStack{number}"):
            name = "TensorListStack" if backwards else _RESULT
            made = _stacked(values, row.dtype, row.shape, count, name)
            found.append(reversed_rows(made, [0], name=_RESULT) if backwards else made)
    return found


def map_fn(
    fn: Callable,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
    fn_output_signature=None,
):
    """Return the results of `fn` for each row of `elems`, stacked along a new first axis.

        tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3]))  # [1, 4, 9]
        tf.map_fn(lambda x: x[0] + x[1], (a, b), dtype=tf.float32)

    fn: a function, called once, here, to build its ops. Its argument has the structure of `elems`.
    elems: a tensor, or a nested structure of tensors with the same number of rows.
    dtype: the dtypes of its result in their structure, by default those of `elems`.

    Without `back_prop`, no gradient flows through it; `parallel_iterations`, `swap_memory` and
    `infer_shape` are ignored, and `fn_output_signature` is another name for `dtype`. Raises
    TypeError if `fn` isn't callable, ValueError for scalars, other numbers of rows and another
    structure than `dtype`, InvalidArgumentError for another dtype.
    """
    _check_callable(fn)
    dtype = dtype if fn_output_signature is None else fn_output_signature
    with name_scope(name, "map", nest.flatten(elems)[0]):
        tensors, rebuild, limit, count = _rows(elems)
        wanted, rebuild_result = (
            nest.flatten(dtype) if dtype else ([t.dtype for t in tensors], rebuild)
        )
        made = []

        def body(i, lists, results):
            lists, rows = _taken(lists, tensors)
            found, rebuild_found = nest.flatten(fn(rebuild(rows)), convert_to_tensor)
            _check_structure(rebuild_result, rebuild_found, wanted, found)
            made[:] = found
            return i + 1, lists, _pushed(results, found)

        start = 0, _waiting(tensors), [_empty(dtype) for dtype in wanted]
        *_, results = while_loop(lambda i, *_: i < limit, body, start, back_prop=back_prop)
        return rebuild_result(_results(results, made, count))


def _check_structure(rebuild_wanted, rebuild_found, wanted, found) -> None:
    """Raise ValueError or InvalidArgumentError unless a result has these structure and dtypes."""
    shape_of_found = rebuild_found(["."] * len(found))
    nest.same_structure(rebuild_wanted(["."] * len(wanted)), shape_of_found)
    for dtype, tensor in zip(wanted, found, strict=True):
        dtype = dtypes.as_dtype(dtype).base_dtype
        if tensor.dtype.base_dtype is not dtype:
            wanted, found = map(dtypes.proto_name, (dtype, tensor.dtype))
            raise invalid(f"TensorArray dtype is {wanted} but Op is trying to write dtype {found}.")


def scan(
    fn: Callable,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    reverse=False,
    name=None,
):
    """Return what `fn` makes of its last result and each row of `elems`, all results stacked.

        tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))  # [1, 3, 6]

    fn: a function of its last result and a row, called once, here, to build its ops.
    elems: a tensor, or a nested structure of tensors with the same number of rows.
    initializer: the first "last result", which `fn` keeps the structure of; by default the first
        row, which is then the first result.
    reverse: whether it begins with the last row; the results stay at the places of their rows.

    Without `back_prop`, no gradient flows through it; `parallel_iterations`, `swap_memory` and
    `infer_shape` are ignored. Raises TypeError if `fn` isn't callable, ValueError for other
    numbers of rows and if a result has another structure or shape, InvalidArgumentError for
    another dtype.
    """
    _check_callable(fn)
    with name_scope(name, "scan", nest.flatten(elems)[0]):
        tensors, rebuild, limit, count = _rows(elems)
        lists = _waiting(tensors, backwards=reverse)
        if initializer is None:
            lists, first = _taken(lists, tensors)
            rebuild_result, start = rebuild, 1
        else:
            first, rebuild_result = nest.flatten(initializer, convert_to_tensor)
            start = 0
        results = [_empty(tensor.dtype) for tensor in first]

        def body(i, last, lists, results):
            lists, rows = _taken(lists, tensors)
            made = fn(rebuild_result(last), rebuild(rows))
            found, rebuild_found = nest.flatten(made, convert_to_tensor)
            _check_structure(rebuild_result, rebuild_found, [t.dtype for t in first], found)
            for old, new in zip(first if start else (), found, strict=False):
                if not new.shape.is_compatible_with(old.shape):
                    words = f"Inconsistent shapes: saw {new.shape} but expected {old.shape}"
                    words += " (and infer_shape=True)"
                    raise ValueError(words)
            return i + 1, found, lists, _pushed(results, found)

        begin = start, first, lists, _pushed(results, first) if start else results
        *_, results = while_loop(lambda i, *_: i < limit, body, begin, back_prop=back_prop)
        return rebuild_result(_results(results, first, count, backwards=reverse))
