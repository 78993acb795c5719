"""The check of lesson 02: a Variable that counted in one session only."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, listed
from lab.experiments.errors import first_line
from lab.experiments.ordering import updates_of

AGAIN = "Run the exercise cell again until it ends without an error."


@judge
def check_two_sessions(
    a: tf.Session, b: tf.Session, shoes: tf.Variable, add_pair: tf.Tensor | tf.Operation
) -> Verdict | str:
    """`add_pair` adds 2 to `shoes`, of which session `a` holds 6 and session `b` holds 0."""
    if a is b:
        return "Make two sessions. So far, `a` and `b` are two names for one."
    wrong = _not_counted(shoes, add_pair) or _not_held("a", a, shoes) or _not_held("b", b, shoes)
    return wrong or _right(shoes)


def _not_counted(shoes: object, add_pair: object) -> str:
    """Say why three runs of `add_pair` don't take `shoes` to 2, 4, 6; "" if they do."""
    if not isinstance(add_pair, tf.Tensor | tf.Operation | tf.Variable):
        return _no_op(add_pair)
    watch = [shoes] if isinstance(shoes, tf.Variable) else []
    if watch and shoes.graph is not add_pair.graph:
        return f"{AGAIN} `shoes` and `add_pair` are from different graphs."
    try:
        given, held = _three_runs(add_pair, watch)
    except Exception as error:  # whatever stops a run, a check says it and goes on
        return f"Make `add_pair` run without feeds. A run stops: {first_line(error)}."
    if not watch:
        return _no_variable(shoes, given)
    if any(np.shape(value) or np.asarray(value).dtype.kind not in "iuf" for value in held):
        return "`shoes` should hold one number, so try the initial value 0."
    if held != [0, 2, 4, 6]:
        return _miscounted(add_pair, given, held)
    if isinstance(add_pair, tf.Operation) or np.array_equal(given, [2, 4, 6]):
        return ""
    return f"Let `add_pair` be what tf.assign_add returns. So far, three runs of it return {listed(given)}."


def _three_runs(add_pair: tf.Tensor | tf.Operation, watch: list[tf.Variable]) -> tuple[list, list]:
    """Return what three runs give, and what is watched before the first and after each."""
    with tf.Session(graph=add_pair.graph) as sess:
        initialize(sess, add_pair, *watch)
        given, held = [], sess.run(watch)
        for _ in range(3):
            given.append(sess.run(add_pair))
            held += sess.run(watch)
    return given, held


def _no_op(add_pair: object) -> str:
    kind = type(add_pair).__name__
    if add_pair is None:
        return "Let tf.assign_add make `add_pair`, which is still None."
    if isinstance(add_pair, list | tuple):
        return (
            f"Build one op for all runs. So far, `add_pair` is a {kind} of length {len(add_pair)}."
        )
    what = "a Python function" if callable(add_pair) else f"a Python {kind}, not an op"
    return f"Let tf.assign_add make `add_pair`, which is {what}."


def _no_variable(shoes: object, given: list) -> str:
    if isinstance(shoes, tf.Tensor):
        makes = "which is what tf.constant or `shoes += 2` makes"
        return f"Use tf.Variable. So far, `shoes` is a tensor, {makes}."
    kind = f"`shoes` is a Python {type(shoes).__name__}"
    if given[0] is None or _differ(given):
        return f"Make `shoes` a Variable. {kind}, and `add_pair` adds to something else."
    return (
        f"Make `shoes` a Variable. Three runs return {listed(given)}, because {kind},\n"
        "whose number went into the graph once, when the graph was built."
    )


def _miscounted(add_pair: tf.Tensor | tf.Operation, given: list, held: list) -> str:
    start, first = held[:2]
    after, steps = listed(held[1:]), np.diff(held)
    if not steps.any():
        if _differ(given):
            return f"{AGAIN} `add_pair` changes another Variable, and `shoes` stays at {start:g}."
        if getattr(add_pair, "op", add_pair).type == "Const":
            return "Let tf.assign_add make `add_pair`, which is a constant."
        return f"Use tf.assign_add: `add_pair` doesn't change `shoes`, which stays at {start:g}."
    if start != 0:
        return f"Try another start. `shoes` starts at {start:g}, so the first run makes it {first:g}, not 2."
    if all(steps == steps[0]):
        return f"Add 2, with one op. Each run adds {steps[0]:g}, so `shoes` holds {after}."
    if first == held[2] == held[3]:
        return f"Try tf.assign_add. tf.assign replaces the number, so each run sets `shoes` to {first:g}."
    return f"Add 2 in each run. `shoes` holds {after} after the runs."


def _not_held(name: str, sess: tf.Session, shoes: tf.Variable) -> str:
    """Say what is wrong with what a learner's session holds, if anything is."""
    if not isinstance(sess, tf.Session):
        return f"Leave the first line as it is, because `{name}` should be a session."
    if sess.graph is not shoes.graph:
        return f"{AGAIN} `{name}` is a session of another graph."
    try:
        held = sess.run(shoes)
    except RuntimeError:
        return f"Leave `{name}` open for the check. It's closed now, perhaps by the end of its `with` block."
    except tf.errors.FailedPreconditionError as error:
        advice = "Build an initializer after `shoes`, and run it in each session."
        if sess.state:  # an initializer has run
            advice += f"\nThe one that `{name}` has run was built before `shoes`, so it leaves `shoes` out."
        return f"{advice}\nIn `{name}`: {first_line(error)}."
    if name == "b":
        return "" if held == 0 else f"Run `add_pair` in `a` only. So far, `b` holds {held}, not 0."
    if held == 0:
        return "Run `add_pair` in `a`, after the initializer, which puts the 0 back. `a` still holds 0."
    wrong = (
        f"Try 3 runs of `add_pair` after the last initialization. So far, `a` holds {held}, not 6."
    )
    return "" if held == 6 else wrong


def _right(shoes: tf.Variable) -> Verdict:
    """Say that an answer is right, and kindly what could be better."""
    changes = len(updates_of(shoes, shoes.graph.get_operations()))
    remarks = {
        "add trainable=False, or an optimizer could train your shoes, too.": shoes.trainable,
        "let it start at 0, not 0.0, because a counter holds whole numbers.": shoes.dtype.is_floating,
        f"one op is enough, since you can run it again. Here, {changes} change `shoes`.": changes
        > 1,
    }
    said = "`a` holds 6 and `b` holds 0. One Variable, two values!"
    return Verdict(
        True, "\nOne remark: ".join([said, *(text for text, holds in remarks.items() if holds)])
    )


def _differ(given: list) -> bool:
    return not np.array_equal(given, given[:1] * 3)
