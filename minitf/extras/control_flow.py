"""`while_loop` repeats ops while a condition is true; `case` chooses between functions.

The ops of a loop's condition and body are built once, in two blocks; a run executes them as often
as the condition says.

Mirrors tensorflow/python/ops/while_loop.py and control_flow_case.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from minitf.client.compiler import Writer
from minitf.client.lowering import Body
from minitf.client.nodes import Call, Parameter, Value, words_of
from minitf.client.order import Group
from minitf.client.program import Function, Statement
from minitf.framework import dtypes, nest
from minitf.framework.common_shapes import check_rank
from minitf.framework.graph import Graph, control_dependencies, graph_of, name_scope
from minitf.framework.op_def_library import build, build_tensor, constant, convert_to_tensor
from minitf.framework.operation import Operation, Tensor, is_place
from minitf.framework.registry import (
    KERNELS,
    Code,
    always,
    first_itself,
    kernel,
    not_differentiable,
    register,
    same_as_first,
)
from minitf.framework.tensor_shape import SCALAR, TensorShape
from minitf.ops.array_ops import zeros, zeros_like
from minitf.ops.control_flow_ops import (
    Assert,
    Block,
    Construct,
    at_most_one,
    block_of,
    cond,
    dense,
    gradient_scope,
)
from minitf.ops.kernels import invalid
from minitf.ops.slicing_ops import stack


def _infer_condition(op):
    check_rank(op.inputs[0], 0)
    return [(dtypes.bool, op.inputs[0].shape)]


def _passed_on(op, dy):
    return [dy]


register("Enter", "data", first_itself, None, _passed_on, passes_on=always)
register("NextIteration", "data", same_as_first, None, _passed_on, passes_on=always)
register("LoopCond", "input:bool", _infer_condition, None, not_differentiable, passes_on=always)
register("Exit", "data", same_as_first, None, _passed_on)  # tf.gradients calls Loop.back instead


class Repeat(Call):
    """The call that runs a loop; its parts are the condition and the body."""

    view = True

    def expression(self, writer: Writer) -> Code:
        """`while_loop(state, 0, x)`: a call of a function whose `while` calls the two parts."""
        condition, body = self.parts
        names = writer.name_given(condition)
        again = writer.function(condition, self.words_with("cond"))
        following = writer.function(body, self.words_with("body"))
        nodes = [node for part in self.parts for node in part.captured]
        captured = list(dict.fromkeys(writer.names[node][0] for node in nodes))
        name = writer.name(self.words_with("loop"))
        lines = f"while {again.call()}:", f"    {', '.join(names)} = {following.call()}"
        statements = [Statement(line, (), [], node=self) for line in lines]
        loop = Function(name, [*names, *captured], statements, names)
        writer.functions.append(loop)
        initial = [str(writer.argument(value)) for value in self.arguments[: len(names)]]
        return Code(loop.call(initial + captured))


class Carried(NamedTuple):
    """A gradient that the loop of a gradient carries back, through one iteration after another.

    It belongs to a variable of the forward loop, or to a tensor that enters it from outside.

    first: its value at the end of the forward loop, where the way back begins.
    end, start: what the forward loop has at the end of an iteration, and at its beginning. An
        iteration back is given the gradient of `end`, and finds that of `start`.
    entered: what entered the forward loop. Its gradient is what the way back results in.
    name: what the op with this result is called, after the scope of `entered`.
    """

    first: Tensor
    end: Tensor
    start: Tensor
    entered: Tensor
    name: str


class Loop(Construct):
    """A while loop.

    `results` maps each loop variable's value at the beginning of an iteration to its value at the
    end of the loop. `condition` is a tensor. A loop that computes the gradients of another loop,
    `forward`, goes through its iterations from the last to the first.
    """

    condition: Tensor
    back_prop = True
    forward: Loop | None = None

    def __init__(self, graph: Graph, scope: str, outer: Block | None):
        super().__init__(graph, scope, outer)
        self.results: dict[Tensor, Tensor] = {}
        self._within = graph.control.inside

    def build(self, initial, shapes, cond: Callable, body: Callable, names) -> list[Tensor]:
        """The final values of the loop variables, which programs show under these names."""
        variables = [self._begin(*each) for each in zip(initial, shapes, strict=True)]
        with self._within(self.blocks[0]):
            self.condition = build_tensor("LoopCond", cond(*variables))
        self.needs = [self.condition.op]
        inside = [self._inside(t) for t in variables]
        with self._within(self.blocks[1]):
            following = body(*inside)
        return [self._end(*each) for each in zip(inside, following, names, strict=True)]

    def carry(self, initial: Callable, step: Callable, name: str) -> Tensor:
        """The final value of another variable: `initial()`, then `step` of it in each iteration."""
        with self.graph.control.after(None), self._within(self.outer):
            inside = self._inside(self._begin(initial(), SCALAR))
            with self._within(self.blocks[1]):
                following = step(inside)
            self.graph.shown_as[following.op.name] = name
            return self._end(inside, following, name)

    def _make(self, op_type, block, *inputs, **attrs):
        """The output of a new op that passes a loop variable on; of a Switch, its `true` output."""
        with self._within(self.blocks[block]):
            return self.graph.create_op(op_type, inputs, attrs).outputs[-1]

    def _begin(self, initial, shape):
        return self._make("Merge", 0, self.entry(initial).outputs[0], shape=TensorShape(shape))

    def _inside(self, variable):
        return self._make("Identity", 1, self._make("Switch", 1, variable, self.condition))

    def _end(self, inside, following, shown_as, name=None):
        switch = inside.op.inputs[0].op
        variable = switch.inputs[0]
        variable.op.inputs += (self._make("NextIteration", 1, following),)
        with self._within(self.outer, closes=self):
            op = self.graph.create_op("Exit", (switch.outputs[0],), name=name)
        if shown_as:
            self.graph.shown_as |= {variable.op.name: shown_as, op.name: f"{self.scope}/{shown_as}"}
        self.results[variable] = op.outputs[0]
        return op.outputs[0]

    def lower(self, body: Body, group: Group, escaping: Mapping[Tensor, list[Operation]]) -> None:
        """Add a node for the loop, with the variables that are needed, to the body of a program.

        Raises ValueError if a tensor inside the loop is used outside.
        """
        for tensor, users in escaping.items():
            name, user = tensor.op.name, users[-1].name
            raise ValueError(
                f"Cannot use '{name}' as input to '{user}' because '{name}' is in a while loop."
            )
        results = {t: result for t, result in self.results.items() if t.op in group.ops}
        initial = [body.value(t.op.inputs[0]) for t in results]
        initial = [body.unchanging(v) for v in initial]
        given = {t: Value(t, node=Parameter(t.op, []), trusted=False) for t in results}
        wanted = [self.condition], [t.op.inputs[1] for t in results]
        body.call(Repeat, group, self.condition.op, initial, given, wanted, [*results.values()])

    # The gradient.

    def back(self, walk, ops: list[Operation]) -> None:
        """Take a walk of tf.gradients from the results to what enters the loop.

        The gradients of the variables, and of whatever else enters, are the variables of another
        loop, in whose body the walk visits these ops. Raises TypeError if this loop already is one.
        """
        walk.done |= {t.op for t in self.results.values()}
        if not self.back_prop:
            return
        if self.forward is not None:
            raise TypeError("Second-order gradient for while loops not supported.")
        scope = self.graph.unique_name(gradient_scope(self))
        loop = Loop(self.graph, scope, walk.blocks.of(self.outer))
        loop.forward = self
        walk.blocks.twins |= dict.fromkeys(self.blocks, loop.blocks[1])
        count = self.carry(lambda: constant(0), lambda count: count + 1, "count")
        loop.build([count], [SCALAR], lambda count: count > 0, lambda count: [count - 1], ["count"])
        with self._within(loop.outer):
            carried = [*self._gradients_to_carry(walk)]
        for gradient in carried:
            inside = loop._inside(loop._begin(gradient.first, gradient.start.shape))
            walk.parts[gradient.end] = [inside]
        walk.back([op for op in ops if self in getattr(op.control.block, "guard", ())])
        for gradient in carried:
            start, entered = gradient.start, gradient.entered
            inside = walk.parts[gradient.end][0]
            if len(walk.parts[entered]) == 1:  # a sum to which nothing was added
                walk.done.add(entered.op)
            with self._within(loop.blocks[1]):
                following = dense(walk.total(start), start)
            name, shown_as = f"{entered.op.name}_grad/{gradient.name}", words_of(start.op)[-1]
            walk.parts[entered] = [loop._end(inside, following, f"d_{shown_as}", name)]

    def _gradients_to_carry(self, walk) -> Iterator[Carried]:
        """Yield the gradients that pass from iteration to iteration, those that lead to an x."""
        for variable, result in self.results.items():
            start = result.op.inputs[0].op.outputs[1]
            if start.op in walk.leads_to_x:
                entered, end = variable.op.inputs
                yield Carried(dense(walk.total(result), result), end, start, entered, "Exit")
        for tensor, entry in self.entries.items():
            if entry in walk.leads_to_x:  # all iterations use the same tensor: its gradients add up
                [same] = entry.outputs
                yield Carried(zeros_like(tensor), same, same, same, "b_acc_3")

    def entry(self, tensor: Tensor) -> Operation:
        """A new op through which `tensor` enters; one in `forward` comes from a list of values."""
        if self.forward not in getattr(block_of(tensor), "guard", ()):
            return super().entry(tensor)
        if tensor.op.passes_on and not is_place(tensor):
            return self.enter(tensor.op.inputs[0])
        if tensor.op.type == "Const":
            with self._within(self.blocks[1]):
                return self.graph.create_op("Const", (), tensor.op.attrs)
        attrs = {"element_dtype": tensor.dtype.base_dtype, "shape": tensor.shape}
        name, popped = words_of(tensor.op)[-1], []

        def pop(values):
            popped.append(build("TensorListPopBack", values, -1, **attrs))
            return popped[0].outputs[0]

        values = self.forward.carry(
            lambda: build_tensor("EmptyTensorList", -1, -1, **attrs),
            lambda values: _pushed(values, tensor),
            f"{name}_list",
        )
        self.carry(lambda: values, pop, f"{name}_list")
        self.graph.shown_as[popped[0].name] = name  # y_0, y_1 = pop(y_list)
        return popped[0]


def _pushed(values, tensor):
    """The list `values` plus a tensor, or anything else if it is in a branch that doesn't run."""
    while (home := block_of(tensor)).construct.pred is not None:
        branch = home.construct.blocks[1 - home.index]
        with tensor.graph.control.inside(branch):
            is_list = tensor.dtype is VARIANT
            other = branch.own(values) if is_list else zeros([], tensor.dtype.base_dtype)
        tensor = home.construct.merge(*(other, tensor)[:: 1 if home.index else -1])
    return build_tensor("TensorListPushBack", values, tensor)


# Lists, the newest value last: ((((), 1), 2), 3).

VARIANT = dtypes._KNOWN["variant"] = dtypes.DType(object, "variant")
KERNELS["push"] = lambda *values_and_last: values_and_last


@kernel
def pop(values_and_last):
    """A list without its newest value, and that value."""
    if not values_and_last:
        raise invalid("Tried to read from index 0 but array size is: 0")
    return values_and_last


def _infer_pop(op):
    element = op.attrs["element_dtype"], TensorShape(op.attrs.get("shape"))
    return [*same_as_first(op), element]


@kernel
def list_of_zeros(values):
    """A list of zeros with the shapes of the elements of another list."""
    rows, zeros = [], ()
    while values:
        values, row = values
        rows.append(row)
    for row in reversed(rows):
        zeros = zeros, np.zeros_like(row)
    return zeros


def _of_push(op, d_list):
    element = op.inputs[1]
    attrs = {"element_dtype": element.dtype.base_dtype, "shape": element.shape}
    return build("TensorListPopBack", d_list, -1, **attrs).outputs


def _of_pop(op, d_list, d_element):
    return [lambda: build_tensor("TensorListPushBack", d_list, d_element)]


_LIST = {"view": True, "holds": True}  # an element may be a variable's memory
ELEMENTS = {"defaults": {"element_dtype": dtypes.float32}, "fixed": {"shape": None}}
register(
    "EmptyTensorList",
    "element_shape:length=shape_type max_num_elements:length=-",
    lambda op: [(VARIANT, SCALAR)],
    lambda op, *_: "()",
    not_differentiable,
    **_LIST,
    **ELEMENTS,
)
register(
    "TensorListPushBack",
    "input_handle=- tensor=element_dtype",
    same_as_first,
    "push",
    _of_push,
    **_LIST,
)
register(
    "TensorListPopBack",
    "input_handle=- element_shape:length=-",
    _infer_pop,
    lambda op, values, _: f"pop({values})",
    _of_pop,
    **_LIST,
    **ELEMENTS,
)
register("ZerosLike", "x", same_as_first, "list_of_zeros", not_differentiable)  # for lists only


def while_loop(
    cond: Callable,
    body: Callable,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
    maximum_iterations=None,
    return_same_structure=False,
):
    """The result of `while cond(*loop_vars): loop_vars = body(*loop_vars)`, as ops in the graph.

        tf.while_loop(lambda i, x: i < 10, lambda i, x: [i + 1, 2 * x], [0, 1])  # [10, 1024]

    `cond` and `body` are called once, here, to build their ops. `loop_vars` is a list or tuple of
    tensors or nested structures of them. `body` returns the same structure and dtypes, and the same
    shapes unless `shape_invariants` (TensorShapes in the structure of `loop_vars`) allow more. The
    loop ends after `maximum_iterations`, if given. A list of one variable becomes that tensor
    unless `return_same_structure`. Without `back_prop`, no gradient flows through the loop;
    `parallel_iterations` and `swap_memory` are ignored.

    Raises TypeError if `cond` or `body` isn't callable, the condition isn't a bool or a dtype
    changes; ValueError if the body changes the structure or a shape.
    """
    for function, argument in ((cond, "cond"), (body, "body")):
        if not callable(function):
            raise TypeError(f"'{argument}' must be callable.")
    with name_scope(name, "while", nest.flatten(loop_vars)[0]) as scope:
        if not loop_vars:
            raise ValueError("'loop_vars' must be provided.")
        if maximum_iterations is None:
            result = _loop(scope, cond, body, loop_vars, shape_invariants, back_prop)
            return result[0] if len(result) == 1 and not return_same_structure else result
        limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
        if limit.shape.rank not in (None, 0):
            raise ValueError(
                f"'maximum_iterations' must be a scalar. Received shape: {limit.shape}"
            )
        _, *result = _loop(
            scope,
            lambda count, *variables: build_tensor("LogicalAnd", count < limit, cond(*variables)),
            lambda count, *variables: [count + 1, *_as_sequence(body(*variables))],
            [constant(0, limit.dtype, name="iteration_counter"), *loop_vars],
            shape_invariants and [SCALAR, *shape_invariants],
            back_prop,
        )
        if len(result) == 1 and not return_same_structure:
            return result[0]
        return type(loop_vars)(result)


def _as_sequence(results):
    return results if isinstance(results, list | tuple) else [results]


def _loop(scope, cond, body, loop_vars, shape_invariants, back_prop):
    first, rebuild = nest.flatten(loop_vars, convert_to_tensor)
    graph = graph_of(first)
    loop = Loop(graph, scope[:-1], graph.control.block)
    loop.back_prop = back_prop
    shapes = [t.shape for t in first]
    if shape_invariants is not None:
        shapes, rebuild_shapes = nest.flatten(shape_invariants)
        nest.same_structure(loop_vars, rebuild_shapes(shapes))
    for tensor, shape in zip(first, shapes, strict=True):
        if not _is_within(tensor.shape, shape):
            words = (
                "is not compatible with the initial shape of the loop variable. It enters the loop"
            )
            words += f" with shape {tensor.shape}, but the specified shape invariant is {shape}."
            raise ValueError(f"The shape invariant specified for {tensor.name} {words}")

    def turn(*inside):
        nonlocal rebuild
        given, rebuild_given = nest.flatten(_as_sequence(body(*rebuild(inside))), convert_to_tensor)
        nest.same_structure(list(rebuild(inside)), list(rebuild_given(given)))
        rebuild = rebuild_given
        for tensor, shape, following in zip(first, shapes, given, strict=True):
            _check_following(tensor, TensorShape(shape), following)
        return given

    found = loop.build(
        first, shapes, lambda *given: cond(*rebuild(given)), turn, _names(body, len(first))
    )
    return rebuild(found)


def _check_following(tensor, shape, following):
    """Raise an error unless `following` can be the next value of a loop variable."""
    if tensor.dtype.base_dtype is not following.dtype.base_dtype:
        raise TypeError(
            f"{tensor.name} enters the loop as {tensor.dtype.name}, {following.dtype.name} follows."
        )
    if not _is_within(following.shape, shape):
        shapes = f"enters the loop with shape {tensor.shape}, but has shape {following.shape}"
        words = "To allow the shape to vary across iterations, use the `shape_invariants` argument"
        words += " of tf.while_loop to specify a less-specific shape."
        raise ValueError(f"Input tensor '{tensor.name}' {shapes} after one iteration. {words}")


def _is_within(shape, wider):
    """Whether `wider` allows each shape that `shape` does."""
    return shape.most_specific_compatible_shape(wider) == TensorShape(wider)


def _names(body, count):
    """The names of the body's arguments, after which programs name the loop variables."""
    code = getattr(body, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    return names if len(names) == count else [""] * count


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """The results of the function of the first true predicate, or else of `default`.

        tf.case([(x < 0, lambda: -1), (x > 0, lambda: 1)], default=lambda: 0)

    `pred_fn_pairs` is a list of (predicate, function), or a dict. Without a default, one predicate
    must be true; with `exclusive`, at most one may be: otherwise, the run raises
    InvalidArgumentError. Raises TypeError for predicates that aren't bool tensors and functions
    that aren't callable. For the functions and `strict`, see `tf.cond`.
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


def _first_true(pairs, preds, default, strict):
    """A cond whose false branch is the cond of the next pair, and so on."""
    (pred, function), *others = pairs
    if others:
        return cond(pred, function, lambda: _first_true(others, preds, default, strict), strict)
    if default is not None:
        return cond(pred, function, default, strict)
    words = "Input error: None of conditions evaluated as True:"
    with control_dependencies([Assert(pred, [words, stack(preds)])]):
        return function()
