"""The check of lesson 11: a hook that stops training at the first loss below its limit."""

from collections.abc import Iterator
from dataclasses import dataclass

import minitf as tf
from lab.checks.verdict import Verdict, advice, first_that_holds, judge
from lab.experiments.errors import type_and_first_line
from lab.files.logged import logged
from minitf.client.feeds_and_fetches import flatten

CASES = (  # what the loss is called, the limit, the losses, and after which run to stop
    ("loss", 0.5, (5.0, 0.5, 0.4, 2.0, 0.1, 0.001), 3),  # 0.5 is not below 0.5
    ("cost", 2.0, (1.5, 4.0, 3.0, 0.2, 0.2), 1),
    ("loss", 0.1, (9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 0.05, 0.01), 9),
)
ARGS = "tf.train.SessionRunArgs(self.loss)."
STOPPED = {
    "StopIteration|OutOfRangeError": "The loop is left, but nobody asked for a stop. "
    "Call run_context.request_stop().",
    "Graph is finalized": "The hook makes an op: `self.loss < ...` makes one as well.\n"
    "self.loss is a tensor. Its number comes in run_values.results.",
    "must feed a value": "The hook starts its own run, and that run has no batch.\n"
    "Ask in before_run: then the loss comes from the same run.",
    "SessionRunValues": "run_values holds more than the loss. The number is run_values.results.",
    "'list'|'dict'|'tuple'": "results has the form of what you asked for. Ask for self.loss alone.",
    "does not exist": "The loss may have another name. Ask for self.loss.",
    "stop_requested": "A hook cannot set this. It calls run_context.request_stop().",
    "closed Session": "A hook does not close the session. It calls run_context.request_stop().",
}


@dataclass
class Training:
    """A training run whose losses are known, and what it did with the learner's hook."""

    name: str
    limit: float
    losses: tuple[float, ...]
    right: int
    runs: int = 0
    stopped: bool = False
    asked: object = None  # what before_run returned
    loss: tf.Tensor | None = None
    error: Exception | None = None


@judge
def check_stops_when_small(hook: type[tf.train.SessionRunHook]) -> Iterator[Verdict | str]:
    """Training with `hook(loss, limit)` ends with the first run whose loss is below the limit."""
    if not isinstance(hook, type):
        yield "`StopWhenSmall` should be a class. Run the exercise cell again."
    if not issubclass(hook, tf.train.SessionRunHook):
        why = "The session calls five methods of a hook."
        yield f"{why} Write `class StopWhenSmall(tf.train.SessionRunHook):` to get those you leave out."
    seen = [_train(hook, Training(*case)) for case in CASES]
    yield from (_of_an_error(one) for one in seen if one.error is not None)
    yield from (_of_the_runs(seen, one) for one in seen if not one.stopped or one.runs != one.right)
    runs = "{}, {} and {}".format(*(one.runs for one in seen))
    yield Verdict(True, f"It always stops at the first loss below its limit: after {runs} runs.")


def _train(hook: type[tf.train.SessionRunHook], one: Training) -> Training:
    """Feed one loss after the other, until the hook says stop."""

    def before_run(run_context: tf.train.SessionRunContext) -> object:
        one.asked = ask(run_context)
        return one.asked

    with tf.Graph().as_default(), logged():
        count = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        batch = tf.placeholder(tf.float32, [], name="batch")
        one.loss = tf.multiply(batch, 1.0, name=one.name)
        try:
            own = hook(one.loss, one.limit)
            ask, own.before_run = own.before_run, before_run
            with tf.train.SingularMonitoredSession(hooks=[own]) as sess:
                while one.runs < len(one.losses) and not sess.should_stop():
                    try:
                        sess.run(count, {batch: one.losses[one.runs]})
                    except Exception as error:  # also one by which a session ends quietly
                        one.error = error
                        break
                    one.runs += 1
                one.stopped = sess.should_stop()
        except Exception as error:
            one.error = one.error or error
    return one


def _of_an_error(one: Training) -> str:
    """Name what stopped training."""
    says = type_and_first_line(one.error)
    why = advice(says, STOPPED)
    if one.asked is None and "NoneType" in says:
        why = f"before_run asks for nothing, so run_values.results is None.\nLet it return {ARGS}"
    elif not isinstance(one.asked, tf.train.SessionRunArgs | None):
        why = f"before_run should return {ARGS}"
    return f"Training stops with {says}\n{why}"


def _of_the_runs(seen: list[Training], one: Training) -> str:
    """Name why this training run, the first of those that went wrong, ended too early or too late."""
    losses = ", ".join(f"{loss:g}" for loss in one.losses[: max(one.runs, one.right)])
    end = f"stops after run {one.runs}" if one.stopped else f"does not stop in {one.runs} runs"
    asked = getattr(one.asked, "fetches", one.loss)
    name = getattr(asked, "name", asked)
    elsewhere = one.loss not in flatten(asked, one.loss.graph)[0]
    never = not any(each.stopped for each in seen)
    same = {(True, one.runs)} == {(each.stopped, each.runs) for each in seen}
    late = {each.runs - each.right for each in seen}
    last = f"The loss {one.losses[one.runs - 1]:g} is not below {one.limit:g}. When is it small?"
    why = first_that_holds(
        (elsewhere, f"before_run asks for {name}, not for the loss. Ask for self.loss."),
        (never, "It never stops. Who calls run_context.request_stop()?"),
        (one.asked is None, "It does not look at the loss: before_run asks for nothing."),
        (same, f"It stops after run {one.runs} each time, whatever the loss is."),
        (late == {1}, "That is one run too late. Look at the loss of this run."),
        (one.runs < one.right, last),
        (one is seen[0], f"Stop at the first loss below self.limit: after run {one.right}."),
        (True, f"The loss of run {one.right} is below this limit. Compare with self.limit."),
    )
    return f"The limit is {one.limit:g}, the losses are {losses}.\nYour hook {end}. {why}"
