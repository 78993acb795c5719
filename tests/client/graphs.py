"""Random graphs for properties of the compiler, aimed at what an optimizing compiler may get wrong.

A `Case` is a graph with several runs: fetches and feeds. It has variables updated several times, by
optimizers too, feeds of constants, shapes and intermediate results, shapes that only a run knows or that
are promised wrongly, views of variables, repeated work, gradients, conds and control dependencies. Nearly
all shapes go together by broadcasting, so that most runs succeed.
"""

from __future__ import annotations

import copy
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import minitf as tf
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor

SHAPES = [(), (1,), (3,), (2, 1), (1, 3), (2, 3)]
NUMBERS = [0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 1.0]


def _functions(module, names):
    return {name: getattr(module, name) for name in names.split()}


def _another(x):
    """Zeros where x is a number: what is random, but for what must be the same in each run."""
    drawn, dropped = tf.random_uniform(tf.shape(x)), tf.nn.dropout(x, 0.5)
    same = tf.equal(drawn, tf.random_uniform(tf.shape(x)))  # not one op, though they look alike
    once = drawn - tf.identity(drawn) + tf.cast(same, tf.float32)
    return tf.cast(once, x.dtype.base_dtype) + dropped * (dropped - x * 2.0)


# What can be made of one tensor and of two. Where an axis is needed, a scalar is refused or fails.
ONE_INPUT = {
    **_functions(tf, "negative abs square sin cos tanh sign floor identity stop_gradient exp sqrt log rsqrt"),
    **_functions(tf.nn, "relu sigmoid softplus elu softmax log_softmax l2_loss"),
    **_functions(tf, "transpose squeeze reduce_logsumexp"),
    "clip_by_value": lambda x: tf.clip_by_value(x, -1.0, 0.5),
    "clip_by_norm": lambda x: tf.clip_by_norm(x, 1.0),
    "clip_by_global_norm": lambda x: tf.clip_by_global_norm([x, x * 2.0], 1.0)[0][1],
    "cumsum": lambda x: tf.cumsum(x, -1, exclusive=True),
    "x[..., :1]": lambda x: x[..., :1],
    "x[newaxis, ::-1]": lambda x: x[tf.newaxis, ::-1],
    "slice": lambda x: tf.slice(x, tf.zeros_like(tf.shape(x)), tf.ones_like(tf.shape(x))),
    "reverse": lambda x: tf.reverse(x, [-1]),
    "expand and squeeze": lambda x: tf.squeeze(tf.sin(tf.expand_dims(x, 0)), [0]),
    "turned": lambda x: tf.transpose(tf.exp(tf.transpose(x))),
    "tile": lambda x: tf.reduce_mean(tf.tile(x, tf.fill([tf.rank(x)], 2)), 0, True),
    "pad": lambda x: tf.pad(x, _margins(x))[..., 1:-1],
    "concat": lambda x: tf.concat([x, -x], -1)[..., ::2],
    "stack": lambda x: tf.reduce_max(tf.stack([x, -x]), 0),
    "unstack": lambda x: tf.unstack(tf.stack([x, x * x], -1), axis=-1)[1],
    "split": lambda x: tf.subtract(*tf.split(tf.concat([x, x * x], 0), 2)),
    "split in sizes": lambda x: tf.split(tf.concat([x, -x], 0), [1, -1])[0],
    "gather": lambda x: tf.reduce_sum(tf.gather(x, [0, 0]), 0, True),
    "gather along -1": lambda x: tf.gather(x, [0], axis=-1),
    "gather_nd": lambda x: tf.gather_nd(x, [[0]]),
    "boolean_mask": lambda x: tf.reduce_sum(tf.boolean_mask(x, x > 0)),
    "random": _another,
}
_softmax = tf.nn.softmax_cross_entropy_with_logits_v2
_sparse = tf.nn.sparse_softmax_cross_entropy_with_logits
_sigmoid = tf.nn.sigmoid_cross_entropy_with_logits
TWO_INPUTS = {
    **_functions(tf, "divide minimum floormod pow maximum squared_difference div_no_nan subtract add multiply"),
    "softmax_cross_entropy": lambda x, y: _softmax(labels=y, logits=x),
    "sparse_softmax_cross_entropy": lambda x, y: _sparse(labels=tf.argmax(y, -1), logits=x),
    "sigmoid_cross_entropy": lambda x, y: _sigmoid(labels=y, logits=x),
    "mean_squared_error": tf.losses.mean_squared_error,
    "bias_add": tf.nn.bias_add,
    "add_n": lambda x, y: tf.add_n([x, y]),
    "larger": lambda x, y: tf.where(x > y, x, y),
    "joined": lambda x, y: tf.reduce_sum(tf.concat([x, y], -1), -1, True),
}
REDUCTIONS = {
    **_functions(tf, "reduce_prod reduce_max reduce_min reduce_mean reduce_sum"),
    "any": lambda x, axis, keep: _like(x, tf.reduce_any(x > 0.5, axis, keep)),
    "all": lambda x, axis, keep: _like(x, tf.reduce_all(x > 0.5, axis, keep)),
}


def _like(x, result):
    """The result in the dtype of x."""
    return tf.cast(result, x.dtype.base_dtype)


def _wide(x):
    """x with an axis more on both sides."""
    return tf.expand_dims(tf.expand_dims(x, 0), -1)


def _margins(x):
    """One element on either side of each axis."""
    return tf.ones([tf.rank(x), 2], tf.int32)


FLAGS = [(True, False), (False, True), (False, False)]
INTS = [tf.int32, tf.int64]
ENDS = [0, -1]
# The same op with different attributes: on the same inputs in one run, it's different work.
WITH_ATTRIBUTES = {
    **{name: (lambda x, keep, f=f: f(x, -1, keep), [True, False]) for name, f in REDUCTIONS.items()},
    "matmul": (lambda x, sides: tf.matmul(x, x, *sides), FLAGS),
    "matmul of matrices": (lambda x, sides: tf.matmul(x[tf.newaxis], x[tf.newaxis], *sides), FLAGS),
    "cumsum": (lambda x, how: tf.cumsum(x, -1, *how), FLAGS),
    "argmax": (lambda x, dtype: _like(x, tf.argmax(x, -1, output_type=dtype)), INTS),
    "shape": (lambda x, dtype: _like(x, tf.shape(x, out_type=dtype)), INTS),
    "cast": (lambda x, dtype: _like(x, tf.cast(x, dtype)), [*INTS, tf.bool]),
    "softmax": (tf.nn.softmax, ENDS),
    "log_softmax": (tf.nn.log_softmax, ENDS),
    "stack": (lambda x, axis: tf.stack([x, x * 2.0], axis), ENDS),
    "unstack": (lambda x, axis: tf.unstack(_wide(x), 1, axis)[0], ENDS),
    "squeeze": (lambda x, axes: tf.squeeze(_wide(x), axes), [None, [0], [-1]]),
    "one_hot": (lambda x, axis: _like(x, tf.one_hot(tf.argmax(x, -1), 3, axis=axis)), ENDS),
    "split": (lambda x, n: tf.split(tf.concat([x, x], -1), n, -1)[0], [2, 4]),
    "gather": (lambda x, n: tf.gather(x, tf.zeros_like(x, tf.int32), axis=1, batch_dims=n), [0, 1]),
    "part": (lambda x, part: x[part], [0, slice(1), slice(0, 1), (slice(1), ...), (0, tf.newaxis)]),
    "pad": (lambda x, mode: tf.pad(x, _margins(x), mode), ["SYMMETRIC", "REFLECT"]),
}
OPTIMIZERS = {
    "Adam": lambda rate: tf.train.AdamOptimizer(rate, epsilon=0.1),
    "RMSProp": lambda rate: tf.train.RMSPropOptimizer(rate, momentum=0.5, epsilon=0.1),
    "centered RMSProp": lambda rate: tf.train.RMSPropOptimizer(rate, centered=True, epsilon=1.0),
    "Adagrad": tf.train.AdagradOptimizer,
    "Momentum": lambda rate: tf.train.MomentumOptimizer(rate, 0.5),
    "Nesterov": lambda rate: tf.train.MomentumOptimizer(rate, 0.5, use_nesterov=True),
    "GradientDescent": tf.train.GradientDescentOptimizer,
}


@dataclass
class Run:
    """One call of `run`; `again` says how often the same call is made, with the same feeds."""

    fetches: list[Any]
    feeds: dict[Tensor, np.ndarray]
    again: int = 1


@dataclass
class Case:
    """A graph and what is run of it, in this order, in one session."""

    graph: Graph
    runs: list[Run]
    steps: list[str] = field(default_factory=list)

    def __repr__(self):
        lines = ["a graph made by", *(f"    {s}" for s in self.steps)]
        for run in self.runs:
            fed = {t.name: v.tolist() for t, v in run.feeds.items()}
            lines.append(f"run({[f.name for f in run.fetches]}, {fed}) x {run.again}")
        return "\n".join(lines)


@st.composite
def cases(draw, size=14, errors=True):
    """Random cases; without `errors`, a placeholder is never left out."""
    with tf.Graph().as_default() as graph:
        builder = _Builder(draw, graph)
        builder.begin()
        for _ in range(draw(st.integers(1, size))):
            builder.step()
        runs = [Run([tf.global_variables_initializer()], {})]
        if errors and builder.chance(5):
            runs = [Run([v.initializer], {}) for v in builder.variables[:1]]
        for _ in range(draw(st.integers(1, 3))):
            runs.append(builder.run(errors, runs))
        return Case(graph, runs, builder.steps)


class _Builder:
    def __init__(self, draw, graph):
        self.draw = draw
        self.graph = graph
        self.steps, self.depth = [], 0
        self.dtype = draw(st.sampled_from([tf.float64, tf.float64, tf.float32]))
        self.floats = []  # tensors and variables
        self.integers = []
        self.variables = []
        self.placeholders = []
        self.others = []  # ops, truth values
        self.made = []
        self.alike = []  # what differs in the attributes alone

    def pick(self, values):
        """One of the values; rather a late one."""
        index = self.draw(st.integers(0, len(values) - 1))
        return values[-1 - index]

    def tensor(self):
        """A tensor or variable; often one of the last, so that more is made of the same."""
        return self.pick(self.floats[-3:] if self.draw(st.booleans()) else self.floats)

    def chance(self, percent):
        """Whether something rare happens."""
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def array(self, shape):
        """Small numbers, often zeros and ones, which are exact in float32."""
        dtype = self.dtype.as_numpy_dtype
        if self.chance(40):
            return np.full(shape, self.pick([1.0, 0.0, 2.0]), dtype)
        count = int(np.prod(shape))
        numbers = self.draw(st.lists(st.sampled_from(NUMBERS), min_size=count, max_size=count))
        return np.array(numbers, dtype).reshape(shape)

    # Building.

    def begin(self):
        """At least one of each source."""
        self.do(self.placeholder)
        self.do(self.variable)
        self.do(self.constant)

    def step(self):
        """Make something."""
        makers = [
            self.unary,
            self.binary,
            self.binary,
            self.reduction,
            self.update,
            self.update,
            self.shaped,
            self.again,
            self.again,
            self.same,
            self.matmul,
            self.gradient,
            self.placeholder,
            self.constant,
            self.variable,
            self.promise,
            self.whole,
            self.minimize,
            self.compare,
            self.gather,
            self.read,
            self.cond,
            self.rows,
            self.average,
            self.check,
            self.unary,
            self.minimize,
            self.update_rows,
            self.with_attributes,
            self.with_attributes,
        ]
        maker = self.pick(makers)
        # Ops in the scope of a call, which has an op of that name, may be written as one statement.
        scope = "Placeholder/" if self.chance(50) else ""
        with self.graph.name_scope(scope):
            self.step_with(maker)

    def step_with(self, maker):
        """One step, sometimes inside a control dependency."""
        if self.chance(35):
            before = [self.pick(self.floats + self.others)]
            if self.chance(20):
                before.append(self.tensor())
            self.steps.append(f"# after {[b.name for b in before]}:")
            with tf.control_dependencies(before):
                self.do(maker)
        else:
            self.do(maker)

    def do(self, maker):
        """One step; a graph that TensorFlow refuses to build is simply not built."""
        try:
            maker()
        except (ValueError, TypeError) as error:
            self.steps.append(f"# refused: {str(error)[:80]}")

    def keep(self, text, result):
        """Note what was made."""
        for tensor in result if isinstance(result, list) else [result]:
            self.steps.append(f"{tensor.name} = {text}")
            if isinstance(tensor, Operation):
                self.others.append(tensor)
            elif tensor.dtype.base_dtype is self.dtype:
                self.floats.append(tensor)
            elif tensor.dtype.base_dtype.is_integer:
                self.integers.append(tensor)
            else:
                self.others.append(tensor)
        return result

    def make(self, text, function, *inputs):
        """Call `function` on the inputs, now and perhaps again later."""
        self.keep(f"{text}({', '.join(map(_shown, inputs))})", function(*inputs))
        self.made.append((text, function, inputs))

    def static(self, shape):
        """A static shape that allows `shape`, more or less open."""
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            return None
        if kind == 1 and self.placeholders:
            return self.pick(self.placeholders).shape
        if kind <= 3:
            return [None if self.chance(60) else d for d in shape]
        return list(shape)

    def placeholder(self):
        shape = self.static(self.pick(SHAPES))
        if self.floats and self.chance(20):
            x = self.tensor()
            self.keep(f"default({x.name}, {shape})", tf.placeholder_with_default(x, shape))
            return
        made = self.keep(f"placeholder({shape})", tf.placeholder(self.dtype, shape))
        self.placeholders.append(made)

    def constant(self):
        value = self.array(self.pick(SHAPES))
        self.keep(f"constant({value.tolist()})", tf.constant(value))

    def variable(self):
        value = self.array(self.pick(SHAPES))
        open_shape = self.chance(15)
        made = tf.Variable(value, validate_shape=not open_shape, trainable=True)
        self.variables.append(self.keep(f"Variable({value.tolist()}, open={open_shape})", made))

    def read(self):
        v = self.pick(self.variables)
        self.keep(f"{v.name}.read_value()", v.read_value())
        if self.chance(10):
            self.keep(f"{v.name}.initialized_value()", v.initialized_value())
            self.keep(f"is_initialized({v.name})", tf.is_variable_initialized(v))

    def unary(self):
        name = self.pick(list(ONE_INPUT))
        self.make(name, lambda x: ONE_INPUT[name](tf.convert_to_tensor(x)), self.tensor())

    def binary(self):
        name = self.pick([*TWO_INPUTS][::-1])
        x, y = self.tensor(), self.tensor()
        if self.chance(25):
            y = self.pick([1.0, 2.0, 0.0])
        elif self.chance(15):
            x = tf.constant(self.pick([1.0, 2.0, -1.0]), self.dtype)
        if name == "pow":
            y = self.pick([1.0, 2.0])
        self.make(name, TWO_INPUTS[name], x, y)

    def with_attributes(self):
        """The same op on the same input, with other attributes each time."""
        name, x = self.pick(list(WITH_ATTRIBUTES)), tf.convert_to_tensor(self.tensor())
        function, attributes = WITH_ATTRIBUTES[name]
        before = len(self.floats)
        for attribute in attributes:
            self.do(functools.partial(self.make, name, function, x, attribute))
        self.alike.append(self.floats[before:])

    def compare(self):
        name = self.pick(["greater", "less_equal", "equal"])
        self.make(name, getattr(tf, name), self.tensor(), self.tensor())

    def reduction(self):
        name = self.pick(list(REDUCTIONS))
        axis = self.pick([[-1, 0], -1, [], [0], 0, None])
        if self.chance(15) and self.integers:
            axis = self.pick(self.integers)
        self.make(name, REDUCTIONS[name], self.tensor(), axis, self.draw(st.booleans()))

    def shaped(self):
        x, y = self.tensor(), self.tensor()
        kind = self.pick(["reshape", "broadcast_to", "fill_like", "reshape_like", "ones_like", "zeros_like"])
        if kind in ("reshape", "broadcast_to"):
            dims = [*SHAPES, (-1,), (1, -1)] if kind == "reshape" else SHAPES
            wanted = tf.constant(np.array(self.pick(dims), np.int32))
            if self.chance(30) and self.integers:
                wanted = self.pick(self.integers)
            self.integers.append(wanted)
            self.make(kind, getattr(tf, kind), x, wanted)
        elif kind == "reshape_like":
            self.make(kind, lambda a, b: tf.reshape(a, tf.shape(b)), x, y)
        elif kind == "fill_like":
            self.make(kind, lambda a, b: tf.fill(tf.shape(b), tf.reduce_sum(a)), x, y)
        else:
            self.make(kind, getattr(tf, kind), x)

    def whole(self):
        kind = self.pick(["shape", "size", "rank", "cast", "back", "shape"])
        if kind == "cast":
            self.make(kind, tf.cast, self.tensor(), tf.int32)
        elif kind == "back" and self.integers:
            self.make(kind, tf.cast, self.pick(self.integers), self.dtype)
        elif kind != "back":
            self.make(kind, getattr(tf, kind), self.tensor())

    def same(self):
        x = self.tensor()
        count = self.pick([3, 1, 0, 0])
        if count:
            self.make("add_n", lambda a: tf.add_n([a] * count), x)
        else:
            self.make("identity", tf.identity, x)

    def again(self):
        """The same work once more, which may or may not be shared."""
        if self.made:
            text, function, inputs = self.pick(self.made)
            self.make(text, function, *inputs)

    def matmul(self):
        a, b = self.tensor(), self.tensor()
        self.make("matmul", tf.matmul, a, b, *self.pick([(True, True), *FLAGS]))

    def gather(self):
        """group or tuple."""
        if self.chance(50):
            both = [self.tensor(), self.pick(self.floats + self.others)]
            self.keep(f"group({[b.name for b in both]})", tf.group(*both))
        else:
            both = [self.tensor(), self.tensor()]
            self.keep(f"tuple({[b.name for b in both]})", tf.tuple(both))

    def promise(self):
        """A promise about a shape that may be a lie."""
        y = tf.identity(self.tensor())
        self.keep("identity", y)
        shape = self.pick(SHAPES)
        y.set_shape(shape)
        self.steps.append(f"{y.name}.set_shape({shape})")

    def gradient(self):
        y = self.tensor()
        xs = [self.pick(self.placeholders + self.variables), self.tensor()]
        stops = [xs[0]] if self.chance(15) else []
        weight = tf.zeros_like(y) + self.pick([2.0, 0.0, 1.0]) if self.chance(30) else None
        text = f"gradients({y.name}, {[x.name for x in xs]}, {_shown(weight)}, stop={bool(stops)})"
        gradients = tf.gradients(y, xs, weight, stop_gradients=stops)
        self.keep(text, [tf.convert_to_tensor(g) for g in gradients if g is not None])

    def update(self):
        v = self.pick(self.variables)
        value = self.tensor()
        target = v
        updated = [f for f in self.floats if isinstance(f, Tensor) and f.dtype is v.dtype]
        if updated and self.chance(15):
            target = self.pick(updated)
        kind = self.pick(["assign any", "assign", "assign_sub", "assign_add", "assign_add"])
        function = getattr(tf, kind, functools.partial(tf.assign, validate_shape=False))
        if kind != "assign any" and self.chance(50) and v.shape.is_fully_defined():
            value = tf.zeros(v.shape.as_list(), self.dtype) + value
        self.keep(f"{kind}({target.name}, {value.name})", function(target, value))

    def minimize(self):
        loss = self.tensor()
        rate = self.pick([0.5, 1.0, 0.25])
        step = tf.train.get_or_create_global_step() if self.chance(50) else None
        if step is not None and self.chance(30):
            rate = tf.train.exponential_decay(rate, step, 2, 0.5)
        name = self.pick(list(OPTIMIZERS))
        self.keep(f"{name}({_shown(rate)}).minimize({loss.name}, {step})", OPTIMIZERS[name](rate).minimize(loss, step))

    def rows(self):
        """Some rows of a variable, whose gradient is IndexedSlices, and perhaps a step that changes only these."""
        v = self.pick(self.variables)
        indices = self.pick([[0, 0], [0], [1, 0, 1]])
        found = tf.gather(v, indices)
        self.keep(f"gather({v.name}, {indices})", found)
        if self.chance(60):
            name = self.pick(list(OPTIMIZERS))
            step = OPTIMIZERS[name](0.5).minimize(tf.reduce_sum(found * found), var_list=[v])
            self.keep(f"{name}(0.5).minimize(sum({found.name} ** 2))", step)

    def update_rows(self):
        v, number = self.pick(self.variables), tf.reduce_sum(self.tensor())
        name = self.pick(["scatter_sub", "scatter_add", "scatter_update", "part"])
        if name == "part":
            self.keep(f"{v.name}[..., :1].assign({number.name})", v[..., :1].assign(number))
        else:
            indices = [0] if name == "scatter_update" else self.pick([[0, 0], [1, 0], [0]])
            self.keep(f"{name}({v.name}, {indices}, {number.name})", getattr(tf, name)(v, indices, number))

    def average(self):
        """A moving average of a variable."""
        v = self.pick(self.variables)
        averages = tf.train.ExponentialMovingAverage(0.5, self.pick([3, None]))
        self.keep(f"averages.apply({v.name})", averages.apply([v]))
        self.keep(f"average({v.name})", averages.average(v))

    def check(self):
        """A value that is only there if something holds."""
        x, y = self.tensor(), self.tensor()
        with tf.control_dependencies([tf.Assert(tf.reduce_all(tf.abs(x) < 5.0), [x])]):
            self.keep(f"{y.name} if {x.name} is small", tf.identity(y))

    def cond(self):
        """A cond of a few steps in each branch, of which nothing but the result may be used outside."""
        predicate = tf.reduce_sum(self.tensor()) > self.pick([0.0, 1.0])
        self.steps.append(f"# cond by {predicate.name}:")
        self.keep("cond", tf.cond(predicate, self.inside().branch, self.inside().branch))

    def inside(self):
        """A builder that adds to the same graph, and remembers for itself what it made."""
        builder = copy.copy(self)
        for name in ("floats", "integers", "variables", "others", "made"):
            setattr(builder, name, list(getattr(self, name)))
        builder.depth += 1
        return builder

    def branch(self):
        makers = [
            self.unary,
            self.binary,
            self.update,
            self.shaped,
            self.same,
            self.gradient,
            self.read,
            self.minimize,
            self.update,
            self.reduction,
            self.again,
            self.binary,
            self.rows,
            self.check,
            self.update_rows,
        ]
        for _ in range(self.draw(st.integers(1, 3))):
            if self.depth < 2 and self.chance(10):
                self.do(self.cond)
            else:
                self.step_with(self.pick(makers))
        return self.tensor()

    # Running.

    def run(self, errors, before):
        """Fetches and feeds; sometimes the fetches of an earlier run with other feeds."""
        if len(before) > 1 and self.chance(40):
            fetches = before[-1].fetches
        else:
            everything = self.floats + self.integers + self.others
            fetches = [self.pick(everything) for _ in range(self.draw(st.integers(1, 8)))]
            if self.alike and self.chance(50):
                fetches += self.pick(self.alike)
        feeds = {}
        for p in self.placeholders:
            if not (errors and self.chance(1)):
                feeds[p] = self.fitting(p)
        for _ in range(self.draw(st.integers(0, 2))):
            tensor = self.pick(self.floats + self.integers)
            if hasattr(tensor, "value") and self.chance(70):
                tensor = tensor.value()
            if isinstance(tensor, Tensor) and not tensor.dtype.name.endswith("_ref"):
                value = self.fitting(tensor)
                if value is not None:
                    feeds[tensor] = value
        return Run(fetches, feeds, again=self.draw(st.integers(1, 2)))

    def fitting(self, tensor):
        """A value to feed, of any shape that the static one allows."""
        if tensor.dtype.is_integer:
            value = np.array(self.pick([*SHAPES, (0,), (-1,), (1, 0)]), np.int32)
            if tensor.shape.rank == 0:
                value = np.array(self.pick([2, 1, 0]), np.int32)
            return value if tensor.shape.is_compatible_with(value.shape) else None
        shapes = [s for s in SHAPES if tensor.shape.is_compatible_with(s)]
        if not shapes:
            return self.array(tuple(2 if d is None else d for d in tensor.shape.as_list()))
        return self.array(self.pick(shapes))


def _shown(value):
    return getattr(value, "name", None) or str(value)
