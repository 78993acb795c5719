"""The check of lesson 11: a hook that tests the model, in the whole script, killed and started again."""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

import minitf as tf
from inherited.repairs import LOG_AFTER
from lab.checks.script_log import log_differs
from lab.checks.verdict import Verdict, judge
from lab.experiments.errors import type_and_first_line
from lab.experiments.inherited import curve, inherited, killed_at, run_in_this_graph
from lab.files.logged import logged

STOPPED = """Try returning tf.train.SessionRunArgs(self.rate) in before_run. In after_run, run_values.results
is that rate, and run_context.session is the session for all other runs. Fetch only what's in the graph:
even comparing a Variable makes an op. The accuracy needs the feed self.test, so it needs its own run."""
HINTS = (
    """Try reading the step in after_run, from the session, and calling self.log after the updates 1, 51,
101 and so on. (Killed at batch 250, the script resumes at step 201, so you can't keep your own count.)""",
    "Try fetching self.rate in before_run, because the update used that rate, and not the next one.",
    "Try running self.accuracy with the feed self.test, after the update.",
)
POINTS = "Try calling self.log once for each line: the lines are right, but the test curve isn't."
RACE = """Try reading the step in after_run: run_context.session.run(...). It's right here, but only by luck:
you fetch the step in the run that updates it, and TensorFlow may read it before or after (lesson 07)."""


@judge
def check_log_hook(hook: type) -> Iterator[Verdict | str]:
    """The script with this LogTest logs the right steps, rates and accuracies, also after a kill."""
    script, curve_of_script = _script()
    try:
        lines, points = _ran(hook)
    except Exception as error:  # whatever the learner wrote
        yield f"The script stops with {type_and_first_line(error)}\n{STOPPED}"
    yield log_differs("With your hook", lines, script, HINTS)
    yield "" if points == curve_of_script else POINTS
    otherwise, _ = _ran(type("LogTest", (_Otherwise, hook), {}))
    yield "" if otherwise == script else RACE
    yield Verdict(
        True, f"Killed at batch 250 and started again, the script picks up with\n{lines[8]}"
    )


def _ran(hook: type | None = None) -> tuple[list[str], list[tuple[int, float]]]:
    """Run the script with a hook, or its own; return its log, then one after a kill, and its curve."""
    script, parts = inherited(12), {}
    if hook:
        script, parts = script.replace(LOG_AFTER, ""), {"LogTest": hook}

    def log(folder: str, script: str) -> list[str]:
        with tf.Graph().as_default():
            return run_in_this_graph(f"{home}/{folder}", script, **parts)

    with tempfile.TemporaryDirectory() as home, logged():
        with suppress(InterruptedError):
            log("killed", killed_at(250, script))
        return log("whole", script) + log("killed", script), curve(f"{home}/whole")


_script = cache(_ran)


class _Otherwise:
    """Gives a hook what TensorFlow may also give it, if it fetches the step in the run of the update."""

    def after_run(self, run_context: Any, run_values: Any) -> None:
        super().after_run(run_context, run_values._replace(results=_older(run_values.results)))


def _older(results: Any) -> Any:
    """Subtract 1 from all whole numbers: in the training run, only the step is one."""
    if isinstance(results, dict):
        return {key: _older(value) for key, value in results.items()}
    if isinstance(results, list | tuple):
        return [_older(value) for value in results]
    return results - 1 if isinstance(results, np.integer) else results
