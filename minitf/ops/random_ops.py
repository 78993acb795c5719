"""Random numbers: in every session, each op draws from its own stream, started by its seeds.

Each run of an op draws new numbers. A new session starts again and, if there are seeds, draws the
same numbers as the last one. (They are NumPy's numbers, not TensorFlow's.)

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
    """Make random ops give the same numbers in every session.

    It affects ops that are created in the default graph from now on.
    """
    get_default_graph().seed = seed


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The seeds of an op that was given `op_seed`: the graph's and its own.

    If neither the graph nor the op has a seed, both are None, and each session draws different
    numbers.
    """
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
    """The message for arguments that NumPy rejects."""
    if low >= high:
        return f"Need minval < maxval, got {low} >= {high}"
    return f"Dimension {min(shape)} must be >= 0"


def stream_code(op: Operation) -> str:
    """The code of the random generator of `op`."""
    seeds = op.attrs["seed"], op.attrs["seed2"]
    return call("stream", "state", quoted(op.name), *(seeds if any(seeds) else ()))


SEEDS = {"seed": 0, "seed2": 0}


def _register(op_type, draw, *limits, **traits):
    """Register an op that draws numbers of its limits' dtype or, without limits, of a given one."""

    def code(op, shape, *others):
        others = others or (op.attrs["dtype"].name,)
        return call(draw, stream_code(op), shape_code(shape), *others)

    inputs = " ".join(["shape:length", *limits])
    register(
        op_type,
        inputs,
        _infer,
        code,
        not_differentiable,
        explain=_explain,
        stateful=True,
        defaults=SEEDS,
        **traits,
    )


_register("RandomUniform", "draw_uniform")
_register("RandomStandardNormal", "draw_normal")
_register("TruncatedNormal", "draw_truncated_normal")
_register(
    "RandomUniformInt", "draw_integers", "minval:T=Tout", "maxval:T=Tout", fixed={"dtype": None}
)


def build_random(op_type: str, *inputs, seed, name=None, **attrs) -> Tensor:
    """The output of a new random op, seeded by `seed` and the graph's seed."""
    seed, seed2 = (int(s or 0) for s in get_seed(seed))
    return build_tensor(op_type, *inputs, name=name, seed=seed, seed2=seed2, **attrs)


def _as_shape(shape):
    empty = isinstance(shape, list | tuple) and not shape
    return convert_to_tensor(shape, int32 if empty else None, name="shape")


def random_uniform(shape, minval=0, maxval=None, dtype=float32, seed=None, name=None) -> Tensor:
    """Random numbers, uniform in [minval, maxval); for floats, `maxval` is 1 by default.

    Raises ValueError for integers without `maxval`, or if `dtype` is not a float, int32 or int64.
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
    """The public function that scales and shifts the numbers that an op draws."""

    def normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
        dtype = as_dtype(dtype).base_dtype
        with name_scope(name, function, [shape, mean, stddev]) as scope:
            shape = _as_shape(shape)
            mean = convert_to_tensor(mean, dtype, name="mean")
            stddev = convert_to_tensor(stddev, dtype, name="stddev")
            numbers = build_random(op_type, shape, seed=seed, dtype=dtype)
            return add(numbers * stddev, mean, name=scope)

    return named(normal, function, doc)


_NORMAL = "Random numbers from a normal distribution"
random_normal = _normal("RandomStandardNormal", "random_normal", f"{_NORMAL}.")
truncated_normal = _normal(
    "TruncatedNormal",
    "truncated_normal",
    f"{_NORMAL}; those beyond two standard deviations are drawn again.",
)
