"""An optimizer's rule is an op: a few formulas that change a variable and its slots in place.

    rule("ApplyAdagrad", "var accum", "lr grad", "accum += grad**2; var -= lr * grad / sqrt(accum)")

A formula is the statement that a program shows, with the names of the op's inputs in place of their
code. The rule also registers SparseApplyAdagrad, for a gradient that has only some rows: its input
`indices` says which rows of the variable and its slots change.

Mirrors tensorflow/core/kernels/training_ops.cc.
"""

import re
from collections.abc import Callable
from functools import partial

from minitf.framework.operation import Operation
from minitf.framework.registry import OPS, Code, atom, call, first_itself
from minitf.framework.tensor_shape import same_for_certain
from minitf.ops.state_ops import register_update


def rule(
    op_type: str, changed: str, values: str, formulas: str | Callable[[Operation], str], **traits
) -> str:
    """Register an op that updates the inputs `changed`, and its sparse form; return its type.

    `values` are the other inputs. `formulas`, separated by `; `, may be a function of the
    Operation. `traits` are other fields of the OpDefs.
    """
    references = [f"{name}:ref" for name in changed.split()]
    dense = " ".join(references + [name if ":" in name else f"{name}:T" for name in values.split()])
    code = partial(_code, formulas)
    register_update(op_type, dense, code, **traits)
    sparse = dense.replace("grad:T", "grad:T indices:length=Tindices")
    register_update(f"Sparse{op_type}", sparse, code, first_itself, **traits)
    return op_type


def _code(formulas: str | Callable[[Operation], str], op: Operation, *arguments: Code) -> str:
    inputs = OPS[op.type].inputs
    changed = [name for name, kind in inputs if kind == "ref"]
    given = dict(zip(dict(inputs), arguments, strict=True))
    var, grad = given["var"], given["grad"]
    unsure = [f"{n}={v}" for n, v in given.items() if n not in (*changed, "grad") and v.rank != 0]
    lines = []
    if unsure or not same_for_certain(var.shape, grad.shape):
        lines = [call("check_update", var, grad, *unsure)]
    if "indices" in given:
        given |= {name: f"{given[name]}[{given['indices']}]" for name in changed}

    def argument(found: re.Match) -> str:
        one_minus, name = found.groups(default="")
        value = given.get(name)
        if value is None:
            return found[0]
        if one_minus and value.plain:  # `1 - 0.9` would be a double
            value = f"{value.constant.dtype.name}({value})"
        return one_minus + atom(value)

    text = formulas(op) if callable(formulas) else formulas
    return "\n".join(lines + re.sub(r"(1 - )?\b([a-z]\w*)", argument, text).split("; "))
