"""Random numbers: in each session, each op has its own stream, which its seeds start.

Two runs of an op give different numbers; a new session starts again, and with the same seeds gives
the same numbers. (They are NumPy's, not TensorFlow's.)

Mirrors tensorflow/python/ops/random_ops.py and tensorflow/python/framework/random_seed.py.
"""

from minitf.framework.common_shapes import as_static_shape, check_rank
from minitf.framework.dtypes import as_dtype, float32, int32
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor, convert_to_tensor, named
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import call, not_differentiable, quoted, register, shape_code
from minitf.ops.math_ops import add

DEFAULT_GRAPH_SEED = 87654321
_LARGEST_SEED = 2**31 - 1


def set_random_seed(seed) -> None:
    """Let random ops made after this in the default graph give the same numbers in each session."""
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


def _infer(op):
    check_rank(op.inputs[0], 1)
    return [(op.attrs["dtype"], as_static_shape(op.inputs[0]))]


def _explain(shape, low=0, high=1):
    """What NumPy does not take."""
    if low >= high:
        return f"Need minval < maxval, got {low} >= {high}"
    return f"Dimension {min(shape)} must be >= 0"


def stream_code(op: Operation) -> str:
    """The code of the generator of `op`."""
    return call("stream", "state", quoted(op.name), *op.attrs["seeds"])


def _register(op_type, draw, *limits):
    """Register an op that draws numbers: of a dtype that it is told, or of that of its limits."""

    def code(op, shape, *others):
        others = others or (op.attrs["dtype"].name,)
        return call(draw, stream_code(op), shape_code(shape), *others)

    inputs = " ".join(["shape:length", *limits])
    register(op_type, inputs, _infer, code, not_differentiable, explain=_explain, stateful=True)


_register("RandomUniform", "draw_uniform")
_register("RandomStandardNormal", "draw_normal")
_register("TruncatedNormal", "draw_truncated_normal")
_register("RandomUniformInt", "draw_integers", "minval:T", "maxval:T")


def build_random(op_type: str, *inputs, seed, name=None, **attrs) -> Tensor:
    """An op whose numbers start from `seed` and the graph's."""
    seeds = tuple(int(s) for s in get_seed(seed) if s is not None)
    return build_tensor(op_type, *inputs, name=name, seeds=seeds, **attrs)


def _as_shape(shape):
    empty = isinstance(shape, list | tuple) and not shape
    return convert_to_tensor(shape, int32 if empty else None, name="shape")


def random_uniform(shape, minval=0, maxval=None, dtype=float32, seed=None, name=None) -> Tensor:
    """Numbers from [minval, maxval), all equally likely; `maxval` is 1 unless said otherwise.

    Raises ValueError for ints without `maxval`, and for any other dtype than floats, int32 and
    int64.
    """
    dtype = as_dtype(dtype).base_dtype
    if dtype.name not in ("float16", "float32", "float64", "int32", "int64"):
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are "
            "(tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int32, tf.int64)."
        )
    if maxval is None and dtype.is_integer:
        raise ValueError(f"Must specify maxval for integer dtype tf.{dtype.name}")
    maxval = 1 if maxval is None else maxval
    attrs = {"seed": seed, "dtype": dtype}
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
        shape = _as_shape(shape)
        if dtype.is_floating and type(minval) is type(maxval) is int and (minval, maxval) == (0, 1):
            return build_random("RandomUniform", shape, **attrs)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            return build_random("RandomUniformInt", shape, minval, maxval, name=scope, **attrs)
        numbers = build_random("RandomUniform", shape, **attrs)
        return add(numbers * (maxval - minval), minval, name=scope)


def _normal(op_type, function, doc):
    """The public function that shifts and scales the numbers that the op draws."""

    def normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
        dtype = as_dtype(dtype).base_dtype
        with name_scope(name, function, [shape, mean, stddev]) as scope:
            shape = _as_shape(shape)
            mean = convert_to_tensor(mean, dtype, name="mean")
            stddev = convert_to_tensor(stddev, dtype, name="stddev")
            numbers = build_random(op_type, shape, seed=seed, dtype=dtype)
            return add(numbers * stddev, mean, name=scope)

    return named(normal, function, doc)


_NORMAL = "Numbers from the normal distribution"
random_normal = _normal("RandomStandardNormal", "random_normal", f"{_NORMAL}.")
truncated_normal = _normal(
    "TruncatedNormal",
    "truncated_normal",
    f"{_NORMAL}, those beyond two standard deviations drawn again.",
)
