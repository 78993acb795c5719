"""`tf.py_func` puts a function of Python's into the graph: each run calls it with arrays.

Mirrors tensorflow/python/ops/script_ops.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import PROTO_NAMES, DType, as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import get_default_graph
from minitf.framework.operation import Operation
from minitf.framework.registry import call, kernel, not_differentiable, register
from minitf.framework.tensor_shape import UNKNOWN

_functions: list[
    tuple[Callable, list[DType]]
] = []  # those of all graphs; a program names one by its place


@kernel
def py_func_call(place: int, *arrays):
    """What that function gives for the arrays: one array, or a tuple of none or many."""
    function, dtypes = _functions[place]
    found = function(*arrays)
    values = list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
    if len(values) != len(dtypes):
        counts = f"returns {len(values)} values, but expects to see {len(dtypes)} values."
        raise InvalidArgumentError(None, None, f"pyfunc_{place} {counts}")
    results = [np.asarray(value, object if isinstance(value, bytes) else None) for value in values]
    for i, (array, dtype) in enumerate(zip(results, dtypes, strict=True)):
        given = as_dtype(array.dtype)
        if given is not dtype:
            types = ", but expects ".join(PROTO_NAMES.get(t.name, t.name) for t in (given, dtype))
            raise InvalidArgumentError(
                None, None, f"{i}-th value returned by pyfunc_{place} is {types}"
            )
    values = tuple(array[()] for array in results)
    return values[0] if len(values) == 1 else values


def _code(op: Operation, *arrays: str) -> str:
    return call("py_func_call", op.attrs["place"], *arrays)


def _infer(op: Operation) -> list:
    return [(dtype, UNKNOWN) for dtype in _functions[op.attrs["place"]][1]]


register("PyFunc", "", _infer, _code, not_differentiable, stateful=True)


def py_func(func: Callable, inp: list, Tout, stateful: bool = True, name: str | None = None):
    """What `func` gives for the arrays of the tensors `inp`; no gradient flows through it.

    `Tout` is the dtype of that, or a list of dtypes: then the answer is a list of tensors, or the op if it is empty.
    """
    single = not isinstance(Tout, list | tuple)
    inputs = tuple(convert_to_tensor(x) for x in inp)
    _functions.append((func, [as_dtype(t) for t in ([Tout] if single else Tout)]))
    op = get_default_graph().create_op(
        "PyFunc", inputs, {"place": len(_functions) - 1}, name=name or "PyFunc"
    )
    return op.outputs[0] if single else op.outputs or op
