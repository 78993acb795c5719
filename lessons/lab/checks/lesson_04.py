"""The check of lesson 04: the learner's own `apply_gradients`, with the op that adds one."""

import re
from collections.abc import Callable

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, advice, examples_for, judge, listed, no_function, watched
from lab.experiments.errors import type_and_first_line
from lab.experiments.ordering import all_before, updates_of, waits_for

RATE = 0.125  # of the first run
STOPPED = {
    "AttributeError.*assign": "In each pair the gradient comes first, the Variable second.",
    "not iterable|Iterating": "tf.control_dependencies takes a list of ops.",
    "": "Try to use only the function's own arguments: pairs, rate, global_step.",
}


@judge
def check_apply_gradients(function: Callable) -> Verdict | str:
    """The function's op updates each weight as gradient descent does, then adds one to the counter."""
    if wrong := no_function(my_apply_gradients=function):
        return wrong
    with tf.Graph().as_default():
        pairs, rate, step = _two_weights()
        optimizer = tf.train.GradientDescentOptimizer(rate)
        right = _three_runs(optimizer.apply_gradients(pairs, step), pairs, step)
    with tf.Graph().as_default():
        pairs, rate, step = _two_weights()
        what = "The call of your function"
        try:
            returned = function(list(pairs), rate, step)
            if wrong := _not_one_op(returned):
                return wrong
            what, train_op = "A run of your op", getattr(returned, "op", returned)
            seen = _three_runs(train_op, pairs, step)
        except Exception as error:  # whatever the function does, a check says it and goes on
            said = re.sub(r"<[\w.]+ object at \w+>", "another", type_and_first_line(error))
            return f"{what} stops: {said.rstrip('.')}.\n{advice(said, STOPPED)}"
    weights = [weight for _, weight in pairs]
    return (
        _mistake_of_weights(weights, seen, right[1, :2])
        or _mistake_of_step(train_op, step, seen, right)
        or _mistake_of_order(train_op, weights, step)
        or Verdict(
            True,
            "Both weights move as with GradientDescentOptimizer, and the counter goes 1, 2, 3.\n"
            "The `+ 1` waits for both updates.",
        )
    )


def _two_weights() -> tuple[list[tuple[tf.Tensor, tf.Variable]], tf.Tensor, tf.Variable]:
    """Build a model; return what the function gets: pairs, a rate that reads the counter, and the counter."""
    w, b = tf.Variable(0.5, name="w"), tf.Variable(2.0, name="b")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(RATE, step, 1, 0.5, name="rate")
    loss = (w * tf.constant([1.0, 2.0]) + b - tf.constant([4.0, 1.0])) ** 2
    optimizer = tf.train.GradientDescentOptimizer(rate)
    return optimizer.compute_gradients(loss, var_list=[w, b]), rate, step


def _three_runs(train_op: tf.Operation, pairs: list, step: tf.Variable) -> np.ndarray:
    """Return both weights and the counter: a row before the first run, and one after each."""
    return np.array(watched(train_op, *(weight for _, weight in pairs), step, runs=3))


def _not_one_op(returned: object) -> str:
    """Say why a run cannot fetch what the function returned, or why that would change nothing."""
    if isinstance(returned, tf.Variable):
        return "Your function returns a Variable, and fetching it only reads it. Try the op that adds one."
    if not isinstance(returned, tf.Operation | tf.Tensor):
        what = "None" if returned is None else f"a Python {type(returned).__name__}"
        return (
            f"Your function returns {what}. Try returning one op, as apply_gradients does:\n"
            "the one that adds one to the counter and waits for the updates."
        )
    if returned.graph is not tf.get_default_graph():
        return "The op you return is from another graph. Try building it inside your function."
    if examples_for(returned):
        return "A run of your op needs a feed. Use only the arguments: pairs, rate, global_step."
    return ""


def _mistake_of_weights(weights: list[tf.Variable], seen: np.ndarray, wanted: np.ndarray) -> str:
    """Name what is wrong with the weights after the first run, the first thing first."""
    before, after = seen[:2, :2]
    still = [w for w, old, new in zip(weights, before, after, strict=True) if old == new]
    if len(still) == 2 and seen[0, 2] == seen[1, 2]:
        return (
            "A run of your op changes nothing.\n"
            "No weight moves, and the counter stays at 0. Does your op wait for the updates?"
        )
    if still:
        names = " and ".join(f"`{weight.op.name}`" for weight in still)
        if any(updates_of(weight, weight.graph.get_operations()) for weight in still):
            return (
                f"The update of {names} doesn't run, because the op you return doesn't wait for it.\n"
                "Try building the `+ 1` inside tf.control_dependencies(updates)."
            )
        return (
            f"There's no update of {names} yet. You could build one for each pair, with tf.assign_sub.\n"
            "(Python's own -= makes a tensor and changes no Variable.)"
        )
    due = wanted - before
    for end, said in (
        (wanted, ""),
        (
            before - due,
            "The weights move the wrong way. Subtract rate * gradient instead of adding it.",
        ),
        (
            before + due / RATE,
            "The weights move too far, because the rate is missing. Try rate * gradient.",
        ),
        (
            before - due / RATE,
            "The weights move the wrong way, and too far. Try subtracting rate * gradient.",
        ),
        (
            before + 2 * due,
            "One run applies each gradient twice. You need only one update for each pair.",
        ),
        (
            -due,
            "You replace each weight with rate * gradient. Try tf.assign_sub, which subtracts it.",
        ),
    ):
        if np.allclose(after, end, rtol=1e-4):
            return said
    ends = f"{listed(after, ' and ')}, not {listed(wanted, ' and ')}"
    return f"After one run the weights are {ends}.\nTry subtracting rate * gradient from each Variable."


def _mistake_of_step(
    train_op: tf.Operation, step: tf.Variable, seen: np.ndarray, right: np.ndarray
) -> str:
    """Name what is wrong with the counter, or with the runs after the first."""
    held = seen[:, 2]
    adds, counts = np.diff(held), f"The counter goes {listed(held[1:])}"
    if not any(adds):
        return (
            "The weights are right, but the counter stays at 0, because nothing counts yet.\n"
            "Try tf.assign_add(global_step, 1), after the updates."
        )
    if any(adds != 1):
        ops = len(updates_of(step, all_before(train_op)))
        if ops > 1:
            return f"{counts}, because the `+ 1` runs {ops} times, once for each pair.\nAdd after the loop."
        return f"{counts}. Each run should add 1."
    if not np.allclose(seen, right, rtol=1e-4):
        return "The first run is right, but the next ones aren't. Try using the tensor `rate` in each update."
    return ""


def _mistake_of_order(train_op: tf.Operation, weights: list, step: tf.Variable) -> str:
    """Say which update the `+ 1` does not wait for."""
    reached = all_before(train_op)
    if any(op.type == "ApplyGradientDescent" for op in reached):
        return "It works, but through the optimizer's own apply_gradients. Try building the ops yourself."
    counting = updates_of(step, reached)
    for weight in weights:
        for update in updates_of(weight, reached):
            if any(waits_for(update, count) for count in counting):
                return "The updates wait for the `+ 1`. Let the `+ 1` wait for them instead."
            if not all(waits_for(count, update) for count in counting):
                return (
                    "The numbers are right, but the `+ 1` might not come last, because it doesn't wait\n"
                    f"for the update of `{weight.op.name}`. Build it inside tf.control_dependencies(updates)."
                )
    return ""
