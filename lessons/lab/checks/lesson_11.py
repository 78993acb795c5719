"""The check of lesson 11: a hook that stops a training at the first loss below its limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import minitf as tf
from lab.checks.verdict import Verdict, judge, type_and_first_line
from lab.logged import logged


@dataclass(frozen=True)
class Case:
    """A training whose losses are known: what its loss is called, the limit, the losses."""

    name: str
    limit: float
    losses: tuple[float, ...]

    @property
    def right(self) -> int:
        """After which run to stop."""
        return next(run for run, loss in enumerate(self.losses, 1) if loss < self.limit)


CASES = (
    Case("loss", 0.5, (5.0, 0.5, 0.4, 2.0, 0.1, 0.001)),  # 0.5 is not below 0.5
    Case("cost", 2.0, (1.5, 4.0, 3.0, 0.2, 0.2)),
    Case("loss", 0.1, (9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 0.05, 0.01)),
)


@dataclass
class Seen:
    """What one training with the learner's hook did."""

    runs: int = 0
    stopped: bool = False
    asked: object = None  # what before_run returned
    loss: tf.Tensor | None = None
    error: Exception | None = None


@judge
def check_stops_when_small(hook: type[tf.train.SessionRunHook]) -> Verdict:
    """A training with `hook(loss, limit)` ends with the first run whose loss is below the limit."""
    if not isinstance(hook, type):
        return Verdict(False, "`StopWhenSmall` has to be a class. Run the exercise cell again.")
    if not issubclass(hook, tf.train.SessionRunHook):
        return Verdict(
            False,
            "The session calls five methods of a hook. Write `class StopWhenSmall("
            "tf.train.SessionRunHook):`, and you get those that you do not write.",
        )
    seen = [_train(hook, case) for case in CASES]
    for one in seen:
        if one.error is not None:
            return Verdict(False, _of_an_error(one))
    if [one.runs for one in seen] == [case.right for case in CASES] and seen[-1].stopped:
        return Verdict(
            True,
            f"It stops at the first loss below its limit: after {_listed(seen)} runs in three trainings.",
        )
    return Verdict(False, _of_the_runs(seen))


def _train(hook: type[tf.train.SessionRunHook], case: Case) -> Seen:
    """Feed one loss after the other, until the hook says stop."""
    seen = Seen()
    with tf.Graph().as_default(), logged():
        count = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        batch = tf.placeholder(tf.float32, [], name="batch")
        seen.loss = tf.multiply(batch, 1.0, name=case.name)
        try:
            own = _watched(hook(seen.loss, case.limit), seen)
            with tf.train.SingularMonitoredSession(hooks=[own]) as sess:
                for loss in case.losses:
                    _run(sess, count, {batch: loss}, seen)
                    if seen.error is not None or sess.should_stop():
                        break
                seen.stopped = sess.should_stop()
        except Exception as error:
            seen.error = seen.error or error
    return seen


def _run(sess: tf.train.SingularMonitoredSession, op: tf.Tensor, feed: dict, seen: Seen) -> None:
    try:
        sess.run(op, feed)
        seen.runs += 1
    except Exception as error:  # also one by which a session ends quietly
        seen.error = error


def _watched(hook: tf.train.SessionRunHook, seen: Seen) -> tf.train.SessionRunHook:
    """Let `hook` note what its before_run returns."""
    ask: Callable = hook.before_run

    def before_run(run_context: tf.train.SessionRunContext) -> object:
        seen.asked = ask(run_context)
        return seen.asked

    hook.before_run = before_run
    return hook


def _listed(seen: list[Seen]) -> str:
    return f"{', '.join(str(one.runs) for one in seen[:-1])} and {seen[-1].runs}"


def _of_an_error(seen: Seen) -> str:
    """Name what stopped a training."""
    error = seen.error
    says = f"The training stops with {type_and_first_line(error)}\n"
    if isinstance(error, StopIteration | tf.errors.OutOfRangeError):
        return (
            f"{says}The loop is left, but nobody asked for a stop. Call run_context.request_stop()."
        )
    if "Graph is finalized" in says:
        return (
            f"{says}The hook makes an op: `self.loss < ...` makes one, too.\n"
            "self.loss is a tensor. Its number comes in run_values.results."
        )
    if "must feed a value" in says:
        return (
            f"{says}The hook starts a run of its own, and that run has no batch.\n"
            "Ask in before_run: then the loss comes from the same run."
        )
    if seen.asked is not None and not isinstance(seen.asked, tf.train.SessionRunArgs):
        return f"{says}before_run has to return tf.train.SessionRunArgs(self.loss)."
    if seen.asked is None and "NoneType" in says:
        return (
            f"{says}before_run asks for nothing, so run_values.results is None.\n"
            "Let it return tf.train.SessionRunArgs(self.loss)."
        )
    if "SessionRunValues" in says:
        return f"{says}run_values holds more than the loss. The number is run_values.results."
    if "'list'" in says or "'dict'" in says or "'tuple'" in says:
        return f"{says}results has the form of what you asked for. Ask for self.loss alone."
    if "does not exist" in says:
        return f"{says}The loss may have another name. Ask for self.loss."
    if "stop_requested" in says:
        return f"{says}A hook cannot set this. It calls run_context.request_stop()."
    if "closed Session" in says:
        return f"{says}A hook does not close the session. It calls run_context.request_stop()."
    return f"{says}Repair that first, and run the exercise cell again."


def _of_the_runs(seen: list[Seen]) -> str:
    """Name why a training ended at the wrong run."""
    number = next(n for n, one in enumerate(seen) if not one.stopped or one.runs != CASES[n].right)
    case, one = CASES[number], seen[number]
    losses = ", ".join(f"{loss:g}" for loss in case.losses[: max(one.runs, case.right)])
    end = f"stops after run {one.runs}" if one.stopped else f"does not stop in {one.runs} runs"
    shown = f"The limit is {case.limit:g}, the losses are {losses}.\nYour hook {end}. "
    if isinstance(one.asked, tf.train.SessionRunArgs) and not _asks_for(
        one.asked.fetches, one.loss
    ):
        name = getattr(one.asked.fetches, "name", one.asked.fetches)
        return f"{shown}before_run asks for {name}, not for the loss. Ask for self.loss."
    runs = [each.runs for each in seen]
    if not any(each.stopped for each in seen):
        return f"{shown}It never stops. Who calls run_context.request_stop()?"
    if one.asked is None:
        return f"{shown}It does not look at the loss: before_run asks for nothing."
    if len(set(runs)) == 1 and all(each.stopped for each in seen):
        return f"{shown}It stops after run {runs[0]} each time, whatever the loss is."
    late = [each.runs - case.right for each, case in zip(seen, CASES, strict=True)]
    if set(late) == {1}:
        return f"{shown}That is one run too late. Look at the loss of this run."
    if one.runs < case.right:
        last = case.losses[one.runs - 1]
        return f"{shown}The loss {last:g} is not below {case.limit:g}. When is the loss small?"
    if number:  # an earlier limit was the right one
        return f"{shown}The loss of run {case.right} is below this limit. Compare with self.limit."
    return f"{shown}Stop at the first loss below self.limit: after run {case.right}."


def _asks_for(fetches: object, loss: tf.Tensor) -> bool:
    """Whether `fetches` has the loss in it, by itself or by its name."""
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, list | tuple):
        return any(_asks_for(part, loss) for part in fetches)
    return fetches is loss or fetches == loss.name
