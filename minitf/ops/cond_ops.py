"""`cond` chooses between two branches when the graph runs; `case` between several.

The ops of both branches are made, each branch's in its own block; a run executes those of one.

Mirrors tf.cond of tensorflow/python/ops/cond.py and control_flow_case.py.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes, errors, nest
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import control_dependencies, name_scope
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import call, kernel, not_differentiable, register
from minitf.ops import array_ops, joining_ops, math_ops, reduction_ops
from minitf.ops.blocks import Block, Construct


def cond(
    pred,
    true_fn: Callable | None = None,
    false_fn: Callable | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable | None = None,
    fn2: Callable | None = None,
):
    """What `true_fn()` gives if `pred` is true when the graph runs, else what `false_fn()` gives.

    Both functions are called here, once, to make their ops; they give tensors or nested structures of them, of
    the same form and the same dtypes. Only ops made inside a function run by its condition: what it reads from
    outside is computed in any case. An operation counts as a truth value, true once it has run. A list of one
    tensor becomes that tensor unless `strict`. `fn1` and `fn2` are older names of the functions.

    Raises TypeError for a pred that is known now or is no truth value and for what can't be called, ValueError
    where a function gives nothing, or the two give different things.
    """
    for argument, function, older_name, older in (
        ("true_fn", true_fn, "fn1", fn1),
        ("false_fn", false_fn, "fn2", fn2),
    ):
        if function is not None and older is not None:
            raise TypeError(
                f"cond(): '{argument}' and '{older_name}' may not be set simultaneously."
            )
        if function is None and older is None:
            raise TypeError(f"cond(): '{argument}' argument required")
        if not callable(older if function is None else function):
            raise TypeError(f"'{argument}' must be callable.")
    with name_scope(name, "cond", [pred]) as scope:
        if isinstance(pred, bool):
            raise TypeError("'pred' must not be a Python bool.")
        pred = convert_to_tensor(pred, name="pred")
        construct = _construct(pred, scope[:-1])
        true, rebuild = _branch(true_fn or fn1, construct.blocks[1], strict)
        false, rebuild_false = _branch(false_fn or fn2, construct.blocks[0], strict)
        nest.same_structure(rebuild(true), rebuild_false(false))
        for one, other in zip(true, false, strict=True):
            if one.dtype.base_dtype is not other.dtype.base_dtype:
                words = f"{one.dtype.base_dtype.name} from 'true_fn' and {other.dtype.base_dtype.name} from 'false_fn'"
                raise ValueError(
                    f"Outputs of 'true_fn' and 'false_fn' must have the same type(s). Received {words}."
                )
        if not true:
            raise ValueError("'true_fn' and 'false_fn' must return at least one result.")
        return rebuild([construct.merge(*pair) for pair in zip(false, true, strict=True)])


def _construct(pred: Tensor, scope: str) -> Construct:
    """A cond by `pred`, with the ops that TensorFlow calls `pred_id`, `Switch`, `switch_t` and `switch_f`."""
    graph = pred.graph
    construct = Construct(
        graph, scope, graph.control.block, array_ops.identity(pred, name="pred_id")
    )
    construct.enter(pred)
    for block, name in zip(construct.blocks, ("switch_f", "switch_t"), strict=True):
        with graph.control.inside(block):
            array_ops.identity(pred, name=name)
    return construct


def _branch(function: Callable, block: Block, strict: bool) -> tuple[list[Tensor], Callable]:
    """What a branch gives, as its own tensors, and how they are put into the form in which it gave them."""

    def result(value) -> Tensor:
        if isinstance(value, Operation):
            with control_dependencies([value]):
                value = array_ops.identity(block.construct.pred, name="control_dependency")
        return block.own(convert_to_tensor(value))

    with block.construct.graph.control.inside(block):
        results = function()
        if results is None:
            raise ValueError("'true_fn' must have a return value.")
        if not strict and isinstance(results, list | tuple) and len(results) == 1:
            results = results[0]
        return nest.flatten(results, result)


@kernel
def check(most: int, condition, *data) -> None:
    """Raise the error that shows at most so many values of each of `data`, unless `condition` is true."""
    if not condition:
        words = " ".join(f"[{_shown(np.ravel(value).tolist(), most)}]" for value in data)
        raise errors.InvalidArgumentError(None, None, f"assertion failed: {words}")


def _shown(values: list, most: int) -> str:
    words = [
        v.decode() if isinstance(v, bytes) else v if isinstance(v, str) else f"{v:g}"
        for v in values[:most]
    ]
    return " ".join(words) + "..." * (len(values) > most)


def _check_code(op: Operation, *values: str) -> str:
    return call("check", op.attrs["summarize"], *values)


register("Assert", "condition:bool", lambda op: [], _check_code, not_differentiable, stateful=True)


def assert_op(
    condition, data: list, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails with InvalidArgumentError, showing `data`, if `condition` is false when it runs.

    `summarize`: how many values of each tensor are shown, three if that is None.
    """
    with name_scope(name, "Assert", [condition, *data]):
        inputs = [convert_to_tensor(condition, dtypes.bool), *(convert_to_tensor(d) for d in data)]
        return inputs[0].graph.create_op("Assert", tuple(inputs), {"summarize": summarize or 3})


def case(
    pred_fn_pairs,
    default: Callable | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
):
    """What the function of the first true predicate gives; where none is true, `default()`.

    `pred_fn_pairs` is a list of (truth value, function), or a dict. Without a default one of them must be true;
    `exclusive`: no two of them may be. A run fails with InvalidArgumentError where that does not hold.
    """
    if not isinstance(pred_fn_pairs, list | tuple | dict):
        raise TypeError(
            f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}"
        )
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
        pred, function = pair
        if not hasattr(pred, "dtype"):
            raise TypeError(f"pred must be a Tensor, got: {pred}")
        if pred.dtype.base_dtype is not dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {pred.name}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred.name} must be callable.")
    preds = [pred for pred, _ in pairs]
    with (
        name_scope(name, "case", preds),
        control_dependencies([at_most_one(preds)] if exclusive else []),
    ):
        return _first_true(pairs, preds, default, strict)


def at_most_one(preds: list[Tensor]) -> Operation:
    """An op that fails if two of the predicates are true."""
    values = joining_ops.stack(preds)
    names = ", ".join(pred.name for pred in preds)
    words = f"Input error: exclusive=True: more than 1 conditions ({names}) evaluated as True:"
    return assert_op(
        reduction_ops.reduce_sum(math_ops.cast(values, dtypes.int32)) <= 1,
        [words, values],
        len(preds),
    )


def _first_true(
    pairs: list[tuple[Any, Callable]], preds: list, default: Callable | None, strict: bool
):
    """A cond, in whose false branch is the cond of the next pair."""
    (pred, function), *others = pairs
    if others:
        return cond(pred, function, lambda: _first_true(others, preds, default, strict), strict)
    if default is not None:
        return cond(pred, function, default, strict)
    words = "Input error: None of conditions evaluated as True:"
    with control_dependencies([assert_op(pred, [words, joining_ops.stack(preds)])]):
        return function()
