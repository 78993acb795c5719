"""Random calls with odd arguments, in minitf and in TensorFlow: `python -m tests.conformance.fuzz`.

A case is data: a call of a public function, often a second one on its result, and gradients. Each library builds and
runs it, and what can be seen is compared: the error that building or running raises, static shapes, dtypes, values.
`CALLS` says how to draw the arguments of each function, `CLASSES` which differences remain and why.
"""

import argparse
import random
import sys
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from tests.conformance.outcomes import core

GRAPHS = 3000

# How the arguments of each function are drawn: the names of methods of `Drawing`. One that ends in "?" is often left
# out; `name=kind` is passed by name.
ONE = "abs acos acosh asin asinh atan atanh ceil conj cos cosh erf exp expm1 floor identity is_finite is_inf is_nan"
ONE += " log log1p log_sigmoid logical_not negative reciprocal rint round rsqrt sigmoid sign sin sinh sqrt square"
ONE += " stop_gradient tan tanh to_double to_float to_int32 to_int64 unique where shape rank size ones_like zeros_like"
ONE += " nn.elu nn.l2_loss nn.leaky_relu nn.relu nn.relu6 nn.softplus nn.softsign nn.zero_fraction"
TWO = "add subtract multiply divide div div_no_nan equal floor_div floordiv floormod greater greater_equal less"
TWO += " less_equal logical_and logical_or logical_xor maximum minimum mod not_equal pow realdiv squared_difference"
TWO += " truediv nn.sigmoid_cross_entropy_with_logits"
REDUCTIONS = "all any logsumexp max mean min prod sum"
CALLS = {
    **dict.fromkeys(ONE.split(), "x"),
    **dict.fromkeys(TWO.split(), "x like"),
    **{f"reduce_{name}": "x axes? keepdims=flag?" for name in REDUCTIONS.split()},
    "nn.sigmoid_cross_entropy_with_logits": "labels=x logits=same",
    "add_n": "several",
    "argmax": "x axis? output_type=dtype?",
    "argmin": "x axis? output_type=dtype?",
    "boolean_mask": "x mask axis=axis?",
    "broadcast_to": "x lengths",
    "cast": "x dtype",
    "clip_by_norm": "x scalar axes=axes?",
    "clip_by_value": "x scalar scalar",
    "concat": "several axis",
    "constant": "raw dtype? shape=dims?",
    "convert_to_tensor": "raw dtype?",
    "cumsum": "x axis? exclusive=flag? reverse=flag?",
    "expand_dims": "x axis",
    "eye": "length length? dtype=dtype?",
    "fill": "dims scalar",
    "gather": "x indices axis=axis? batch_dims=batch?",
    "gather_nd": "x indices",
    "global_norm": "several",
    "linspace": "scalar scalar length",
    "losses.absolute_difference": "x same weights=scalar?",
    "losses.hinge_loss": "x same",
    "losses.huber_loss": "x same",
    "losses.log_loss": "x same",
    "losses.mean_squared_error": "x same weights=scalar?",
    "losses.sigmoid_cross_entropy": "x same",
    "losses.softmax_cross_entropy": "x same",
    "matmul": "x other transpose_a=flag? transpose_b=flag?",
    "nn.bias_add": "x like",
    "nn.embedding_lookup": "x indices",
    "nn.in_top_k": "x indices length",
    "nn.l2_normalize": "x axes",
    "nn.log_softmax": "x axis?",
    "nn.moments": "x axes",
    "nn.softmax": "x axis?",
    "nn.softmax_cross_entropy_with_logits_v2": "x same axis=axis?",
    "nn.sparse_softmax_cross_entropy_with_logits": "labels=indices logits=x",
    "nn.top_k": "x length",
    "one_hot": "indices length scalar? scalar? axis=axis? dtype=dtype?",
    "ones": "dims dtype?",
    "pad": "x paddings mode? constant_values=scalar?",
    "range": "number number? number?",
    "reshape": "x dims",
    "reverse": "x axes",
    "slice": "x vector vector",
    "split": "x sizes axis?",
    "squeeze": "x axes?",
    "stack": "several axis?",
    "strided_slice": "x vector vector vector?",
    "tile": "x vector",
    "transpose": "x order?",
    "unstack": "x axis=axis?",
    "where": "mask like like",
    "zeros": "dims dtype?",
}
# What a second call takes, if it isn't an x that any function takes first.
AFTER = [name for name, kinds in CALLS.items() if kinds.split()[0] == "x"]

FLOATS = [0.0, 1.0, -1.0, 2.0, 0.5, -1.5, 2.5, 3.0, -0.25, 7.0]
ODD_FLOATS = [*FLOATS, -0.0, np.nan, np.inf, -np.inf, 1e10, -3e10, 1e-10, 3e38, 1e-30]
WHOLE = [0, 1, 2, 3, -1, -2, 5, -7, 100]
ODD_WHOLE = [*WHOLE, 2**31 - 1, -(2**31), 2**31 - 3]
LARGE = [*ODD_WHOLE, 2**62 + 1, 2**63 - 1, -(2**63), 2**53 + 1]
TEXTS = [b"", b"a", b"ab", b"1", b"\xff"]
SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (1, 3), (2, 1), (2, 2), (0,), (0, 3), (2, 0), (1, 2, 3), (2, 3, 2)]
DTYPES = ["float32"] * 8 + ["float64"] * 3 + ["int32"] * 4 + ["int64"] * 3 + ["bool", "object"]


class Given(NamedTuple):
    """An input, and how a program gives it: as a constant, an array, a list, or a placeholder that is fed."""

    value: Any
    how: str
    static: tuple | None = None

    def build(self, tf, feeds):
        """The argument for one of the libraries."""
        if self.how == "constant":
            return tf.constant(self.value)
        if self.how == "placeholder":
            made = tf.placeholder(tf.as_dtype(self.value.dtype), self.static)
            feeds[made] = self.value
            return made
        return self.value.tolist() if self.how == "list" else self.value


class Named(NamedTuple):
    """Something that each library has under a name, such as `tf.float32` or, with a value, `tf.Dimension(3)`."""

    name: str
    argument: Any = None


class Call(NamedTuple):
    """A call of `tf.<name>`."""

    name: str
    arguments: list
    named: dict


class Case(NamedTuple):
    """Calls, each but the first on a result of the one before, and whether gradients of the last are asked for."""

    calls: list[Call]
    gradients: bool


class Drawing:
    """Draws cases; the methods without an underscore are the kinds of arguments."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._odd = False
        self._first, self._rank_of_indices = np.float32(0), 0

    def case(self):
        """A case of one or two calls."""
        self._odd = self._chance(35)
        name = self._one_of(list(CALLS))
        calls = [self._call(name, CALLS[name].split())]
        if self._chance(30):
            name = self._one_of(AFTER)
            calls.append(self._call(name, CALLS[name].split()[1:]))
        return Case(calls, self._chance(40))

    def _call(self, name, kinds):
        call = Call(name, [], {})
        for kind in kinds:
            by_name, _, kind = kind.rpartition("=")
            if kind.endswith("?") and self._chance(50):
                if by_name:
                    continue
                break
            drawn = getattr(self, kind.rstrip("?"))()
            if by_name:
                call.named[by_name] = drawn
            else:
                call.arguments.append(drawn)
        return call

    def _chance(self, percent):
        return self._random.random() * 100 < percent

    def _one_of(self, values):
        return self._random.choice(values)

    def _array(self, shape, dtype):
        pools = {"bool": [True, False], "object": TEXTS, "int32": ODD_WHOLE if self._odd else WHOLE}
        pools["int64"] = LARGE if self._odd else WHOLE
        pool = pools.get(dtype, ODD_FLOATS if self._odd else FLOATS)
        numbers = [self._one_of(pool) for _ in range(int(np.prod(shape)))]
        return np.array(numbers, dtype).reshape(shape)

    def _given(self, value):
        how = self._one_of(["constant", "array", "list", "placeholder", "placeholder"])
        if how != "placeholder":
            return Given(value, how)
        static = self._one_of([value.shape, None, tuple(None if self._chance(50) else d for d in value.shape)])
        return Given(value, how, static)

    def x(self):
        """A tensor of any dtype and shape."""
        self._first = self._array(self._one_of(SHAPES), self._one_of(DTYPES))
        return self._given(self._first)

    def same(self):
        """A tensor like the first."""
        return self._given(self._array(np.shape(self._first), self._first.dtype.name))

    def like(self):
        """A tensor that goes with the first, rarely one that doesn't."""
        dtype = self._first.dtype.name if self._chance(93) else self._one_of(DTYPES)
        shape = np.shape(self._first)
        if self._chance(40):
            shape = self._one_of([(), (1,), shape[-1:], (1,) * len(shape), (2, *shape)])
        return self._given(self._array(shape if self._chance(90) else self._one_of(SHAPES), dtype))

    def other(self):
        """A matrix that the first may be multiplied by."""
        shape = np.shape(self._first)
        shape = self._one_of([shape[::-1], shape, (*shape[:-2], *shape[:-3:-1])])
        return self._given(self._array(shape, self._first.dtype.name))

    def several(self):
        """A list of tensors."""
        first = self.x()
        return [first, *[self.same() if self._chance(80) else self.like() for _ in range(self._random.randrange(3))]]

    def raw(self):
        """A Python or NumPy value."""
        return self.x()._replace(how=self._one_of(["array", "list"]))

    def scalar(self):
        """A number that mostly has the dtype of the first."""
        dtype = self._first.dtype.name if self._chance(85) else self._one_of(DTYPES)
        return self._given(self._array((), dtype) if self._chance(93) else self._array((2,), dtype))

    def number(self):
        """A Python or NumPy number."""
        number = self._one_of([0, 1, 2, 3, -1, 5, 0.5, 7.5])
        return self._one_of([number, number, np.asarray(number)[()], Given(np.asarray(number), "placeholder", ())])

    def _whole(self, number):
        """A number in one of the forms that a program may give it, rarely in one that it may not."""
        forms = [number, number, np.int64(number), np.int32(number), np.array(number)]
        forms += [Given(np.array(number, np.int32), "constant"), Given(np.array(number), "placeholder", ())]
        wrong = [float(number), [number], [[number]], str(number), number + 0.5, None, True, Named("Dimension", 1)]
        return self._one_of(forms) if self._chance(90) else self._one_of(wrong)

    def axis(self):
        """An axis of the first, rarely one that it doesn't have."""
        rank = np.ndim(self._first)
        return self._whole(self._random.randrange(-rank, rank or 1) if self._chance(85) else self._one_of([3, -4, 1]))

    def axes(self):
        """One axis or several."""
        if self._chance(50):
            return self._one_of([self.axis(), None])
        rank = np.ndim(self._first)
        found = self._random.sample(range(rank), self._random.randrange(rank + 1)) if self._chance(85) else [0, 0]
        return self._vector(found)

    def order(self):
        """All axes in some order, rarely not all."""
        rank = np.ndim(self._first)
        found = self._random.sample(range(rank), rank) if self._chance(85) else [0, -1][:rank]
        return self._vector(found, False)

    def _vector(self, numbers, may_nest=True):
        """Whole numbers in one of the forms that a program may give them."""
        numbers = list(numbers)
        array = np.array(numbers, self._one_of(["int32", "int64"]))
        forms = [list(numbers), tuple(numbers), array, list(array), Given(array, "constant")]
        forms += [Given(array, "placeholder", self._one_of([array.shape, (None,), None]))]
        wrong = [[float(n) for n in numbers], array.astype("float32"), [*numbers, 1], numbers[1:]]
        wrong += [[numbers]] * may_nest
        return self._one_of(forms) if self._chance(93) else self._one_of(wrong)

    def dims(self):
        """A shape; mostly one with as many elements as the first."""
        shape = list(np.shape(self._first))
        self._random.shuffle(shape)
        choices = [shape, shape, [*shape, 1], [-1], [2, *shape], [1, -1], []]
        return self._vector(
            self._one_of(choices) if self._chance(85) else list(self._one_of([*SHAPES, (-2,), (-1, -1)]))
        )

    def lengths(self):
        """A shape in which nothing is left open (with -1, TensorFlow may abort)."""
        return self._vector([1, 2, *np.shape(self._first)] if self._chance(60) else self._one_of(SHAPES), False)

    def vector(self):
        """A number for each axis of the first."""
        return self._vector([self._one_of([0, 1, 2, 1, -1]) for _ in np.shape(self._first)])

    def sizes(self):
        """A number of pieces, or their sizes."""
        return (
            self._one_of([1, 2, 3, np.int64(2), np.array(1)])
            if self._chance(60)
            else self._vector(self._one_of([[1, 1], [1, -1], [2, 1], [3], [0, 2]]), False)
        )

    def paddings(self):
        """Two numbers for each axis of the first."""
        pairs = np.array([[self._one_of([0, 1, 2]) for _ in "ab"] for _ in np.shape(self._first)], np.int32)
        pairs = pairs.reshape(-1, 2) if self._chance(95) else pairs - 1
        return self._given(pairs)

    def indices(self):
        """Indices into the first (or into what comes next), rarely outside."""
        length = (*np.shape(self._first), 2)[0] or 1
        shape = self._one_of([np.shape(self._first)[:-1], (), (2,), (1,), (2, 1), (0,)])
        numbers = [self._random.randrange(length) if self._chance(95) else self._one_of([-1, 9]) for _ in range(99)]
        dtype = self._one_of(
            ["int32", "int64", "int32", "int64", "int32", "float32"] if self._chance(20) else ["int32"]
        )
        return self._given(np.array(numbers[: int(np.prod(shape))], dtype).reshape(shape))

    def batch(self):
        """No batch axes, or one (more than the indices have would make TensorFlow abort)."""
        most = min(1, self._rank_of_indices, np.ndim(self._first) - 1)
        return self._one_of([0, np.int64(0), np.array(0), max(most, 0), Named("Dimension", 0), "0"])

    def mask(self):
        """Truth values in the shape of the first, or of its first axes."""
        shape = np.shape(self._first)
        shape = shape if self._chance(75) else self._one_of([shape[:1], (), (3,)])
        return self._given(self._array(shape, "bool" if self._chance(96) else "int32"))

    def length(self):
        """A small number."""
        return self._whole(self._one_of([1, 2, 3, 1, 2, 0, 4]) if self._chance(95) else -1)

    def flag(self):
        """A truth value."""
        return self._one_of([True, False, np.bool_(True), 1, np.int64(0), None])

    def dtype(self):
        """A dtype by one of its names."""
        name = self._one_of(["float32", "float64", "int32", "int64", "bool", "string", "int8", "uint8", "float16"])
        return self._one_of([Named(name), Named(name), name, np.dtype(name if name != "string" else object)])

    def mode(self):
        """A way to pad."""
        return self._one_of(["CONSTANT", "REFLECT", "SYMMETRIC", "reflect", "odd"])


# What a library does with a case.


class Seen(NamedTuple):
    """What a library did: an error that building (0) or running (1) raised, or static facts and values."""

    error: Exception | None = None
    stage: int = 0
    static: tuple = ()
    values: tuple = ()


def resolve(tf, name):
    """What `tf.<name>` is."""
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


def build(tf, value, feeds):
    """An argument for one of the libraries."""
    if isinstance(value, Given):
        return value.build(tf, feeds)
    if isinstance(value, Named):
        found = resolve(tf, value.name)
        return found if value.argument is None else found(value.argument)
    if isinstance(value, list):
        return [build(tf, item, feeds) for item in value]
    return value


def tensors_in(tf, result):
    """The tensors of a result: it may be one, several, or IndexedSlices."""
    if isinstance(result, tf.IndexedSlices):
        return tensors_in(tf, [result.values, result.indices])
    if isinstance(result, list | tuple):
        return [t for item in result for t in tensors_in(tf, item)]
    return [] if result is None else [result]


def watch(tf, case):
    """Build and run a case."""
    with tf.Graph().as_default():
        feeds, before, taken = {}, [], []
        try:
            for call in case.calls:
                arguments = before[:1] + [build(tf, argument, feeds) for argument in call.arguments]
                named = {name: build(tf, argument, feeds) for name, argument in call.named.items()}
                given = [*arguments[len(before[:1]) :], *named.values()]
                taken += [t for t in given if isinstance(t, tf.Tensor)]
                before = tensors_in(tf, resolve(tf, call.name)(*arguments, **named))
            shown = list(before)
            if case.gradients and before and taken:
                shown += tensors_in(
                    tf,
                    [
                        tf.convert_to_tensor(g) if g is not None else tf.constant(b"none")
                        for g in tf.gradients(before[0], taken)
                    ],
                )
        except Exception as error:
            return Seen(error)
        static = tuple((t.dtype.base_dtype.name, str(t.shape)) for t in shown)
        try:
            with tf.Session() as session:
                return Seen(static=static, values=tuple(session.run(shown, feeds)))
        except Exception as error:
            return Seen(error, 1, static)


def difference(case, seen, wanted):
    """How minitf's answer differs from TensorFlow's, in a few words; "" if it doesn't."""
    if (seen.error is None) != (wanted.error is None) or seen.stage != wanted.stage:
        return f"{_told(seen)} instead of {_told(wanted)}"
    if seen.static != wanted.static:
        return f"static {seen.static} instead of {wanted.static}"
    if wanted.error is not None:
        if type(seen.error).__name__ != type(wanted.error).__name__:
            return f"{_told(seen)} instead of {_told(wanted)}"
        return "" if _agree(str(seen.error), str(wanted.error)) else f"words: {_told(seen)} instead of {_told(wanted)}"
    for a, b in zip(seen.values, wanted.values, strict=True):
        if not _same(a, b, any(call.name.startswith("losses.") for call in case.calls)):
            return f"value {a!r} instead of {b!r}"
    return ""


def _told(seen):
    if seen.error is None:
        return f"values {seen.values!r}"
    stage = ("building", "running")[seen.stage]
    return f"{type(seen.error).__name__} on {stage} ({core(str(seen.error))!r:.300})"


def _agree(message, wanted):
    pieces, start = core(wanted), 0
    for piece in [pieces] if isinstance(pieces, str) else pieces:
        start = message.find(piece, start)
        if start < 0:
            return False
        start += len(piece)
    return True


def _same(a, b, single):
    """Whether two values are equal up to rounding; losses are computed in single precision."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind != "f":
        return a.tolist() == b.tolist()
    tiny, tolerance = np.finfo(a.dtype).tiny, {"float64": 1e-11, "float32": 1e-5}.get(a.dtype.name, 5e-3)
    tolerance = max(tolerance, 1e-5) if single else tolerance
    a, b = (np.where(np.abs(v) < tiny, 0, v) for v in (a, b))
    return np.allclose(a, b, tolerance, tolerance, equal_nan=True)


# The case as a program, to be run by hand.


def program(case):
    """The text of a program that does what the case does."""
    lines = ["import minitf as tf  # or tensorflow.compat.v1, and tf.disable_v2_behavior()", "import numpy as np"]
    lines, feeds, taken, result = [*lines, "from numpy import inf, nan"], [], [], None
    for i, call in enumerate(case.calls):
        first = [] if result is None else [f"tf.convert_to_tensor({result})" if 0 else result]
        arguments = first + [_text(a, lines, feeds, taken) for a in call.arguments]
        arguments += [f"{name}={_text(a, lines, feeds, taken)}" for name, a in call.named.items()]
        result = f"y{i}"
        lines.append(f"{result} = tf.{call.name}({', '.join(arguments)})")
    lines.append(f"print({result})")
    fed = ", ".join(feeds)
    if case.gradients:
        lines.append(f"d = tf.gradients({result}, [{', '.join(taken)}])")
    lines.append(f"print(tf.Session().run({result}, {{{fed}}}))")
    if case.gradients:
        lines.append(f"print(d, tf.Session().run([g for g in d if g is not None], {{{fed}}}))")
    return "\n".join(lines)


def _text(value, lines, feeds, taken):
    if isinstance(value, list):
        return f"[{', '.join(_text(item, lines, feeds, taken) for item in value)}]"
    if isinstance(value, Named):
        return f"tf.{value.name}" + (f"({value.argument})" if value.argument is not None else "")
    if isinstance(value, np.ndarray):
        value = Given(value, "array")
    if not isinstance(value, Given):
        return f"np.dtype({value.name!r})" if isinstance(value, np.dtype) else repr(value)
    array = f"np.array({value.value.tolist()!r}, {value.value.dtype.name!r})"
    array = array if value.value.size else f"np.zeros({value.value.shape}, {value.value.dtype.name!r})"
    if value.how in ("list", "array"):
        return repr(value.value.tolist()) if value.how == "list" else array
    name = f"x{len(taken)}"
    taken.append(name)
    if value.how == "constant":
        lines.append(f"{name} = tf.constant({array})")
    else:
        lines.append(f"{name} = tf.placeholder(tf.as_dtype({value.value.dtype.name!r}), {value.static})")
        feeds.append(f"{name}: {array}")
    return name


# Differences that remain, and why.


def _says(*texts):
    """Whether TensorFlow's error has one of these texts."""
    return lambda case, seen, wanted: wanted.error is not None and any(t in str(wanted.error) for t in texts)


def _calls(*names):
    """Whether the case calls one of these functions."""
    return lambda case, seen, wanted: any(call.name in names for call in case.calls)


def _both(*tests):
    return lambda *args: all(test(*args) for test in tests)


def _both_refuse(case, seen, wanted):
    return seen.error is not None and wanted.error is not None


def _same_error(case, seen, wanted):
    return _both_refuse(case, seen, wanted) and (seen.stage, type(seen.error).__name__) == (
        wanted.stage,
        type(wanted.error).__name__,
    )


def _several_faults(case, seen, wanted):
    """Whether both refuse, but with other errors or in another stage."""
    return _both_refuse(case, seen, wanted) and not _same_error(case, seen, wanted)


def _tensorflow_stops(case, seen, wanted):
    return type(wanted.error).__name__ in ("AttributeError", "IndexError", "AssertionError")


def _lengths(text):
    return None if text == "<unknown>" else text.strip("()").rstrip(",").split(", ")


def _compatible(one, other):
    if one[0] != other[0] or None in (pair := (_lengths(one[1]), _lengths(other[1]))):
        return one[0] == other[0]
    return len(pair[0]) == len(pair[1]) and all(a == b or "?" in (a, b) for a, b in zip(*pair, strict=True))


def _knows_less(case, seen, wanted):
    pairs = zip(seen.static, wanted.static, strict=len(seen.static) == len(wanted.static))
    return bool(seen.static) and seen.static != wanted.static and all(_compatible(*pair) for pair in pairs)


def _says_nothing(case, seen, wanted):
    return wanted.error is None and seen.error is not None


def _refused(case, seen, wanted):
    return wanted.error is not None and seen.error is None


def _of_nothing(case, seen, wanted):
    return _says_nothing(case, seen, wanted) and any(np.size(v) == 0 for v in wanted.values)


def _bytes_as_numbers(case, seen, wanted):
    given = [a for call in case.calls for a in (*call.arguments, *call.named.values()) if isinstance(a, Given)]
    return any(a.value.dtype == object for a in given) and seen.error is not None and seen.stage == 0


def _none_for_k(case, seen, wanted):
    return any(a[0] == "string" and b[0] == "int32" for a, b in zip(seen.static, wanted.static, strict=False))


def _strange(value):
    return value.dtype.kind == "f" and bool(np.any(~np.isfinite(value) | (np.abs(value) > 1e9)))


def _strange_numbers(case, seen, wanted):
    """Whether both have values, and there are infinities, NaN or huge numbers among them."""
    return any(_strange(np.asarray(v)) for v in (*seen.values, *wanted.values))


_LOSSES = ("nn.softmax", "nn.log_softmax", "nn.softmax_cross_entropy_with_logits_v2", "losses.softmax_cross_entropy")
_OWN_GRAPH = ("/range", "linspace", "Received weights=", "assertion failed", "DynamicStitch", "concat_dim")
# The first class that fits counts: its name, when it fits, and the reason.
CLASSES = [
    ("static shape", _knows_less, "one of the two leaves a length open that the run finds to be the same"),
    ("TensorFlow stops", _tensorflow_stops, "its Python code stops by accident, for example at a list without a dtype"),
    ("accident", _says("'NoneType'", "instances of", "__index__", "not in list"), "Python's own words, by accident"),
    ("axis of a loss", _calls(*_LOSSES), "TensorFlow computes with an odd axis and so refuses, or takes, it elsewhere"),
    ("own graph", _says(*_OWN_GRAPH), "the message shows ops that TensorFlow builds inside and minitf doesn't need"),
    ("lists of dtypes", _says("Expected one of"), "the list has dtypes that minitf lacks"),
    ("order of inputs", _both(_same_error, _calls("split")), "TensorFlow's Split has its axis first"),
    (
        "advice",
        _both(_same_error, _says("In general every operation")),
        "only TensorFlow's message goes on with advice",
    ),
    (
        "conversion",
        _both(_same_error, _says("Too many elements", "binary or unicode", "Expected string", "'Pack'")),
        "a message about a Python value, in other words",
    ),
    (
        "rearranged",
        _both(_same_error, _says("Incompatible shapes")),
        "TensorFlow's optimizer swaps the inputs of some ops",
    ),
    ("pow", _calls("pow"), "TensorFlow's optimizer makes a sqrt of pow(x, [0.5]) and forgets the shape [1]"),
    ("log_loss", _calls("losses.log_loss"), "TensorFlow's optimizer adds the constants in 1 - p + 1e-7 first"),
    ("merging", _both(_same_error, _calls("add_n", "stack")), "of several shapes, TensorFlow compares others first"),
    (
        "rows",
        _both(_same_error, _calls("nn.sparse_softmax_cross_entropy_with_logits")),
        "TensorFlow makes a matrix first",
    ),
    (
        "one number",
        _both(_refused, _says("Updates shape")),
        "TensorFlow has no gradient of gather_nd for a single number",
    ),
    ("gradient first", _says("segment_ids["), "of two ops that fail, TensorFlow may run the gradient's first"),
    ("targets", _both(_both_refuse, _calls("nn.in_top_k")), "TensorFlow makes whole numbers of NumPy's floats first"),
    ("mask", _both(_both_refuse, _calls("boolean_mask")), "TensorFlow flattens the masked axes before it gathers"),
    ("conj", _both(_same_error, _says("numeric or variant")), "TensorFlow conjugates what it transposes first"),
    ("scalar", _both(_same_error, _says("slice scalar")), "of two faults, TensorFlow reports another one first"),
    ("bytes as numbers", _bytes_as_numbers, "TensorFlow reads b'1' in a NumPy array as a number where one is wanted"),
    ("nothing", _of_nothing, "TensorFlow checks nothing where there is nothing to compute"),
    (
        "tables",
        _calls("nn.embedding_lookup"),
        "a negative id is refused only by TensorFlow if there are several tables",
    ),
    ("k", _both(_none_for_k, _calls("nn.top_k")), "TensorFlow's gradient of the whole number k is 0, not None"),
    ("branch", _both(_calls("where"), _says_nothing), "with a constant condition, TensorFlow drops the other branch"),
    ("eye", _both(_both_refuse, _calls("eye")), "of two faults, TensorFlow reports another one first"),
    ("several faults", _several_faults, "of two faults, TensorFlow reports another one first"),
    ("dtype of one_hot", _both(_same_error, _calls("one_hot")), "of two wrong dtypes, TensorFlow names another one"),
    ("linspace", _calls("linspace"), "TensorFlow 1's takes only scalars, minitf's too; 2.21's also takes vectors"),
    ("strange numbers", _strange_numbers, "NaN has no order in top_k, and huge numbers cancel otherwise"),
]


def class_of(case, seen, wanted):
    """The class of a difference, or None."""
    return next((name for name, fits, _ in CLASSES if fits(case, seen, wanted)), None)


def differences(tf, other, seed, graphs):
    """Yield (seed of the case, case, words, class) of each of the cases in which minitf differs."""
    for number in range(graphs):
        case = Drawing(f"{seed}/{number}").case()
        wanted, seen = watch(other, case), watch(tf, case)
        words = difference(case, seen, wanted)
        if words:
            yield number, case, words, class_of(case, seen, wanted)


def main(arguments=None):
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=int, default=GRAPHS)
    chosen = parser.parse_args(arguments)
    import minitf
    from tests.conformance.record import import_tensorflow

    counts = Counter()
    for number, case, words, known in differences(minitf, import_tensorflow(), chosen.seed, chosen.graphs):
        counts[known] += 1
        if known is None:
            print(f"# {chosen.seed}/{number}: {words}\n{program(case)}\n", flush=True)
    print(dict(counts))
    return int(None in counts)


if __name__ == "__main__":
    sys.exit(main())
