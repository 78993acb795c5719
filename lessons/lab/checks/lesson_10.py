"""The check of lesson 10: a training that goes on from its latest checkpoint, step, weight and name."""

from __future__ import annotations

import functools
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import minitf as tf
from lab.checks.verdict import Verdict, judge
from lab.logged import logged
from minitf.training.checkpoint_format import write_checkpoint

RUNS, MORE = 1000, 5
TrainMore = Callable[[str, int], int]


@dataclass
class Call:
    """What a call of `train_more` did, and what its folder holds afterwards."""

    result: object = None
    stopped: str = ""  # by this error
    saves: list[tf.Session] = field(default_factory=list)
    restores: list[tf.Session] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # in a checkpoint, of which Variable
    latest: str | None = None
    held: dict[str, float] = field(default_factory=dict)  # by the latest checkpoint, by Variable

    @property
    def step(self) -> float | None:
        """The step in the latest checkpoint."""
        return self.held.get("global_step")

    @property
    def named(self) -> int | None:
        """The number at the end of that checkpoint's name."""
        number = re.search(r"-(\d+)$", self.latest or "")
        return int(number[1]) if number else None


@judge
def check_resumes(train_more: TrainMore) -> Verdict:
    """A second call goes on where the first one ended, as a run that never stopped."""
    if not callable(train_more):
        return Verdict(False, "`train_more` has to be a function. Run the exercise cell again.")
    with tempfile.TemporaryDirectory() as home, logged():
        mistake = next(_mistakes(train_more, home), None)
    if mistake:
        return Verdict(False, mistake)
    return Verdict(
        True,
        f"The second call goes on at {RUNS}, and ends at {RUNS + MORE}: in the file, in its name, "
        "and in `w`,\nwhich is the same as in a run that never stopped.",
    )


def _mistakes(train_more: TrainMore, home: str) -> Iterator[str]:
    """Call the function in folders of `home`; name what is wrong, the first mistake first."""
    folder = _folder(home, "training")
    first = _call(train_more, folder, RUNS)
    yield from _of_the_first(first)
    second = _call(train_more, folder, MORE)
    yield from _of_the_second(second)
    third = _call(train_more, folder, MORE)
    if third.stopped or third.step != RUNS + 2 * MORE:
        yield (
            f"The second call goes on well. But the third one {_ends(third)}, not at "
            f"{RUNS + 2 * MORE}.\nRestore the latest checkpoint: tf.train.latest_checkpoint(folder)."
        )
    unbroken = _call(train_more, _folder(home, "unbroken"), RUNS + MORE)
    ours, theirs = second.held["w"], unbroken.held.get("w", math.nan)
    if not math.isclose(ours, theirs, rel_tol=1e-5):
        yield (
            f"The step goes on, but w is {ours:.4g} at step {RUNS + MORE}. In a run that never "
            f"stopped it is {theirs:.4g}.\nIs the weight restored, and the step before the first run?"
        )
    yield from _by_its_name(train_more, _folder(home, "renamed"), first)
    if second.result != RUNS + MORE:
        yield (
            f"All of it goes on. But the second call returns {second.result!r}, not {RUNS + MORE}.\n"
            "Return the step that the session holds at the end."
        )


def _of_the_first(call: Call) -> Iterator[str]:
    begin = "In an empty folder, `train_more` "
    if "save_path when it is None" in call.stopped:
        yield (
            f"{begin}stops: {call.stopped}\n"
            "There is no checkpoint yet: restore only if latest_checkpoint gives one."
        )
    if "valid checkpoint" in call.stopped:
        yield f"{begin}stops: it restores a checkpoint that is not there yet.\nRestore only if there is one."
    if "uninitialized value" in call.stopped:
        yield f"{begin}stops: {call.stopped}\nThe first call restores nothing: it needs the initializer."
    if call.stopped:
        yield f"{begin}stops: {call.stopped}\nRepair that first, and run the exercise cell again."
    if not call.latest:
        yield f"{begin}leaves no checkpoint in `folder`. Save at the end."
    if call.step is None:
        yield (
            f"The checkpoint holds {_names(call)}, and no global_step: so no step comes back.\n"
            "Which Variables does your Saver take?"
        )
    if "w" not in call.held:
        yield f"The checkpoint holds {_names(call)}, and no w. Save the weight, too."
    if call.step != RUNS:
        yield f"After {RUNS} runs in an empty folder, the step is {call.step:g}, not {RUNS}."
    if call.named is None:
        yield (
            f"The checkpoint's name, {os.path.basename(call.latest)}, has no step.\n"
            "Hand the step to `save`."
        )


def _of_the_second(call: Call) -> Iterator[str]:
    begin = f"The second call, with {MORE} runs,"
    if call.stopped:
        yield (
            f"{begin} stops: {call.stopped}\n"
            "Give `restore` what latest_checkpoint gives, and restore what was saved."
        )
    if call.step == MORE and not call.restores:
        yield f"{begin} ends at step {MORE}: it starts at 0 again.\nNobody restores the checkpoint."
    if call.step == MORE and not set(map(id, call.restores)) & set(map(id, call.saves)):
        yield (
            f"{begin} ends at step {MORE}. You restore into one session, and train in another.\n"
            "The state belongs to the session: restore into the one that trains."
        )
    if call.step == MORE:
        yield (
            f"{begin} ends at step {MORE}, although it restores. What sets the step to 0 after that?\n"
            "The initializer has to run first, then `restore`. And your Saver has to take the step."
        )
    if not call.saves:
        yield f"{begin} saves nothing. So its {MORE} steps are lost."
    if call.step == RUNS:
        yield (
            f"{begin} ends at step {RUNS}: its own steps are missing.\n"
            "Restore before the loop, and let the loop run `runs` more times."
        )
    if call.step != RUNS + MORE:
        yield f"{begin} {_ends(call)}, not at {RUNS + MORE}."
    if call.named != call.step:
        yield (
            f"The name ends in -{call.named}, but the step inside is {call.step:g}.\n"
            "Hand the step itself to `save`, not a number of your own."
        )


def _by_its_name(train_more: TrainMore, folder: str, first: Call) -> Iterator[str]:
    """Put the first call's checkpoint into a folder under another number, and go on from there.

    Beside it lies one of a higher number, which is not the latest.
    """
    names = [name for name, _ in tf.train.list_variables(first.latest)]
    values = {name: tf.train.load_variable(first.latest, name) for name in names}
    write_checkpoint(os.path.join(folder, "model-7"), values)
    write_checkpoint(os.path.join(folder, "model-9"), {name: 0 * values[name] for name in names})
    tf.train.update_checkpoint_state(folder, os.path.join(folder, "model-7"))
    call = _call(train_more, folder, MORE)
    if call.step == 7 + MORE:
        yield (
            f"We gave it a checkpoint named model-7 with the step {RUNS} inside. It went on at 7.\n"
            "You take the step from the file's name. The name is only a name: restore the step."
        )
    if call.stopped or call.step != RUNS + MORE:
        yield (
            f"We gave it a checkpoint named model-7 with the step {RUNS} inside. It {_ends(call)}, "
            f"not at {RUNS + MORE}.\nTake the path from tf.train.latest_checkpoint, and the step from inside."
        )


def _ends(call: Call) -> str:
    if call.stopped:
        return f"stops: {call.stopped}"
    return (
        "leaves no step in its checkpoint" if call.step is None else f"ends at step {call.step:g}"
    )


def _names(call: Call) -> str:
    return " and ".join(call.held) or "nothing"


def _folder(home: str, name: str) -> str:
    folder = os.path.join(home, name)
    os.mkdir(folder)
    return folder


def _call(train_more: TrainMore, folder: str, runs: int) -> Call:
    """Call the learner's function as a new program would: with a default graph of its own."""
    call = Call()

    def called() -> None:
        try:
            call.result = train_more(folder, runs)
        except (Exception, SystemExit) as error:
            words = str(error).rpartition("Original error:")[2]  # all, if there is no such thing
            line = next(filter(None, words.splitlines()), type(error).__name__)
            call.stopped = line.replace(os.path.join(folder, ""), "").replace(folder, "folder")

    with _noted(call), ThreadPoolExecutor(1) as thread:  # a thread has its own default graph
        thread.submit(called).result()
    call.latest = tf.train.latest_checkpoint(folder)
    if call.latest:
        for name, shape in tf.train.list_variables(call.latest):
            if not shape:
                call.held[call.names.get(name, name)] = float(
                    tf.train.load_variable(call.latest, name)
                )
    return call


@contextmanager
def _noted(call: Call) -> Iterator[None]:
    """Note which sessions a Saver saves, and into which ones it restores."""
    save, restore = tf.train.Saver.save, tf.train.Saver.restore

    def noting(method: Callable, into: list[tf.Session]) -> Callable:
        @functools.wraps(method)
        def noted(
            saver: tf.train.Saver, sess: tf.Session, *more: object, **named: object
        ) -> object:
            into.append(sess)
            call.names.update({key: v.op.name for key, v in (saver._variables or {}).items()})
            return method(saver, sess, *more, **named)

        return noted

    tf.train.Saver.save = noting(save, call.saves)
    tf.train.Saver.restore = noting(restore, call.restores)
    try:
        yield
    finally:
        tf.train.Saver.save, tf.train.Saver.restore = save, restore
