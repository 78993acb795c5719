"""Random numbers: in each session, each op has its own stream, which its seeds start.

Two runs of an op give different numbers; a new session starts again, and with the same seeds gives the same
numbers. (They are NumPy's, not TensorFlow's.)

Mirrors tensorflow/python/ops/random_ops.py and tensorflow/python/framework/random_seed.py.
"""

from __future__ import annotations  # so that numpy.random is imported only where numbers are drawn

from collections.abc import Callable

import numpy as np

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import as_dtype, float32, int32
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, call, kernel, not_differentiable, quoted, register
from minitf.ops import math_ops
from minitf.ops.shape_ops import as_static_shape, check_rank, same_as_first, shape_code

DEFAULT_GRAPH_SEED = 87654321
_LARGEST_SEED = 2**31 - 1


def set_random_seed(seed) -> None:
    """Let all random ops made after this in the default graph give the same numbers in each session."""
    get_default_graph().seed = seed


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds of an op that was given `op_seed`: (None, None) where each session differs."""
    graph = get_default_graph()
    if graph.seed is None and op_seed is None:
        return None, None
    first = DEFAULT_GRAPH_SEED if graph.seed is None else graph.seed
    second = len(graph.operations) if op_seed is None else op_seed
    seeds = first % _LARGEST_SEED, second % _LARGEST_SEED
    return (0, _LARGEST_SEED) if seeds == (0, 0) else seeds


@kernel
def stream(state, op: str, *seeds: int) -> np.random.Generator:
    """The generator of the op of this name in the session with this state."""
    streams = getattr(state, "streams", {})
    if op not in streams:
        streams[op] = np.random.default_rng(seeds or None)
    return streams[op]


@kernel
def draw_uniform(stream: np.random.Generator, shape, dtype):
    """Numbers from [0, 1)."""
    return dtype(stream.random(shape, np.float64 if dtype is np.float64 else np.float32))


@kernel
def draw_normal(stream: np.random.Generator, shape, dtype):
    """Numbers of mean 0 and standard deviation 1."""
    return dtype(stream.standard_normal(shape))


@kernel
def draw_truncated_normal(stream: np.random.Generator, shape, dtype):
    """The same, but those beyond 2 are drawn again."""
    numbers = np.array(stream.standard_normal(shape))
    while (beyond := np.abs(numbers) >= 2).any():
        numbers[beyond] = stream.standard_normal(np.count_nonzero(beyond))
    return dtype(numbers[()])


@kernel
def draw_integers(stream: np.random.Generator, shape, low, high):
    """Whole numbers from `low` on and below `high`."""
    return stream.integers(low, high, shape, low.dtype)[()]


@kernel
def shuffled(stream: np.random.Generator, x):
    """The rows of x in another order."""
    return stream.permutation(x) if np.ndim(x) else x


def _infer(op: Operation) -> list:
    check_rank(op.inputs[0], 1)
    return [(op.attrs["dtype"], as_static_shape(op.inputs[0]))]


def _explain(shape, low=0, high=1) -> str:
    """What NumPy does not take."""
    return (
        f"Need minval < maxval, got {low} >= {high}"
        if low >= high
        else f"Dimension {min(shape)} must be >= 0"
    )


def _stream(op: Operation) -> str:
    return call("stream", "state", quoted(op.name), *op.attrs["seeds"])


def _register(op_type: str, draw: str, *limits: str) -> None:
    """Register an op that draws numbers of a shape: of a dtype that it is told, or of that of its limits."""

    def code(op: Operation, shape: Code, *others: str) -> str:
        others = others or (op.attrs["dtype"].name,)
        return call(draw, _stream(op), shape_code(shape), *others)

    inputs = " ".join(["shape:length", *limits])
    register(op_type, inputs, _infer, code, not_differentiable, explain=_explain, stateful=True)


_register("RandomUniform", "draw_uniform")
_register("RandomStandardNormal", "draw_normal")
_register("TruncatedNormal", "draw_truncated_normal")
_register("RandomUniformInt", "draw_integers", "minval:T", "maxval:T")


def _shuffle_code(op: Operation, x: str) -> str:
    return f"shuffled({_stream(op)}, {x})"


register(
    "RandomShuffle", "value:T", same_as_first, _shuffle_code, not_differentiable, stateful=True
)


def _build(op_type: str, *inputs, seed, name: str | None = None, **attrs) -> Tensor:
    seeds = tuple(int(s) for s in get_seed(seed) if s is not None)
    return build_tensor(op_type, *inputs, name=name, seeds=seeds, **attrs)


def _as_shape(shape) -> Tensor:
    empty = isinstance(shape, list | tuple) and not shape
    return convert_to_tensor(shape, int32 if empty else None, name="shape")


def random_uniform(
    shape, minval=0, maxval=None, dtype=float32, seed=None, name: str | None = None
) -> Tensor:
    """Numbers from [minval, maxval), all as likely; `maxval` is 1 unless said otherwise.

    Raises ValueError for ints without `maxval`, and for any other dtype than floats, int32 and int64.
    """
    dtype = as_dtype(dtype).base_dtype
    if dtype.name not in ("float16", "float32", "float64", "int32", "int64"):
        accepted = "(tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int32, tf.int64)"
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {accepted}."
        )
    if maxval is None and dtype.is_integer:
        raise ValueError(f"Must specify maxval for integer dtype tf.{dtype.name}")
    maxval = 1 if maxval is None else maxval
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
        shape = _as_shape(shape)
        if dtype.is_floating and type(minval) is type(maxval) is int and (minval, maxval) == (0, 1):
            return _build("RandomUniform", shape, seed=seed, dtype=dtype)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            return _build(
                "RandomUniformInt", shape, minval, maxval, seed=seed, name=scope, dtype=dtype
            )
        numbers = _build("RandomUniform", shape, seed=seed, dtype=dtype)
        return math_ops.add(numbers * (maxval - minval), minval, name=scope)


def _normal(op_type: str, function: str, doc: str) -> Callable:
    """The public function that makes numbers of any mean and deviation of those that the op draws."""

    def normal(
        shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name: str | None = None
    ) -> Tensor:
        dtype = as_dtype(dtype).base_dtype
        with name_scope(name, function, [shape, mean, stddev]) as scope:
            shape = _as_shape(shape)
            mean = convert_to_tensor(mean, dtype, name="mean")
            stddev = convert_to_tensor(stddev, dtype, name="stddev")
            numbers = _build(op_type, shape, seed=seed, dtype=dtype)
            return math_ops.add(numbers * stddev, mean, name=scope)

    return named(normal, function, doc)


_CUT_OFF = "Numbers from the normal distribution, those beyond two standard deviations drawn again."
random_normal = _normal(
    "RandomStandardNormal", "random_normal", "Numbers from the normal distribution."
)
truncated_normal = _normal("TruncatedNormal", "truncated_normal", _CUT_OFF)


def random_shuffle(value, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of `value` in another order in each run."""
    return _build("RandomShuffle", value, seed=seed, name=name)
