"""The check of lesson 12: a histogram of the weights, every ten steps, in an event file."""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_line, judge

TAG, WEIGHTS = "weights", 20
STEPS = list(range(10, 101, 10))


@dataclass(frozen=True)
class Point:
    """One summary in an event file."""

    tag: str
    step: int
    kind: str  # "histo" for a histogram, "simple_value" for a number
    size: float = 1  # of how many numbers
    least: float = 0.0
    most: float = 0.0
    sum: float = 0.0

    @property
    def numbers(self) -> tuple[float, ...]:
        """What a histogram says of its numbers."""
        return self.size, self.least, self.most, self.sum


@judge
def check_histogram(log_run: Callable[[str], object]) -> Verdict:
    """`log_run(folder)` writes ten histograms, tag "weights", at the steps 10, 20, ..., 100."""
    if not callable(log_run):
        return Verdict(False, "`log_run` has to be a function. Run the exercise cell again.")
    with tempfile.TemporaryDirectory() as folder, _writers_kept() as writers:
        # A thread has a default graph of its own: `log_run` may do with it what it likes.
        with warnings.catch_warnings(record=True) as warned, ThreadPoolExecutor(1) as thread:
            warnings.simplefilter("always")
            graph, error = thread.submit(_run, log_run, folder).result()
        if error is not None:
            return Verdict(False, _stopped(error))
        if any("closed FileWriter" in str(warning.message) for warning in warned):
            return Verdict(
                False,
                "The writer is closed too early: what comes later is dropped, with a warning.\n"
                "Log before it is closed, inside the `with`.",
            )
        found = _points(folder)
        for writer in writers:
            writer.close()
        late = len(_points(folder)) - len(found)
        stray = [writer for writer in writers if Path(writer.get_logdir()) != Path(folder)]
    mistake = _of_the_graph(graph, found) or _of_the_file(found, late, len(stray), len(writers))
    if not mistake:
        mistake = _of_the_points([point for point in found if point.tag == TAG])
    if not mistake and not _shows_the_weights(graph):
        mistake = f"`{TAG}` shows other numbers than w. Give tf.summary.histogram the Variable w."
    if mistake:
        return Verdict(False, mistake)
    return Verdict(
        True,
        f"Ten histograms with the tag `{TAG}`, at the steps 10, 20, ..., 100. "
        f"Each counts {WEIGHTS} weights.",
    )


def _run(log_run: Callable[[str], object], folder: str) -> tuple[tf.Graph, Exception | None]:
    """Call `log_run`; return the graph that it leaves behind, and what stopped it."""
    try:
        log_run(folder)
    except Exception as error:
        return tf.get_default_graph(), error
    return tf.get_default_graph(), None


@contextmanager
def _writers_kept() -> Iterator[list[tf.summary.FileWriter]]:
    """Keep each writer that is made alive: one that is thrown away closes its file by itself."""
    writers: list[tf.summary.FileWriter] = []

    class Kept(tf.summary.FileWriter):
        def __init__(self, *arguments: object, **named: object):
            super().__init__(*arguments, **named)
            writers.append(self)

    original, tf.summary.FileWriter = tf.summary.FileWriter, Kept
    try:
        yield writers
    finally:
        tf.summary.FileWriter = original
        for writer in writers:
            writer.close()


def _points(folder: str) -> list[Point]:
    """Read what can be read now of the event files in the folder."""
    found: list[Point] = []
    for path in sorted(Path(folder).rglob("*tfevents*")):
        try:
            for event in tf.train.summary_iterator(str(path)):
                for value in event.summary.value:
                    found.append(_point(value, event.step))
        except tf.errors.DataLossError:
            pass  # a record of which only a part is written yet
    return found


def _point(value: tf.Summary.Value, step: int) -> Point:
    kind, histogram = value.WhichOneof("value"), value.histo
    if kind != "histo":
        return Point(value.tag, step, kind)
    bounds = histogram.num, histogram.min, histogram.max, histogram.sum
    return Point(value.tag, step, kind, *bounds)


def _stopped(error: Exception) -> str:
    """Name what stopped `log_run`."""
    says = f"`log_run` stops: {first_line(error)}\n"
    if "feed a value for placeholder" in says:
        return (
            f"{says}You run the summary of the loss, too. It needs a batch: "
            "feed one, or run the histogram alone."
        )
    if "uninitialized" in says:
        return f"{says}Make every Variable before the initializer runs."
    if "not the same shape" in says:
        return f"{says}A scalar summary takes one number, and w has {WEIGHTS}. A histogram takes them all."
    if "finalized" in says:
        return (
            f"{says}An op is made after that. Make all of them before: the initializer is one, too."
        )
    if "closed Session" in says:
        return f"{says}Log inside the `with`: after it, the session is closed."
    if "not iterable" in says or "a bytes-like" in says or "has no attribute 'value'" in says:
        return f"{says}add_summary takes what a run of the summary gives, not the op: use sess.run."
    return f"{says}Repair that first, and run the exercise cell again."


def _of_the_graph(graph: tf.Graph, found: list[Point]) -> str:
    """Say so if ops were made in the loop."""
    types = Counter(op.type for op in graph.get_operations())
    many = types["HistogramSummary"]
    if many > 2:
        tags = list(dict.fromkeys(point.tag for point in found if point.kind == "histo"))
        last = f" The tags are {', '.join(tags[:3])}, ..." if len(tags) > 2 else ""
        return (
            f"The graph has {many} histogram ops: the loop makes a new one each time.{last}\n"
            "Make the op once, before the session, and run it in the loop."
        )
    if types["MergeSummary"] > 2:
        return (
            f"The graph has {types['MergeSummary']} merge ops: merge_all in the loop makes one each time.\n"
            "Call merge_all once, before the session."
        )
    return ""


def _of_the_file(found: list[Point], late: int, stray: int, writers: int) -> str:
    """Say what is missing in the event file as a whole."""
    tags = list(dict.fromkeys(point.tag for point in found))
    if late:
        return (
            f"The file holds {len(found)} of {len(found) + late} summaries: "
            "the writer still keeps the others.\n"
            "Flush or close it; `with tf.summary.FileWriter(folder) as writer:` closes it."
        )
    if not writers and not found:
        return "No FileWriter is made. Open one on `folder`."
    if stray and not found:
        return "The writer writes into another folder. Give it `folder`."
    if not found:
        return (
            "The event file is empty: nothing is logged yet.\n"
            "Make a histogram before the loop. In the loop, run it, and add what the run gives."
        )
    if TAG not in tags:
        return f"No summary has the tag `{TAG}`. There is: {', '.join(f'`{tag}`' for tag in tags[:4])}."
    return ""


def _of_the_points(points: list[Point]) -> str:
    """Name what is wrong with the summaries of the tag, the first thing first."""
    kinds = {point.kind for point in points}
    sizes = {point.size for point in points}
    steps = [point.step for point in points]
    if kinds == {"simple_value"}:
        return (
            f"`{TAG}` holds single numbers: a scalar is one number a step, and draws a line.\n"
            "tf.summary.histogram keeps all weights."
        )
    if kinds != {"histo"}:
        return f"`{TAG}` is no histogram. tf.summary.histogram makes one."
    if sizes != {WEIGHTS}:
        return (
            f"Each histogram counts {min(sizes):.0f} numbers, but there are {WEIGHTS} weights.\n"
            "Give tf.summary.histogram the Variable w: tf.trainable_variables()[0]."
        )
    if all(point.least == point.most for point in points):
        return "In each histogram all weights are equal: nothing trains them. Run the train op."
    if len(points) > 1 and len({point.numbers for point in points}) == 1:
        return (
            f"All {len(points)} histograms are the same: the op ran once.\n"
            "Run it in the loop, after the train op."
        )
    return "" if steps == STEPS else _of_the_steps(steps)


def _shows_the_weights(graph: tf.Graph) -> bool:
    """Whether a histogram op shows what w holds: it is run on weights that we choose."""
    with graph.as_default():
        weights = [v for v in tf.trainable_variables() if v.shape.num_elements() == WEIGHTS]
    if not weights:
        return True  # the graph is not at hand
    w, chosen = weights[0], np.linspace(-1, 3, WEIGHTS, dtype=np.float32)
    for op in graph.get_operations():
        if op.type == "HistogramSummary":
            with tf.Session(graph=graph) as sess, suppress(tf.errors.OpError):
                w.load(chosen.reshape(w.shape), sess)
                [value] = tf.Summary.FromString(sess.run(op.outputs[0])).value
                shown = value.histo.min, value.histo.max, value.histo.sum
                if np.allclose(shown, (chosen.min(), chosen.max(), chosen.sum()), rtol=1e-5):
                    return True
    return False


def _of_the_steps(steps: list[int]) -> str:
    """Name what is wrong with the steps of the histograms."""
    now = f"The histograms are at the steps {_listed(steps)}."
    if set(steps) == {0} and len(steps) > 1:
        return (
            f"All {len(steps)} histograms are at step 0.\n"
            "add_summary needs the step as its second argument."
        )
    if set(steps) == {0}:
        return f"{now} Give add_summary the step."
    if set(STEPS) < set(steps) and len(steps) > len(STEPS):
        return f"{now} Every step is too often. Log only where the step is a multiple of 10."
    if len(steps) != len(set(steps)):
        return f"{now} Some step is there more than once. Is it read again after each run?"
    if steps == [step - 10 for step in STEPS]:
        return (
            f"{now} They start at 0: did you count in Python, or log before the train op runs?\n"
            "Ask for the global step after it."
        )
    if [step % 10 for step in steps] == [1] * len(steps):
        return f"{now} That is one too late: count from the global step, after the train op."
    if [step % 10 for step in steps] == [9] * len(steps):
        return f"{now} That is one too early: ask the global step after the train op runs."
    missing = [step for step in STEPS if step not in steps]
    if missing:
        return f"{now} There is none at {_listed(missing)}."
    return f"{now} They have to be 10, 20, ..., 100."


def _listed(steps: list[int]) -> str:
    shown = [str(step) for step in steps]
    return ", ".join(shown if len(shown) <= 4 else [*shown[:3], "...", shown[-1]])
