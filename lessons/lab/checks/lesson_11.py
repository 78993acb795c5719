"""The check of lesson 11: a hook that tests the model, in the whole script, killed and started again."""

import tempfile
from collections import namedtuple
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import minitf as tf
from inherited.repairs import LOG_AFTER
from lab.checks.verdict import Verdict, advice, first_that_holds, judge, listed
from lab.checks.watched_training import reads
from lab.experiments.errors import type_and_first_line
from lab.experiments.inherited import curve, inherited, killed_at, run_in_this_graph
from lab.experiments.ordering import is_variable, ordered, updates_of
from lab.files.logged import logged
from minitf.client.feeds_and_fetches import flatten

ASK = "Try returning tf.train.SessionRunArgs(self.rate) in before_run."
STOPPED = {
    "'sess'|the session is closed": "Try run_context.session: that's the session here.",
    "Graph is finalized": "Try fetching the number with run_context.session. The hook makes an op:\n"
    "even comparing a Variable or adding to it makes one.",
    "must feed a value": "Try feeding self.test: this run has no images.",
    "Same tensor is fed": "Try testing in a separate run, in after_run. The training run has its own batch.",
    "SessionRunValues": "Try run_values.results: that's the number, and run_values holds more.",
    "NoneType|'fetches'": ASK,
    r"to (list|dict|tuple)\.": "Try fetching self.rate alone: results has the form of what you fetched.",
    r"to Tensor\.|not '?(Tensor|Variable)": "Try fetching the rate in before_run, and the step and the\n"
    "accuracy in after_run, with run_context.session. A tensor isn't a number.",
}
NOTHING = "Try calling self.log(step, rate, reads) in after_run: so far, nothing is logged."
WHEN = "Try logging after the first update, and then after every 50 more: 1, 51, 101 and so on, up to 351."
WHERE = "Try fetching the rate in before_run, and the step in after_run, when the update is done."
APART = "The step and the rate don't belong together: update 1 used the rate 0.5000."
TEST = "Try running self.accuracy with the feed self.test, after the update."
POINTS = "Try calling self.log once for each line: the lines are right, but the test curve isn't."
BESIDE = """Try asking the session for the step, and don't keep your own count.
Killed at batch 250, the script resumes at step 201, but your hook says step {}."""
RACE = """Try reading the step in after_run: run_context.session.run(...). It's right here, but only by luck:
you fetch the step in the run that updates it, and TensorFlow may read it before or after (lesson 07)."""
Lines = list[list[str]]  # the step, the rate and the accuracy of each


# What the script did with a hook, run to its end: its lines, and the test curve's steps. Elsewhere
# it was killed, which left these checkpoints, and started again.
Ran = namedtuple("Ran", "lines points kept again")


@judge
def check_log_hook(hook: type[tf.train.SessionRunHook]) -> Iterator[Verdict | str]:
    """The script with this LogTest logs the right steps, rates and accuracies, also after a kill."""
    if not (isinstance(hook, type) and issubclass(hook, tf.train.SessionRunHook)):
        yield "Try `class LogTest(tf.train.SessionRunHook):`, because `LogTest` should be a hook."
    wanted = _wanted()
    try:
        ran = _ran(hook)
    except Exception as error:  # whatever the learner wrote
        said = type_and_first_line(error)
        yield f"The script stops with {said}\n{advice(said, STOPPED)}"
    yield _of_the_lines(ran.lines, wanted.lines)
    yield "" if ran.points == wanted.points else POINTS
    yield "" if ran.again == wanted.again else BESIDE.format(*(ran.again or [["none"]])[0])
    yield "" if _ran(type("LogTest", (_Otherwise, hook), {})).lines == wanted.lines else RACE
    left = f"Killed at batch 250, the script leaves {listed(ran.kept)}."
    goes_on = "Started again, it picks up with `step {} rate {}`.".format(*ran.again[0])
    yield Verdict(True, f"{left}\n{goes_on}")


def _ran(hook: type | None = None) -> Ran:
    """Run the script with a hook, or with its own."""
    script, parts = inherited(12), {}
    if hook:
        script, parts = script.replace(LOG_AFTER, ""), {"LogTest": hook}

    def lines(folder: str, script: str) -> Lines:
        with tf.Graph().as_default():
            said = run_in_this_graph(f"{home}/{folder}", script, **parts)
        words = [line.split() for line in said if line.startswith("step ")]
        return [[*each[1::2][:2], each[-1]] for each in words]

    with tempfile.TemporaryDirectory() as home, logged():
        whole = lines("whole", script)
        with suppress(InterruptedError):
            lines("killed", killed_at(250, script))
        kept = sorted(path.stem for path in Path(home, "killed").glob("*.index"))
        points = [step for step, _ in curve(f"{home}/whole")]
        return Ran(whole, points, kept, lines("killed", script))


_wanted = cache(_ran)


class _Otherwise:
    """Gives a hook what it may also get, if it asks for the step in the run of the update."""

    asked = ()

    def before_run(self, run_context: Any) -> Any:
        args = super().before_run(run_context)
        if args is None or args.fetches is None:
            return args
        asked, self.rebuild = flatten(args.fetches, tf.get_default_graph())
        if asked != self.asked:
            self.asked, self.races = asked, [_races(fetch) for fetch in asked]
        return args._replace(fetches=list(asked))

    def after_run(self, run_context: Any, run_values: Any) -> None:
        def otherwise(fetch: tf.Tensor, got: Any) -> Any:
            if is_variable(fetch, tf.train.get_global_step()):
                return got - 1  # minitf read it after the update, and anything else before
            return run_context.session.run(fetch, run_context.original_args.feed_dict)

        if self.asked:
            found = zip(self.races, self.asked, run_values.results, strict=True)
            values = [otherwise(*of) if races else of[1] for races, *of in found]
            run_values = run_values._replace(results=self.rebuild(values))
        super().after_run(run_context, run_values)


def _races(fetch: tf.Tensor | tf.Operation) -> bool:
    """Whether no path orders an update of the step and a fetch that reads it."""
    step, ops = tf.train.get_global_step(), tf.get_default_graph().get_operations()
    updates = updates_of(step, ops)
    return any(not ordered(read, update) for read in reads(step, fetch) for update in updates)


def _of_the_lines(lines: Lines, wanted: Lines) -> str:
    """Name what is wrong with the steps, the rates or the accuracies."""
    if not lines:
        return NOTHING
    (steps, rates, got), (at, used, right) = zip(*lines, strict=True), zip(*wanted, strict=True)
    next_rates = tuple(f"{0.5 * 0.8 ** (int(step) / 100):.4f}" for step in steps)
    return first_that_holds(
        (steps != at, f"{WHEN}\nYou log the steps {listed(steps[:4])} ..., {len(steps)} in all."),
        (rates == next_rates, f"{WHERE}\n{APART}"),
        (rates != used, f"{ASK}\nThe rates are {listed(rates[:3])}, not {listed(used[:3])}."),
        (got != right, f"{TEST}\nThe accuracies are {listed(got[:3])}, not {listed(right[:3])}."),
    )
