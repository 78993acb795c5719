"""The check of lesson 04: an `apply_gradients` of one's own, with the op that adds one."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

import minitf as tf
from lab.checks.two_weights import RATE, Model, by_the_optimizer, trained, two_weights
from lab.checks.verdict import Verdict, judge
from lab.ordering import all_before, updates_of


@judge
def check_apply_gradients(function: Callable) -> Verdict:
    """The function's op updates each weight as gradient descent does, then adds one to the step."""
    if not callable(function):
        return Verdict(False, "`my_apply_gradients` has to be a function: begin it with def.")
    with tf.Graph().as_default() as graph:
        model = two_weights()
        try:
            returned = function(list(model.pairs), model.rate, model.step)
        except Exception as error:  # whatever the function does, a check says it and goes on
            return Verdict(
                False,
                f"The call of your function stops: {_said(error)}.\n{_advice(error)}",
            )
        if (wrong := _not_one_op(returned, graph)) is not None:
            return Verdict(False, wrong)
        train_op = returned if isinstance(returned, tf.Operation) else returned.op
        try:
            seen = trained(train_op, model)
        except Exception as error:
            return Verdict(False, f"A run of your op stops: {_said(error)}.")
        right = by_the_optimizer()
        mistake = (
            _mistake_of_weights(train_op, model, seen, right)
            or _mistake_of_step(train_op, model, seen)
            or _mistake_of_later_runs(seen, right)
            or _mistake_of_order(train_op, model)
        )
    if mistake:
        return Verdict(False, mistake)
    return Verdict(
        True,
        "Both weights move as with GradientDescentOptimizer, and the step counts 1, 2, 3.\n"
        "The `+ 1` waits for both updates.",
    )


def _said(error: Exception) -> str:
    lines = str(error).splitlines()
    said = f"{type(error).__name__}: {lines[0]}".rstrip(".") if lines else type(error).__name__
    return re.sub(r"<[\w.]+ object at 0x[0-9a-f]+>", "another", said)


def _advice(error: Exception) -> str:
    """Say what may have led to an error inside of the function."""
    if isinstance(error, AttributeError) and "assign" in str(error):
        return "In each pair the gradient stands first, the Variable second."
    if isinstance(error, TypeError) and ("iterable" in str(error) or "Iterating" in str(error)):
        return "tf.control_dependencies takes a list of ops."
    return "Did you use only its own arguments: pairs, rate, global_step?"


def _not_one_op(returned: object, graph: tf.Graph) -> str | None:
    """Say why a run cannot fetch what the function returned, or why that would change nothing."""
    if returned is None:
        return (
            "Your function returns None. Let it return one op:\n"
            "the one that adds one to the step, after all updates."
        )
    if isinstance(returned, list | tuple):
        return (
            f"Your function returns a {type(returned).__name__}. Return one op, as apply_gradients does:\n"
            "the one that adds one to the step, and waits for the updates."
        )
    if isinstance(returned, tf.Variable):
        return "Your function returns a Variable: to fetch it only reads it. Return the op that adds one."
    if not isinstance(returned, tf.Operation | tf.Tensor):
        kind = type(returned).__name__
        return f"Your function returns a thing of the Python type {kind}. Return an op."
    if returned.graph is not graph:
        return "The op that you return is from another graph. Build it inside your function."
    return None


def _mistake_of_weights(
    train_op: tf.Operation, model: Model, seen: list, right: list
) -> str | None:
    """Name what is wrong with the weights after the first run, the first thing first."""
    before, after, wanted = (np.array(now[:2]) for now in (seen[0], seen[1], right[1]))
    moved, step_moved = after - before, seen[1][2] != seen[0][2]
    still = [w.op.name for w, move in zip(model.weights, moved, strict=True) if move == 0]
    if len(still) == 2:
        if not step_moved:
            return "A run of your op changes nothing: no weight moves, and the step stays 0."
        if not any(updates_of(w, w.graph.get_operations()) for w in model.weights):
            return (
                "The step counts, but no weight moves: there is no op that updates one.\n"
                "tf.assign_sub builds it. Python's own -= makes a tensor, and changes no Variable."
            )
        return (
            "The step counts, but no weight moves: only the `+ 1` runs.\n"
            "Nothing ties the updates to it. Build it inside tf.control_dependencies(updates)."
        )
    if still:
        return _one_weight_alone(still[0], train_op, model)
    if np.allclose(moved, wanted - before, rtol=1e-4):
        return None
    for factor, named in {
        -1: "The weights move the wrong way: subtract rate * gradient, do not add it.",
        1 / RATE: "The weights move too far: you subtract the gradient, without the rate.",
        -1 / RATE: "The weights move the wrong way, and too far: subtract rate * gradient.",
        2: "One run applies each gradient twice. Build one update for each pair.",
    }.items():
        if np.allclose(moved, factor * (wanted - before), rtol=1e-4):
            return named
    if np.allclose(after, before - wanted, rtol=1e-4):
        return "You replace each weight by rate * gradient. Subtract it: tf.assign_sub."
    return (
        f"After one run the weights are {after[0]:.4g} and {after[1]:.4g}, "
        f"not {wanted[0]:.4g} and {wanted[1]:.4g}.\nSubtract rate * gradient from each variable."
    )


def _one_weight_alone(name: str, train_op: tf.Operation, model: Model) -> str:
    weight = next(w for w in model.weights if w.op.name == name)
    if updates_of(weight, weight.graph.get_operations()):
        return (
            f"There is an update of `{name}`, but it does not run: the op that you return does not wait "
            "for it.\nLet it wait for all updates."
        )
    return f"Only one weight moves: `{name}` has no update. Build one for each pair, in the loop."


def _mistake_of_step(train_op: tf.Operation, model: Model, seen: list) -> str | None:
    """Name what is wrong with how the step counts."""
    held = [now[2] for now in seen]
    adds = {float(after - before) for before, after in zip(held, held[1:], strict=False)}
    if adds == {1.0}:
        return None
    if adds == {0.0}:
        return (
            "The weights are right, but the step stays 0: nobody counts.\n"
            "Build tf.assign_add(global_step, 1), after the updates."
        )
    ops = len(updates_of(model.step, all_before(train_op)))
    counts = ", ".join(f"{float(step):.4g}" for step in held[1:])
    if ops > 1:
        return (
            f"The step counts {counts}: a run adds one {ops} times, once for each pair.\n"
            "Build the `+ 1` once, after the loop."
        )
    return f"The step counts {counts}. Each run has to add 1."


def _mistake_of_later_runs(seen: list, right: list) -> str | None:
    if np.allclose([now[:2] for now in seen], [now[:2] for now in right], rtol=1e-4):
        return None
    return "The first run is right, the next ones are not. Use the tensor rate in each update."


def _mistake_of_order(train_op: tf.Operation, model: Model) -> str | None:
    """Say which update the `+ 1` does not wait for."""
    reached = all_before(train_op)
    if any(op.type == "ApplyGradientDescent" for op in reached):
        return (
            "It works, for the optimizer's own apply_gradients does it.\n"
            "Here, build the ops yourself: tf.assign_sub, and tf.assign_add."
        )
    [*counting] = updates_of(model.step, reached)
    for weight in model.weights:
        for update in updates_of(weight, reached):
            if any(count in all_before(update) for count in counting):
                return (
                    "The updates wait for the `+ 1`: the step is added first.\n"
                    "Turn it round: the updates first, then the `+ 1`."
                )
            if not all(update in all_before(count) for count in counting):
                return (
                    "The numbers are right, but nothing says that the `+ 1` comes last:\n"
                    f"it does not wait for the update of `{weight.op.name}`. "
                    "Build it inside tf.control_dependencies(updates)."
                )
    return None
