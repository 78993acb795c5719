"""The check of lesson 12: which curves and histograms two runs of the inherited script write."""

import itertools
import tempfile
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np

import minitf as tf
from lab.checks.changed import shows_changes
from lab.checks.verdict import Verdict, advice, first_that_holds, judge, listed
from lab.experiments.errors import type_and_first_line
from lab.experiments.inherited import SCRIPT, run_inherited, written
from lab.files.logged import logged
from minitf.client.dependencies import races
from minitf.client.feeds_and_fetches import flatten
from minitf.client.watchers import SessionRun, Watcher, watching
from minitf.framework.events import Event, listening

TAG, LOGITS, STEPS, SELDOM = "logits", 500, 800, 50
ENDLESS = "its loop never ends"
STOPPED = {
    "finalized": "Here an op is made after the session has started. Try making it once, before that.",
    "should_stop": "Each `run` calls the hooks here, even one that only reads.\n"
    "Could a hook write the histograms?",
    ENDLESS: "No hook stops it. Does it still run the train op with `sess.run`, which calls the hooks?",
    "NameError|UnboundLocal": "A line still uses something that you've taken out.",
    "SyntaxError|IndentationError": "Look at this line and the one above it. Is each where it should be?",
}
RACE = """The step is read in a run that updates it, and no path orders the two: that's the race of lesson 07.
Try letting a hook write, because it reads the step after the update."""
OFF = "No event has it. Is there a summary of it, and does the session save summaries?"
AGAIN = "The second run is drawn over the first, because Python counts the steps and starts over in each run."
DOUBLE = """Some steps are there twice. Either the script and a hook both write them, or two hooks do, or
an extra `run` calls the hook again."""
EARLY = "They should start at 1, so try reading the step after the update."
RARELY = "There should be more of them. How often does the hook save summaries?"
COUNTED = f"Two runs of the script count {STEPS} steps, so that's where it should end."
LONG = f"""{COUNTED}
In the last 100 batches, does something you fetch wait for `train_op`, and so run it, too?"""
NOT_POLISHED = """The curves are right, but the last 100 batches no longer polish the model at a tenth
of the rate. Keep `op`, which is `train_op` at first and `polish_op` at the end."""


@shows_changes
@judge
def check_curves(script: str) -> Iterator[Verdict | str]:
    """Two runs write the loss at the steps 1 to 800, and every 50 a test and at least one histogram."""
    if not isinstance(script, str):
        yield "`script` should be your file, or its text. Try running the exercise cell again."
    with tempfile.TemporaryDirectory() as folder, logged():
        for run in ("first", "second"):
            stopped, saw = _run(folder, script)
            yield stopped and f"The {run} run stops{stopped}\n{advice(stopped, STOPPED)}"
        values = written(folder)
    for what, tag, apart in (("loss", "loss", 1), ("test accuracy", "test_accuracy", SELDOM)):
        steps = [step for step, value in values if value.tag == tag]
        yield _of_the_steps(f"The {what} is", steps, apart)
    yield RACE if saw.racing else ""
    yield "" if saw.polishes else NOT_POLISHED
    yield from _of_the_histograms(values)


def _run(folder: str, script: str) -> tuple[str, "_Runs"]:
    """Run the script; return the error that stopped it, and what was seen of its runs."""
    runs, asked = _Runs(), itertools.count(1)

    def ask(event: Event) -> None:
        if event.name == "should_stop" and next(asked) > 2 * STEPS:  # nothing will stop this loop
            raise RuntimeError(ENDLESS)

    try:
        with watching(runs), listening(ask):
            run_inherited(folder, script)
    except Exception as error:  # whatever the learner wrote
        return f"{_line(error)}: {type_and_first_line(error)}", runs
    finally:
        tf.summary.FileWriterCache.clear()
    return "", runs


def _line(error: Exception) -> str:
    """Return where in the script an error came up, if it did there."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == SCRIPT.name]
    return f" at line {lines[-1]}" if lines else ""


class _Runs(Watcher):
    """Notes whether a run reads the step that it updates, in no order, and how far each run moves `w`."""

    racing = False

    def __init__(self):
        self.moves: list[float] = []
        self.w: np.ndarray | None = None

    @property
    def polishes(self) -> bool:
        """Whether `w`, if there is one, moves far less in the last hundred batches than before."""
        last, before = self.moves[-100:], self.moves[-200:-100]
        return not before or sum(last) < 0.3 * sum(before)

    def after_run(self, run: SessionRun) -> None:
        """Look at how far the run moved `w`."""
        before, self.w = self.w, np.copy(run.state.get("w", 0))  # a run may change it in place
        if before is not None and (move := np.linalg.norm(self.w - before)):
            self.moves.append(float(move))

    def before_run(self, run: SessionRun) -> None:
        """Look at what the script and its own hooks fetch in this run."""
        by = run.fetches.items() if isinstance(run.fetches, dict) else [("", run.fetches)]
        # TensorFlow's own hooks fetch the step, too, but read it again before they write
        wanted = [part for hook, part in by if not type(hook).__module__.startswith("minitf")]
        step, graph = tf.train.get_global_step(run.session.graph), run.session.graph
        if step is not None:
            found = races(run.program.ops, flatten(wanted, graph)[0])
            self.racing |= any(race.variable is step.op for race in found)


def _of_the_steps(what: str, steps: list[int], apart: int = SELDOM) -> str:
    """Name what is wrong with the steps of a curve, if anything is; its points are at most so far apart."""
    half, known = len(steps) // 2, sorted({*steps})
    gaps = [after - before for before, after in itertools.pairwise([0, *known, STEPS + 1])]
    why = first_that_holds(
        (not steps, OFF),
        (known == [0], "Try passing the step to add_summary, as its second argument."),
        (half and steps[:half] == steps[half:], AGAIN),
        (len(known) < len(steps), DOUBLE),
        (known[:1] == [0], EARLY),
        (known[-1:] > [STEPS], LONG),
        (max(gaps[:-1], default=0) <= apart < gaps[-1], COUNTED),
        (max(gaps) > apart, RARELY),
    )
    shown = steps if len(steps) < 5 else [*steps[:3], "...", steps[-1]]
    return why and f"{what} at {'steps ' + listed(shown) if steps else 'none of the steps'}. {why}"


def _of_the_histograms(values: list[tuple[int, Any]]) -> Iterator[Verdict | str]:
    """Judge the histograms: their tag, what they count, and at which steps they are."""
    tags = [*dict.fromkeys(value.tag for _, value in values)]
    found = [(step, value) for step, value in values if value.tag == TAG]
    if not found:
        yield f"The loss is right, but no summary has the tag `{TAG}`. The tags are {', '.join(tags[:4])}."
    if any(value.WhichOneof("value") != "histo" for _, value in found):
        yield f"`{TAG}` holds single numbers. Try tf.summary.histogram for all {LOGITS} logits of a batch."
    last = found[-1][1].histo
    if last.num != LOGITS:
        yield f"Each histogram counts {last.num:.0f} numbers, but a batch has {LOGITS} logits."
    yield _of_the_steps("The histograms are", [step for step, _ in found])
    if not last.min < 0 < 1 < last.max:
        yield f"`{TAG}` counts other numbers. Try passing the tensor `logits` to tf.summary.histogram."
    said = f"The loss is at steps 1 to {STEPS}, once each, and the test accuracy lines up with it."
    yield Verdict(True, f"{said}\n{len(found)} histograms count {LOGITS} logits each.")
