"""Ops that fail where tensors are not as they should be: `tf.assert_equal`, `tf.assert_positive` and the like.

Mirrors tensorflow/python/ops/check_ops.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import named
from minitf.framework.operation import Operation
from minitf.ops import comparison_ops, reduction_ops
from minitf.ops.cond_ops import assert_op


def _check(kind: str, comparison: str, sign: str, with_zero: bool = False) -> Callable:
    """The function `assert_<kind>` for the comparison that comparison_ops and NumPy call so."""

    def check(
        x,
        y,
        data: list | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Operation:
        with name_scope(name, f"assert_{kind}", [x, y]):
            x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
            condition = f"Condition x {sign} {0 if with_zero else 'y'} did not hold element-wise:"
            words = [message or "", condition, f"x ({x.name}) = ", x]
            words += [] if with_zero else [f"y ({y.name}) = ", y]
            known = constant_value(x), constant_value(y)
            if (
                known[0] is not None
                and known[1] is not None
                and not getattr(np, comparison)(*known).all()
            ):
                shown = [str(constant_value(w) if w is x or w is y else w) for w in words]
                raise InvalidArgumentError(None, None, "\n".join(shown))
            holds = reduction_ops.reduce_all(getattr(comparison_ops, comparison)(x, y))
            return assert_op(holds, words if data is None else data, summarize)

    def check_with_zero(
        x,
        data: list | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Operation:
        x = convert_to_tensor(x)
        return check(x, np.zeros((), x.dtype.as_numpy_dtype), data, summarize, message, name)

    doc = f"An op that fails with InvalidArgumentError unless each x {sign} {0 if with_zero else 'y'}."
    return named(
        check_with_zero if with_zero else check,
        f"assert_{kind}",
        f"{doc} Raises it if that is known before.",
    )


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
