"""Ways to look into a run: assertions, tf.Print, and tf.py_func, which calls Python.

Mirrors tensorflow/python/ops/check_ops.py, logging_ops.py and script_ops.py.
"""

import sys
from collections.abc import Callable

import numpy as np

from minitf.framework.dtypes import DType, as_dtype, proto_name
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import constant_value, convert_to_tensor, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    call,
    kernel,
    not_differentiable,
    quoted,
    register,
    same_as_first,
)
from minitf.framework.tensor_shape import UNKNOWN
from minitf.ops import math_ops
from minitf.ops.control_flow_ops import Assert, group
from minitf.ops.kernels import invalid
from minitf.ops.reduction_ops import reduce_all
from minitf.ops.variables import global_variables, local_variables


def _check(kind, comparison, sign, with_zero=False):
    """The public function `assert_<kind>`. `comparison` is a function of math_ops and of NumPy."""

    def check(x, y, data=None, summarize=None, message=None, name=None):
        with name_scope(name, f"assert_{kind}", [x, y]):
            x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
            condition = f"Condition x {sign} {0 if with_zero else 'y'} did not hold element-wise:"
            words = [message or "", condition, f"x ({x.name}) = ", x]
            words += [] if with_zero else [f"y ({y.name}) = ", y]
            a, b = constant_value(x), constant_value(y)
            if a is not None and b is not None and not getattr(np, comparison)(a, b).all():
                shown = [str(constant_value(w) if w is x or w is y else w) for w in words]
                raise invalid("\n".join(shown))
            holds = reduce_all(getattr(math_ops, comparison)(x, y))
            return Assert(holds, words if data is None else data, summarize)

    def check_with_zero(x, data=None, summarize=None, message=None, name=None):
        x = convert_to_tensor(x)
        return check(x, np.zeros((), x.dtype.as_numpy_dtype), data, summarize, message, name)

    condition = f"each x {sign} {0 if with_zero else 'y'}"
    doc = f"""An op that fails with InvalidArgumentError unless {condition}.

    It raises the error immediately if all values are constants."""
    return named(check_with_zero if with_zero else check, f"assert_{kind}", doc)


assert_equal = _check("equal", "equal", "==")
assert_none_equal = _check("none_equal", "not_equal", "!=")
assert_less = _check("less", "less", "<")
assert_less_equal = _check("less_equal", "less_equal", "<=")
assert_greater = _check("greater", "greater", ">")
assert_greater_equal = _check("greater_equal", "greater_equal", ">=")
assert_positive = _check("positive", "greater", ">", with_zero=True)
assert_negative = _check("negative", "less", "<", with_zero=True)
assert_non_negative = _check("non_negative", "greater_equal", ">=", with_zero=True)
assert_non_positive = _check("non_positive", "less_equal", "<=", with_zero=True)


def assert_variables_initialized(var_list=None) -> Operation:
    """An op that fails with FailedPreconditionError unless all of the variables have a value.

    By default, these are the global and the local variables.
    """
    variables = global_variables() + local_variables() if var_list is None else var_list
    return group(*[v.value() for v in variables])


# Printing to stderr whenever a run computes a tensor.


@kernel
def printed(value, message, most, *data):
    """Print the message and up to `most` numbers of each of `data`; return `value`."""
    words = [
        " ".join(f"{v}" for v in np.ravel(d)[:most]) + "..." * (np.size(d) > most) for d in data
    ]
    print(message + "".join(f"[{w}]" for w in words), file=sys.stderr)
    return value


def _print_code(op, value, *data):
    return call("printed", value, quoted(op.attrs["message"]), op.attrs["summarize"], *data)


register(
    "Print",
    "input data:*any=+U",
    same_as_first,
    _print_code,
    lambda op, dy: [dy],
    stateful=True,
    defaults={"message": "", "summarize": 3},
)


def Print(input_, data: list, message=None, first_n=None, summarize=None, name=None) -> Tensor:
    """`input_`, except that a run that computes it also prints the message and `data` to stderr.

        loss = tf.Print(loss, [step, loss], "step and loss: ")

    It prints the first `summarize` numbers (by default 3) of each tensor. `first_n` is ignored:
    every run prints.
    """
    inputs = [convert_to_tensor(value) for value in (input_, *data)]
    attrs = {"message": message or "", "summarize": summarize or 3}
    return inputs[0].graph.create_op("Print", tuple(inputs), attrs, name=name).outputs[0]


# A Python function in the graph: each run calls it with arrays.

_functions: list[tuple[Callable, list[DType]]] = []  # of all graphs; programs have their indices


@kernel
def py_func_call(place, *arrays):
    """Call the function with this index: returns one array, or a tuple of none or several."""
    if not 0 <= place < len(_functions):  # the graph comes from a file
        raise invalid(f"ValueError: callback pyfunc_{place} is not found")
    function, dtypes = _functions[place]
    found = function(*arrays)
    values = list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
    if len(values) != len(dtypes):
        raise invalid(
            f"pyfunc_{place} returns {len(values)} values, but expects to see {len(dtypes)} values."
        )
    results = [np.asarray(value, object if isinstance(value, bytes) else None) for value in values]
    for i, (array, dtype) in enumerate(zip(results, dtypes, strict=True)):
        given = as_dtype(array.dtype)
        if given is not dtype:
            types = ", but expects ".join(map(proto_name, (given, dtype)))
            raise invalid(f"{i}-th value returned by pyfunc_{place} is {types}")
    values = tuple(array[()] for array in results)
    return values[0] if len(values) == 1 else values


def _py_func_code(op, *arrays):
    return call("py_func_call", int(op.attrs["token"].removeprefix("pyfunc_")), *arrays)


def _infer_py_func(op):
    return [(dtype, UNKNOWN) for dtype in op.attrs["Tout"]]


register(
    "PyFunc", "input:*any=+Tin", _infer_py_func, _py_func_code, not_differentiable, stateful=True
)


def py_func(func: Callable, inp: list, Tout, stateful=True, name=None):
    """The result of calling the Python function `func` in each run, with the values of `inp`.

        y = tf.py_func(np.sinc, [x], tf.float32)

    `Tout` is the dtype of the result. If it is a list, so is the result; for an empty list, the
    result is the op itself. A run raises InvalidArgumentError if `func` returns other dtypes or
    another number of values. No gradient flows through the op, and its static shape is unknown.
    """
    single = not isinstance(Tout, list | tuple)
    inputs = tuple(convert_to_tensor(x) for x in inp)
    attrs = {"Tout": tuple(as_dtype(t) for t in ([Tout] if single else Tout))}
    attrs["token"] = f"pyfunc_{len(_functions)}"
    _functions.append((func, attrs["Tout"]))
    op = get_default_graph().create_op("PyFunc", inputs, attrs, name=name or "PyFunc")
    return op.outputs[0] if single else op.outputs or op
