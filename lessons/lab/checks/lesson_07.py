"""The check of lesson 07: a log line that is right in every order that the edges allow."""

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

import minitf as tf
from lab.checks.verdict import Verdict, advice, judge, listed, miscounted, no_function
from lab.checks.watched_training import reads
from lab.experiments.errors import first_line
from lab.experiments.ordering import all_before, is_variable, ordered, updates_of, waits_for
from minitf.client.feeds_and_fetches import flatten

CALLS, RESUMED = 3, 40  # calls of the learner's function, and a step to go on from
LINE = re.compile(r"step (\d+) rate (\d\.\d+)")
Said = list[tuple[int, str]]  # the step and the rate of each line
AGAIN = "Run the exercise cell again until it ends without an error."
STOPPED = {"uninitialized": "Make every Variable in the exercise cell, outside `train_once`."}
ITSELF = """Try two runs. In the run that updates a Variable, TensorFlow promises nothing about when the
Variable itself is read: one kind of Variable gave us the new value in every run, a newer kind
mostly the old one."""
HANDED = """Try a sum, because adding has to read the number. `{}` only passes along where the Variable keeps
it, so an update that waits for this op doesn't wait for a read."""
OUTSIDE = """What you fetch does wait for the update. But `{}`, made outside the `with`, does the reading.
Try making it inside."""
ELSEWHERE = "`{}` waits for something, but not for the + 1. Try letting it wait for `train_op`."
GROWS = """The lines are right, but each call of `train_once` builds new ops, so the graph grows without end.
You could build them once, outside the function."""
NO_PATH = "No path joins the + 1 and the op `{}`. Try making one, or use two runs."


class AnyOrder(tf.Session):
    """Runs as TensorFlow may: a read that no path orders comes before the update or, if `late`, after."""

    def __init__(self, step: tf.Variable, late: bool):
        """Run the graph of `step`; `luck` is to say which reads no path orders."""
        super().__init__(graph=step.graph)
        self.step, self.late, self.luck = step, late, []

    def run(self, fetches: Any, feed_dict: Mapping | None = None, *_: Any, **__: Any) -> Any:
        """Run `fetches`, with all reads that no path orders on the same side of the update."""
        elements, rebuild = flatten(fetches, self.graph)
        ops = {op for part in elements for op in all_before(getattr(part, "op", part))}
        fed, given = dict(feed_dict or {}), {}
        for update in updates_of(self.step, ops)[:1]:
            for part in elements:
                for read in reads(self.step, part):
                    if not ordered(read, update):
                        self.luck.append(_why(part, read.op, update, self.step))
                        seen = read.op.outputs[0]
                        given[seen] = self._seen(seen, feed_dict)
        fed |= {read: value for read, value in given.items() if not is_variable(read, self.step)}
        values = super().run(list(elements), fed)
        return rebuild([given.get(part, v) for part, v in zip(elements, values, strict=True)])

    def _seen(self, read: tf.Tensor, feed_dict: Mapping | None) -> Any:
        """Return what a read sees, and leave no trace in the state."""
        with self.paused() as state:
            kept, name = copy.deepcopy(dict(state)), self.step.op.name
            state[name] = state[name].dtype.type(state[name] + self.late)
            try:
                return super().run(read, feed_dict)
            finally:
                state.update(kept)


def _why(part: tf.Tensor, read: tf.Operation, update: tf.Operation, step: tf.Variable) -> str:
    """Say why no path orders a read for a fetched tensor."""
    if read is step.op:
        return ITSELF
    if waits_for(update, read):
        return HANDED.format(read.name)
    if waits_for(part.op, update):
        return OUTSIDE.format(read.name)
    waits = any(op.control_inputs for op in all_before(read))
    return (ELSEWHERE if waits else NO_PATH).format(read.name)


@judge
def check_log(train_once: Callable[[tf.Session], str], global_step: tf.Variable) -> Verdict | str:
    """`train_once(sess)` trains once; its line has the number of updates, and the rate of the last one."""
    if wrong := no_function(train_once=train_once):
        return wrong
    if not isinstance(global_step, tf.Variable):
        return f"`global_step` should be a Variable: leave its line as it is. {AGAIN}"
    said, luck, before = [], [], len(global_step.graph.get_operations())
    for late, start in ((False, 0), (True, 0), (False, RESUMED)):
        with global_step.graph.as_default(), AnyOrder(global_step, late) as sess:
            found = _lines(train_once, sess, start)
        if isinstance(found, str):
            return found
        said.append(found)
        luck += sess.luck
    if wrong := _of_the_steps(*said, luck):
        return wrong
    rates, wanted = [rate for _, rate in said[0]], [_rate(n) for n in range(CALLS + 1)]
    if rates == wanted[1:]:
        return (
            "The steps are right, but each rate belongs to the next update.\n"
            "Try fetching it with `train_op`."
        )
    if rates != wanted[:-1]:
        return (
            f"The steps are right, but the rates are {listed(rates)}. Leave the schedule as it is."
        )
    if len(global_step.graph.get_operations()) > before:
        return GROWS
    lines = [f"step {step} rate {rate}" for step, rate in said[0]]
    return Verdict(
        True, f"{listed(lines)}.\n`train_once` says so in every order that the edges allow."
    )


def _rate(step: int) -> str:
    return f"{0.5 * 0.8 ** (step / 100):.4f}"


def _lines(train_once: Callable[[tf.Session], str], sess: AnyOrder, start: int) -> Said | str:
    """Call the function some times; return what its lines say, or what is wrong with them."""
    sess.run([variable.initializer for variable in tf.global_variables()])
    sess.step.load(start, sess)
    said, held = [], [start]
    for _ in range(CALLS):
        try:
            line = train_once(sess)
        except Exception as error:  # whatever the learner wrote
            words = first_line(error)
            return f"`train_once` stops: {words}\n{advice(words, STOPPED)}"
        if not (found := LINE.fullmatch(str(line))):
            return f"`train_once` should return a line like 'step 1 rate 0.5000', not {line!r}."
        said.append((int(found[1]), found[2]))
        held.append(sess.run(sess.step).item())
    if held[-1] == start:
        return "The step stays as it was: `train_once` doesn't run `train_op`, or nothing counts."
    return miscounted("global_step", held) or said


def _of_the_steps(early: Said, late: Said, resumed: Said, luck: list[str]) -> str:
    """Name what is wrong with the steps in one order, in another, and after going on from a step."""
    (first, _), (other, _), (later, _) = early[0], late[0], resumed[0]
    if luck and first != other:
        return f"After the first update it may say step {first}, or step {other}.\n{luck[0]}"
    if later - RESUMED != first:
        return (
            f"When training continues from step {RESUMED}, the first line says step {later}.\n"
            "Don't keep your own count: read `global_step`."
        )
    if first == 0:
        return (
            "After the first update it says step 0, in every order: the read comes before the update.\n"
            "Let the read wait for the update instead, or read in a second run."
        )
    steps = [step for step, _ in early]
    return "" if steps == [1, 2, 3] else f"After updates 1 to 3 it says step {listed(steps)}."
