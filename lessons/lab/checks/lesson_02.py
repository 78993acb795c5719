"""The checks of lesson 02: a Variable that counts, and one that counted in one session only."""

from dataclasses import dataclass

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, listed
from lab.experiments.errors import first_line
from lab.experiments.ordering import updates_of

AGAIN = "Run the exercise cell again, without an error."


@judge
def check_counting(counter: tf.Variable, count_op: tf.Tensor | tf.Operation) -> Verdict | str:
    """Three runs of `count_op` give 1, 2, 3, because `counter` is a Variable."""
    wrong = Counter("counter", counter, "count_op", count_op, 1).mistake()
    return wrong or _right(
        "Three runs give 1, 2, 3: the session's state keeps the number.", counter
    )


@judge
def check_two_sessions(
    a: tf.Session, b: tf.Session, shoes: tf.Variable, add_pair: tf.Tensor | tf.Operation
) -> Verdict | str:
    """`add_pair` adds 2 to `shoes`, of which session `a` holds 6 and session `b` holds 0."""
    wrong = Counter("shoes", shoes, "add_pair", add_pair, 2).mistake()
    wrong = wrong or _not_held("a", a, shoes) or _not_held("b", b, shoes)
    return wrong or _right("`a` holds 6 and `b` holds 0: one Variable, two values.", shoes)


@dataclass(frozen=True)
class Counter:
    """A Variable that should count by `by`, the op that should do it, and what both are called."""

    name: str
    variable: tf.Variable
    op_name: str
    op: tf.Tensor | tf.Operation
    by: int

    def mistake(self) -> str:
        """Say what is wrong, the first thing first; "" if nothing is."""
        if not isinstance(self.op, tf.Tensor | tf.Operation | tf.Variable):
            return self._no_op()
        watch = [self.variable] if isinstance(self.variable, tf.Variable) else []
        if watch and self.variable.graph is not self.op.graph:
            return f"`{self.name}` and `{self.op_name}` are from different graphs. {AGAIN}"
        try:
            given, held = self._three_runs(watch)
        except Exception as error:  # whatever stops a run, a check says it and goes on
            return f"A run stops: {first_line(error)}.\n`{self.op_name}` should run without feeds."
        if not watch:
            return self._no_variable(given)
        if any(np.shape(value) or np.asarray(value).dtype.kind not in "iuf" for value in held):
            return f"`{self.name}` does not hold one number. Its initial value should be 0."
        wanted = [runs * self.by for runs in range(4)]
        if held != wanted:
            return self._miscounted(given, held)
        if isinstance(self.op, tf.Operation) or np.array_equal(given, wanted[1:]):
            return ""
        return f"`{self.op_name}` gives {listed(given)}. It should be what tf.assign_add returns."

    def _three_runs(self, watch: list[tf.Variable]) -> tuple[list, list]:
        """Return what three runs give, and what is watched before the first and after each."""
        with tf.Session(graph=self.op.graph) as sess:
            initialize(sess, self.op, *watch)
            given, held = [], sess.run(watch)
            for _ in range(3):
                given.append(sess.run(self.op))
                held += sess.run(watch)
        return given, held

    def _no_op(self) -> str:
        kind = type(self.op).__name__
        if self.op is None:
            return f"`{self.op_name}` is still None. Let tf.assign_add make it."
        if isinstance(self.op, list | tuple):
            return f"`{self.op_name}` is a {kind} of {len(self.op)} things. Build one for all runs."
        what = "a Python function" if callable(self.op) else f"a Python {kind}, not an op"
        return f"`{self.op_name}` is {what}. It should be what tf.assign_add returns."

    def _no_variable(self, given: list) -> str:
        if isinstance(self.variable, tf.Tensor):
            made = f"tf.constant makes one, and so does `{self.name} += {self.by}`"
            return f"`{self.name}` is a tensor: {made}. Use tf.Variable."
        kind = f"`{self.name}` is a Python {type(self.variable).__name__}"
        if given[0] is None or _differ(given):
            return f"`{self.op_name}` adds to something else: {kind}. Make that a Variable."
        once = "its number went into the graph once, when the graph was built. Make it a Variable."
        return f"Three runs give {listed(given)}. {kind}:\n{once}"

    def _miscounted(self, given: list, held: list) -> str:
        name, op_name, by = self.name, self.op_name, self.by
        start, after, steps = held[0], listed(held[1:]), np.diff(held)
        if not steps.any():
            if _differ(given):
                return f"`{op_name}` changes another Variable: `{name}` stays {start:g}. {AGAIN}"
            if getattr(self.op, "op", self.op).type == "Const":
                return f"`{op_name}` is still a constant. Let tf.assign_add make it."
            return f"`{op_name}` does not change `{name}`: it stays {start:g}. Use tf.assign_add."
        if start != 0:
            return f"`{name}` starts at {start:g}, so a run makes it {held[1]:g}. Which start gives {by}?"
        if all(steps == steps[0]):
            return f"Each run adds {steps[0]:g}, so `{name}` holds {after}. Add {by}, with one op."
        if held[1] == held[2] == held[3]:
            return f"Each run sets `{name}` to {held[1]:g}: tf.assign replaces, and doesn't add."
        return f"`{name}` holds {after} after the runs. Add {by} in each run."


def _not_held(name: str, sess: tf.Session, shoes: tf.Variable) -> str:
    """Say what is wrong with what a learner's session holds, if anything is."""
    if not isinstance(sess, tf.Session):
        return f"`{name}` should be a session: leave the first line as it is."
    if sess.graph is not shoes.graph:
        return f"`{name}` is a session of another graph. {AGAIN}"
    try:
        held = sess.run(shoes)
    except RuntimeError:
        return f"`{name}` is closed: a `with` ends its session. Leave it open for the check."
    except tf.errors.FailedPreconditionError as error:
        return f"In `{name}`: {first_line(error)}.\nRun the initializer in each session."
    if name == "b":
        return "" if held == 0 else f"`b` holds {held}, not 0: run `add_pair` in `a` only."
    if held == 0:
        return "`a` holds 0. Run `add_pair` in it, after the initializer, which puts the 0 back."
    wrong = f"`a` holds {held}, not 6: that takes 3 runs since its last initialization."
    return "" if held == 6 else wrong


def _right(said: str, counter: tf.Variable) -> Verdict:
    """Say that an answer is right, and kindly what could be better."""
    changes = len(updates_of(counter, counter.graph.get_operations()))
    remarks = {
        "training must not change a counter. Add trainable=False.": counter.trainable,
        "a counter holds whole numbers. Let it start at 0, not 0.0.": counter.dtype.is_floating,
        f"{changes} ops change this counter. One is enough: run it again.": changes > 1,
    }
    said = [said, *(remark for remark, holds in remarks.items() if holds)]
    return Verdict(True, "\nOne remark: ".join(said))


def _differ(given: list) -> bool:
    return not np.array_equal(given, given[:1] * 3)
