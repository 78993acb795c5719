"""A verdict is what a check says; this module also holds what all lessons' checks share."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from numbers import Real

import numpy as np

import minitf as tf
from lab.experiments.errors import type_and_first_line
from minitf.client.session import program_of

KINDS = {
    Callable: "a function",
    list | tuple | set: "a list",
    tf.Operation: "an op",
    tf.Session: "a session",
    tf.Tensor: "a tensor",
    tf.Tensor | tf.Operation: "an op",
    tf.Variable: "a Variable",
}
KNOWN = {  # what to do about an error with such words
    "already exists": "Let one of the two make the step, and let the other one find it.",
    "None values not supported|global_step is required": "get_global_step() returns None as long as "
    "there is no step. Which of the two functions could make it first?",
    "more than 1 conditions": "Are the boundaries in order? Try putting the smaller one first.",
    "uninitialized": "Make every Variable in the exercise cell, and initialize it before it's read.",
    "same graph|element of this graph": "That mixes two graphs. Inside your function, use no tensor "
    "and no Variable from another cell or graph.",
    "": "Fix that first, and run the exercise cell again. Keep the names it came with.",
}


@dataclass(frozen=True)
class Verdict:
    """What a check says: true if the answer is right."""

    right: bool
    message: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{'Right!' if self.right else 'Not yet.'} {self.message}"


def judge(check: Callable[..., object]) -> Callable[..., Verdict]:
    """Decorate a check, so that it gets what its annotations say, and no error gets out of it.

    It returns what is missing, or Verdict(True, ...). Or it yields what is wrong, "" if that is
    nothing, one thing after the other, until something is; and last of all Verdict(True, ...).
    """

    @functools.wraps(check)
    def judged(*answer: object) -> Verdict:
        try:
            said = misfit(check, answer) or check(*answer)
            if isinstance(said, Iterator):
                said = next(filter(None, said))
        except Exception as error:  # a learner may build anything
            stopped = type_and_first_line(error)
            said = f"The check couldn't run what you built: {stopped}\n{advice(stopped, KNOWN)}"
        return said if isinstance(said, Verdict) else Verdict(False, said)

    return judged


def misfit(check: Callable[..., object], answer: Sequence) -> str:
    """Say which part of an answer isn't of the kind that the check asks for, or is in another graph."""
    kinds = inspect.get_annotations(check, eval_str=True)
    for (name, kind), given in zip(kinds.items(), answer, strict=False):
        if kind in KINDS and not isinstance(given, kind):
            return f"`{name}` should be {KINDS[kind]}. So far it's {given!r}."
        if getattr(given, "graph", tf.get_default_graph()) is not tf.get_default_graph():
            return (
                f"`{name}` is in another graph. Run the exercise cell again until there's no error."
            )
    return ""


def first_that_holds(*cases: tuple[object, str]) -> str:
    """Return what the first case says whose condition is true; "" if there is none."""
    return next((said for holds, said in cases if holds), "")


def initialize(sess: tf.Session, *fetches: tf.Tensor | tf.Operation) -> None:
    """Run the initializers of the Variables that `fetches` need, and add nothing to the graph.

    Of no others: a wrong try may have left some that cannot be initialized.
    """
    needed = set(program_of(list(fetches)).ops)
    fetched = [fetch for fetch in fetches if isinstance(fetch, tf.Variable)]
    known = {*tf.global_variables(), *fetched}
    sess.run([variable.initializer for variable in known if variable.op in needed])


def watched(train_op: tf.Operation, *watch: tf.Tensor, runs: int) -> list[list]:
    """Train in a new session; return what `watch` holds before the first run and after each.

    Each placeholder is fed the same ten examples, from 1 to 2.
    """
    examples = np.linspace(1, 2, 10).reshape(10, 1)
    feeds = {tensor: examples for tensor, _ in program_of([train_op, *watch]).parameters}
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, *watch)
        seen = [sess.run(list(watch), feeds)]
        for _ in range(runs):
            sess.run(train_op, feeds)
            seen.append(sess.run(list(watch), feeds))
    return seen


# What a learner's function does, and what a counter holds.


def no_function(**functions: Callable) -> str:
    """Name the first that is not a function, if there is one."""
    wrong = [name for name, function in functions.items() if not callable(function)]
    return f"`{wrong[0]}` should be a function. Run the exercise cell again." if wrong else ""


def called(function: Callable, *arguments: object) -> tuple[Future, tf.Graph]:
    """Call a function in a thread, which has its own default graph; return how that ended, and the graph."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments), thread.submit(tf.get_default_graph).result()


def advice(said: str, known: dict[str, str]) -> str:
    """Return what `known` advises against an error with such words."""
    found = (advised for words, advised in known.items() if re.search(words, said))
    return next(found, "Fix that first, and run the exercise cell again.")


def miscounted(name: str, held: Sequence[float]) -> str:
    """Say what is wrong with what a counter holds before the first run and after each, if anything is."""
    if held[-1] == held[0]:
        return f"`{name}` stays at {held[0]:g}: no run adds one. Which call builds the `+ 1`?"
    if list(held) != [held[0] + run for run in range(len(held))]:
        return f"`{name}` goes {listed(held[:4])}. Count each run once."
    return ""


def listed(values: Iterable, between: str = ", ") -> str:
    """Return numbers as a list to read, and anything else as Python shows it."""
    return between.join(f"{value:g}" if isinstance(value, Real) else str(value) for value in values)
