"""What goes into a run and what comes out: feeds are checked in advance, fetches can be nested.

Mirrors _FetchHandler and the feed checks of tensorflow/python/client/session.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitf.framework import dtypes, errors, nest
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import as_array
from minitf.framework.operation import Operation, Tensor, with_place
from minitf.framework.tensor_shape import in_message


def flatten(fetches, graph: Graph) -> tuple[list[Tensor | Operation], Callable[[Sequence], Any]]:
    """Return the fetched elements, and a function that arranges their values like `fetches`.

    Raises TypeError for something that can't be fetched, ValueError for something that isn't in
    this graph or is inside a cond or loop.
    """
    return nest.flatten(fetches, lambda fetch: _element(fetch, graph))


def _element(fetch, graph: Graph) -> Tensor | Operation:
    if fetch is None:
        raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
    try:
        element = graph.as_graph_element(fetch)
    except TypeError as error:
        raise TypeError(
            f'Argument `fetch` = {fetch} has invalid type "{type(fetch).__name__}" must be a '
            f"string or Tensor. ({error})"
        ) from None
    except (ValueError, KeyError) as error:
        raise with_place(
            ValueError(f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error})"),
            fetch,
        ) from None
    if not graph.is_fetchable(element):
        op = getattr(element, "op", element)
        raise with_place(
            errors.InaccessibleTensorError(
                f"Operation {op.name} has been marked as not fetchable. Typically this happens "
                "when it is defined in another function or code block. Use return values, explicit "
                "Python locals or TensorFlow collections to access it."
            ),
            op,
        )
    return element


def structure_key(fetches):
    """Return a hashable key, equal for fetches of the same elements in the same structure."""
    if isinstance(fetches, list | tuple):
        return type(fetches), *map(structure_key, fetches)
    if isinstance(fetches, Mapping):
        return type(fetches), *((key, structure_key(f)) for key, f in fetches.items())
    return fetches


def without_nesting(feed_dict: Mapping) -> Mapping:
    """Return `feed_dict` with a key for each tensor: tuples and their values are split up.

    Raises TypeError if `feed_dict` isn't a dict, ValueError if a value has more or fewer elements
    than its key, or if a tensor occurs twice.
    """
    if type(feed_dict) is not dict and not isinstance(feed_dict, Mapping):
        raise TypeError(
            "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, "
            f"instead of '{type(feed_dict).__name__}'."
        )
    for key in feed_dict:  # each run comes here, and any() would take three times as long
        if isinstance(key, tuple):
            return _split_up(feed_dict)
    return feed_dict


def _split_up(feed_dict: Mapping) -> dict[Any, Any]:
    flat: dict[Any, Any] = {}
    for pair in feed_dict.items():
        keys, values = (nest.flatten(x)[0] if isinstance(pair[0], tuple) else [x] for x in pair)
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                f"{len(values)} elements. Key: {keys}, value: {values}."
            )
        for key, value in zip(keys, values, strict=True):
            if key in flat:
                raise ValueError(f"Cannot flatten dict because this key is not unique: {key}")
            flat[key] = value
    return flat


def as_feed_key(key, graph: Graph) -> Tensor:
    """Return the tensor that a key of `feed_dict` refers to.

    Raises TypeError if there is none, ValueError for a tensor that can't be fed.
    """
    try:
        tensor = graph.as_graph_element(key, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        reason = error.args[0] if error.args else error
        raise with_place(
            TypeError(f"Cannot interpret feed_dict key as Tensor: {reason}"), key
        ) from None
    if not graph.is_feedable(tensor) or tensor.op.control.gives_inside:
        raise ValueError(f"Tensor {tensor.name} may not be fed.")
    return tensor


def as_feed_value(tensor: Tensor, value):
    """Return `value` as a NumPy array or scalar with the tensor's dtype and a compatible shape.

    Raises TypeError for a tensor and for a number that the dtype can't hold, ValueError for
    anything that isn't a number or has another shape.
    """
    if hasattr(value, "_as_graph_element") or isinstance(value, Tensor | Operation):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include "
            "Python scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, the "
            f"tensor object was {value} which was passed to the argument `feed_dict` with key "
            f"{tensor}."
        )
    try:
        return _converted(tensor, value)
    except (TypeError, ValueError) as error:
        raise with_place(error, tensor) from None


def _converted(tensor: Tensor, value):
    dtype = tensor.dtype.base_dtype
    if type(value) is int and (dtype.is_integer or dtype is dtypes.bool):
        low, high = (0, 1) if dtype is dtypes.bool else (dtype.min, dtype.max)
        if not low <= value <= high:
            raise TypeError(
                f"Type of feed value {value} with type {int} is not compatible with Tensor type "
                f"{dtype.as_numpy_dtype}. Try explicitly setting the type of the feed tensor to a "
                "larger type (e.g. int64)."
            )
    array = as_array(value, dtype)[0] if dtype is dtypes.string else _as_numbers(value, dtype)
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has shape "
            f"{tensor.shape}"
        )
    return array if array.ndim else array[()]


def _as_numbers(value, dtype: dtypes.DType) -> np.ndarray:
    try:
        return np.asarray(value, dtype=dtype.as_numpy_dtype)
    except OverflowError:
        if not dtype.is_integer:
            raise
    with np.errstate(all="ignore"):  # numbers that don't fit wrap around
        return np.asarray(value).astype(dtype.as_numpy_dtype)


def missing_feed(op: Operation) -> errors.InvalidArgumentError:
    """Return the error for a placeholder that a run needs but that wasn't fed."""
    dtype, shape = dtypes.proto_name(op.attrs["dtype"]), op.attrs["shape"]
    words = f"You must feed a value for placeholder tensor '{op.name}' with dtype {dtype}"
    words += f" and shape {in_message(shape)}" if shape.lengths else ""
    return errors.InvalidArgumentError(op, op, words)
