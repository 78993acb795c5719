"""Random calls with odd arguments, as data: how to draw them.

`CALLS` says how to draw the arguments of each function that minitf shares with TensorFlow; fuzz.py makes the calls.
"""

import random
from typing import Any, NamedTuple

import numpy as np

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
