"""`tf.Print` is a tensor that is shown, on stderr, whenever a run computes it.

Mirrors tensorflow/python/ops/logging_ops.py.
"""

import sys

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import call, kernel, quoted, register
from minitf.ops.shape_ops import same_as_first


@kernel
def printed(value, message: str, most: int, *data):
    """Print at most so many numbers of each of `data`; the value is what it was."""
    words = [
        " ".join(f"{v}" for v in np.ravel(d)[:most]) + "..." * (np.size(d) > most) for d in data
    ]
    print(message + "".join(f"[{w}]" for w in words), file=sys.stderr)
    return value


def _code(op: Operation, value: str, *data: str) -> str:
    return call("printed", value, quoted(op.attrs["message"]), op.attrs["summarize"], *data)


def _gradient(op: Operation, gradient: Tensor) -> list:
    return [gradient, *[None] * (len(op.inputs) - 1)]


register("Print", "input:any", same_as_first, _code, _gradient, stateful=True)


def Print(
    input_,
    data: list,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`input_`; a run that computes it prints the message and the tensors of `data`.

    Of each, `summarize` numbers are shown, three if that is None. `first_n` has no effect: all runs print.
    """
    inputs = [convert_to_tensor(value) for value in (input_, *data)]
    attrs = {"message": message or "", "summarize": summarize or 3}
    return inputs[0].graph.create_op("Print", tuple(inputs), attrs, name=name).outputs[0]
