"""A verdict is what a check says; here, too, is what the checks of all lessons share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import minitf as tf
from minitf.client.session import program_of


@dataclass(frozen=True)
class Verdict:
    """What a check says: true if the answer is right."""

    right: bool
    message: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{'Right!' if self.right else 'Not yet.'} {self.message}"


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def type_and_first_line(error: Exception) -> str:
    """Return an error as the last line of a traceback has it."""
    kind, said = type(error).__name__, first_line(error)
    return kind if said == kind else f"{kind}: {said}"


def judge(check: Callable[..., Verdict]) -> Callable[..., Verdict]:
    """Decorate a check: what stops it, it says, and no error ever reaches the learner from it."""

    @functools.wraps(check)
    def judged(*answer: object, **named: object) -> Verdict:
        try:
            return check(*answer, **named)
        except Exception as error:  # a learner may build anything
            return Verdict(
                False,
                f"The check cannot run what you built: {type_and_first_line(error)}\n"
                "Run the exercise cell again, without an error, and keep its names.",
            )

    return judged


def not_built(train_op: tf.Operation, **tensors: tf.Tensor | tf.Variable) -> Verdict | None:
    """Say what stops a run before it starts: a thing of another kind, or of another graph."""
    if not isinstance(train_op, tf.Operation):
        return Verdict(False, "`train_op` has to be what minimize returns.")
    for name, tensor in tensors.items():
        if not isinstance(tensor, tf.Tensor | tf.Variable):
            return Verdict(False, f"`{name}` is not in the graph. Make it a Variable.")
    graphs = {id(part.graph) for part in (train_op, *tensors.values())}
    if graphs != {id(tf.get_default_graph())}:  # an exercise cell that stopped half-way
        return Verdict(
            False,
            "These are from different graphs: run the exercise cell again, without an error.",
        )
    return None


def initialize(sess: tf.Session, *fetches: tf.Tensor | tf.Operation) -> None:
    """Run the initializers of the Variables that `fetches` need, and add nothing to the graph.

    Of no others: a wrong try may have left some that cannot be initialized.
    """
    needed = set(program_of(list(fetches)).ops)
    known = {
        *tf.global_variables(),
        *(fetch for fetch in fetches if isinstance(fetch, tf.Variable)),
    }
    sess.run([variable.initializer for variable in known if variable.op in needed])


def examples_for(train_op: tf.Operation) -> dict[tf.Tensor, np.ndarray]:
    """Return ten examples from 1 to 2 for each placeholder that a run of the train op needs."""
    examples = np.linspace(1, 2, 10).reshape(10, 1)
    return {placeholder: examples for placeholder, _ in program_of(train_op).parameters}


def watched(train_op: tf.Operation, *watch: tf.Tensor, runs: int) -> list[list[float]]:
    """Train in a session of its own; return what `watch` holds before the first run and after each."""
    feeds = examples_for(train_op)
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, *watch)
        seen = [sess.run(list(watch))]
        for _ in range(runs):
            sess.run(train_op, feeds)
            seen.append(sess.run(list(watch)))
    return seen
