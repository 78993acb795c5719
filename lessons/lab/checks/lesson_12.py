"""The check of lesson 12: which curves and histograms two runs of the inherited script write."""

import functools
import itertools
import tempfile
from collections.abc import Iterator

import numpy as np

import minitf as tf
from lab.checks.changed import shows_changes
from lab.checks.verdict import Verdict, advice, first_that_holds, judge, listed
from lab.experiments.errors import line_in, type_and_first_line
from lab.experiments.inherited import SCRIPT, curve, inherited, run_inherited, written
from lab.files.logged import logged
from lab.files.temporary_folder import temporary_folder
from minitf.client.dependencies import races
from minitf.client.feeds_and_fetches import flatten
from minitf.client.watchers import SessionRun, Watcher, watching
from minitf.framework.events import Event, listening

STEPS = 800  # of two runs
STOPPED = {
    "finalized": "Here an op is made after the session has started. Try making it once, before that.",
    "should_stop": "Each `run` calls the hooks here, even one that only reads.\n"
    "Could a hook write the histograms?",
    "never ends": "No hook stops it. Does it still run the train op with `sess.run`, which calls the hooks?",
    "": "Look at this line and at the ones around it.",
}
RACE = """The step is read in a run that updates it, and no path orders the two: that's the race of lesson 07.
Try letting a hook write, because it reads the step after the update."""
OFF = "No event has it. Is there a summary of it, and does the session save summaries?"
AGAIN = """The second run is drawn over the first.
Try passing add_summary a step that the session counts: Python's own numbers start over in each run."""
DOUBLE = """Some steps are there twice. Either the script and a hook both write them, or two hooks do, or
an extra `run` calls the hook again."""
EARLY = "They should start at 1, so try reading the step after the update."
LONG = """Two runs of the script count 800 steps, so that's where it should end.
In the last 100 batches, does something you fetch wait for `train_op`, and so run it, too?"""
RARELY = """Two runs of the script count 800 steps. Up to the last one, no two points should be more
than {} apart."""
NOT_POLISHED = """The curves are right, but the last 100 batches no longer polish the model at a tenth
of the rate. Keep `op`, which is `train_op` at first and `polish_op` at the end."""
NO_LOGITS = (
    "Try passing the tensor `logits` to tf.summary.histogram: a batch has 500, below 0 and above 1."
)
RIGHT = "The loss is at steps 1 to 800, once each. The test accuracy and the histograms line up with it."


@shows_changes
@judge
def check_curves(script: str) -> Iterator[Verdict | str]:
    """Two runs write the loss at the steps 1 to 800, and every 50 a test and at least one histogram."""
    saw, asked = _Races(), itertools.count()

    def stop_in_time(event: Event) -> None:
        if event.name == "should_stop" and next(asked) > 3 * STEPS:
            raise RuntimeError("its loop never ends")

    with tempfile.TemporaryDirectory() as folder, logged(), watching(saw), listening(stop_in_time):
        for run in ("first", "second"):
            try:
                run_inherited(folder, script)
            except Exception as error:  # whatever the learner wrote
                said = type_and_first_line(error)
                stops = f"The {run} run stops{line_in(SCRIPT.name, error)}: {said}"
                yield f"{stops}\n{advice(said, STOPPED)}"
        values, tests = written(folder), curve(folder)
    yield _of_the_steps("loss is", [step for step, value in values if value.tag == "loss"], 1)
    yield _of_the_steps("test accuracy is", [step for step, _ in tests], 50)
    yield RACE if saw.any else ""
    yield "" if tests == _tests_of_the_script() else NOT_POLISHED
    hills = [(step, value.histo) for step, value in values if value.tag == "logits"]
    yield _of_the_steps("histograms `logits` are", [step for step, _ in hills], 50)
    last = hills[-1][1]
    yield "" if last.num == 500 and last.min < 0 < 1 < last.max else NO_LOGITS
    yield Verdict(True, RIGHT)


@functools.cache
def _tests_of_the_script() -> list[tuple[int, float]]:
    """Return the test accuracy in two runs of the script as lesson 13 finds it."""
    folder = temporary_folder()
    for _ in range(2):
        run_inherited(folder, inherited(13))
    return curve(folder)


class _Races(Watcher):
    """Notes whether a run fetches the step that it updates, in no order."""

    any = False

    def before_run(self, run: SessionRun) -> None:
        """Look at what the script and its own hooks fetch in this run."""
        by = run.fetches.items() if isinstance(run.fetches, dict) else [("", run.fetches)]
        # TensorFlow's own hooks fetch the step, too, but read it again before they write
        wanted = [part for hook, part in by if not type(hook).__module__.startswith("minitf")]
        step, graph = tf.train.get_global_step(run.session.graph), run.session.graph
        found = races(run.program.ops, flatten(wanted, graph)[0])
        self.any |= any(step is not None and race.variable is step.op for race in found)


def _of_the_steps(what: str, steps: list[int], apart: int) -> str:
    """Name what is wrong with the steps of a curve, if anything is; its points are at most so far apart."""
    half, known = len(steps) // 2, sorted({*steps})
    gaps = np.diff([0, *known, STEPS + 1])
    why = first_that_holds(
        (not steps, OFF),
        (half and steps[:half] == steps[half:], AGAIN),
        (len(known) < len(steps), DOUBLE),
        (known[:1] == [0], EARLY),
        (known[-1:] > [STEPS], LONG),
        (max(gaps) > apart, RARELY.format(apart)),
    )
    shown = steps if len(steps) < 5 else [*steps[:3], "...", steps[-1]]
    return (
        why and f"The {what} at {'steps ' + listed(shown) if steps else 'none of the steps'}. {why}"
    )
