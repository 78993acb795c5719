"""`while_loop` repeats ops while a condition is true; `case` chooses between functions.

The ops of a loop's condition and body are built once, in two blocks; a run executes them as often
as the condition says.

Mirrors tensorflow/python/ops/while_loop.py and control_flow_case.py.
"""

from collections.abc import Callable, Mapping

from minitf.client.compiler import Writer
from minitf.client.lowering import Body
from minitf.client.nodes import Call, Parameter, Value
from minitf.client.order import Group
from minitf.client.program import Function, Statement
from minitf.framework import dtypes, nest
from minitf.framework.common_shapes import check_rank
from minitf.framework.graph import control_dependencies, graph_of, name_scope
from minitf.framework.op_def_library import build_tensor, constant, convert_to_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, first_itself, register, same_as_first
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.control_flow_ops import Assert, Construct, at_most_one, cond, no_gradient
from minitf.ops.slicing_ops import stack


def _infer_condition(op):
    check_rank(op.inputs[0], 0)
    return [(dtypes.bool, op.inputs[0].shape)]


register("Enter", "data", first_itself, None, no_gradient)
register("NextIteration", "data", same_as_first, None, no_gradient)
register("LoopCond", "input:bool", _infer_condition, None, no_gradient)
register("Exit", "data", same_as_first, None, no_gradient)


class Repeat(Call):
    """The call that runs a loop; its parts are the condition and the body."""

    view = True

    def expression(self, writer: Writer) -> Code:
        """`while_loop(state, 0, x)`: a call of a function whose `while` calls the two parts."""
        condition, body = self.parts
        names = writer.name_given(condition)
        again = writer.function(condition, self.words_with("cond"))
        following = writer.function(body, self.words_with("body"))
        captured = list(dict.fromkeys(n.names[0] for part in self.parts for n in part.captured))
        name = writer.names.make(self.words_with("loop"))
        lines = f"while {again.call()}:", f"    {', '.join(names)} = {following.call()}"
        statements = [Statement(line, (), [], node=self) for line in lines]
        loop = Function(name, [*names, *captured], statements, names)
        writer.functions.append(loop)
        initial = [str(writer.argument(value)) for value in self.arguments[: len(names)]]
        return Code(loop.call(initial + captured))


class Loop(Construct):
    """A while loop. `while_loop` sets its five attributes.

    Four are lists with a tensor for each loop variable: `initial` before the first
    iteration, `variables` at each iteration, `following` for the next one, and `exits` at the end.
    `condition` is a tensor.
    """

    def make(self, op_type: str, block: int, *inputs: Tensor, **attrs) -> Tensor:
        """The output of a new op that passes a loop variable on; of a Switch, its `true` output."""
        with self.graph.control.inside(self.blocks[block]):
            op = self.graph.create_op(op_type, inputs, attrs)
        op.passes_on = op_type != "Merge"
        return op.outputs[-1]

    def lower(self, body: Body, group: Group, escaping: Mapping[Tensor, list[Operation]]) -> None:
        """Add a node for the loop to the body of a program.

        Raises ValueError if a tensor inside the loop is used outside.
        """
        for tensor, users in escaping.items():
            name, user = tensor.op.name, users[-1].name
            words = f"Cannot use '{name}' as input to '{user}' because '{name}' is in a while loop."
            raise ValueError(words)
        initial = [body.value(t) for t in self.initial]
        initial = [body.copied(v) if v.variable in body.updated else v for v in initial]
        given = {t: Value(t, node=Parameter(t.op, []), trusted=False) for t in self.variables}
        wanted = [self.condition], self.following
        body.call(Repeat, group, self.condition.op, initial, given, wanted, self.exits)


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
    unless `return_same_structure`. No gradient flows through a loop; `parallel_iterations`,
    `back_prop` and `swap_memory` are ignored.

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
            result = _loop(scope, cond, body, loop_vars, shape_invariants)
            return result[0] if len(result) == 1 and not return_same_structure else result
        limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
        if limit.shape.rank not in (None, 0):
            words = f"'maximum_iterations' must be a scalar. Received shape: {limit.shape}"
            raise ValueError(words)
        _, *result = _loop(
            scope,
            lambda count, *variables: build_tensor("LogicalAnd", count < limit, cond(*variables)),
            lambda count, *variables: [count + 1, *_as_sequence(body(*variables))],
            [constant(0, limit.dtype, name="iteration_counter"), *loop_vars],
            shape_invariants and [TensorShape([]), *shape_invariants],
        )
        if len(result) == 1 and not return_same_structure:
            return result[0]
        return type(loop_vars)(result)


def _as_sequence(results):
    return results if isinstance(results, list | tuple) else [results]


def _loop(scope, cond, body, loop_vars, shape_invariants):
    first, rebuild = nest.flatten(loop_vars, convert_to_tensor)
    graph = graph_of(first)
    loop = Loop(graph, scope[:-1], graph.control.block)
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
    loop.initial = [loop.enter(t).outputs[0] for t in first]
    pairs = zip(loop.initial, shapes, strict=True)
    loop.variables = [loop.make("Merge", 0, t, shape=TensorShape(shape)) for t, shape in pairs]
    with graph.control.inside(loop.blocks[0]):
        found = convert_to_tensor(cond(*rebuild(loop.variables)))
        loop.condition = build_tensor("LoopCond", found)
        loop.condition.op.passes_on = True
    switches = [loop.make("Switch", 1, t, loop.condition) for t in loop.variables]
    inside = [loop.make("Identity", 1, t) for t in switches]
    with graph.control.inside(loop.blocks[1]):
        given, rebuild_given = nest.flatten(_as_sequence(body(*rebuild(inside))), convert_to_tensor)
        nest.same_structure(list(rebuild(inside)), list(rebuild_given(given)))
    loop.following = [loop.make("NextIteration", 1, t) for t in given]
    for tensor, variable, following in zip(first, loop.variables, loop.following, strict=True):
        if tensor.dtype.base_dtype is not following.dtype:
            raise TypeError(
                f"{tensor.name} enters the loop "
                f"as {tensor.dtype.name}, {following.dtype.name} follows."
            )
        if not _is_within(following.shape, variable.shape):
            shapes = f"enters the loop with shape {tensor.shape}, but has shape {following.shape}"
            words = (
                "To allow the shape to vary across iterations, use the `shape_invariants` argument"
            )
            words += " of tf.while_loop to specify a less-specific shape."
            raise ValueError(f"Input tensor '{tensor.name}' {shapes} after one iteration. {words}")
    loop.needs = [t.op for t in (loop.condition, *loop.following)]
    with graph.control.inside(loop.outer):
        # The next values are inputs only so that tf.gradients finds the path, and refuses it.
        exits = [graph.create_op("Exit", (t.op.outputs[0], *loop.following)) for t in switches]
    for op in exits:
        op.closes = loop
    loop.exits = [op.outputs[0] for op in exits]
    _show_as(loop, body)
    return rebuild_given(loop.exits)


def _is_within(shape, wider):
    """Whether `wider` allows each shape that `shape` does."""
    return shape.most_specific_compatible_shape(wider) == TensorShape(wider)


def _show_as(loop, body):
    """Make programs name loop variables after the arguments of the body."""
    code = getattr(body, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    if len(names) == len(loop.exits):
        for name, variable, result in zip(names, loop.variables, loop.exits, strict=True):
            loop.graph.shown_as |= {variable.op.name: name, result.op.name: f"{loop.scope}/{name}"}


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
