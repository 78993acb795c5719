"""The checks of lesson 10: training that goes on from its latest checkpoint, and from one without a step."""

import math
import os
import re
import shutil
import tempfile
from collections import namedtuple
from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, advice, called, first_that_holds, judge, no_function
from lab.experiments.inherited import inherited, run_inherited
from lab.files.logged import logged
from minitf.framework.events import Event, listening
from minitf.training.checkpoint_format import write_checkpoint

RUNS, MORE = 1000, 5
FIRST_STOPPED = {
    "save_path when it is None": "Restore only if latest_checkpoint returns a path.",
    "valid checkpoint": "Restore only if there's a checkpoint: this one isn't there yet.",
    "uninitialized value": "Run the initializer first: the first call has nothing to restore.",
}
WHICH = "Look at your Saver: which Variables does it save?"
HOW_OFTEN = "Count the updates: how many did the script's two runs make together?"
SET = {
    0: "Try assigning the step before you save.",
    400: f"{HOW_OFTEN}\nBoth saved under the number 400.",
}
INT64 = """Try making the step with tf.train.get_or_create_global_step().
The script's step is an int64, and yours isn't."""
BACK = "Try restoring w and b, and don't set them to 0 after that."
HONEST = "Try passing the step itself to `save`, so that the name tells the truth."
# What helps, if the second call does not go on:
NOTHING = "Restore the latest checkpoint before the loop: so far, nothing restores it."
RESTORABLE = "Try passing `restore` the path from latest_checkpoint, and restore what was saved."
ONE_SESSION = "Restore where you train: you restore into one session, and train in another."
ORDER = """Look at what sets the step to 0 after `restore`. The initializer must run first,
and your Saver should include the step."""
EACH = "Look at the loop: it should run the train op `runs` times."
BEFORE = "Try restoring before the loop, and let the loop run `runs` more times."
LATEST = "Try restoring the latest checkpoint: tf.train.latest_checkpoint(folder)."
ONLY_A_NAME = (
    "Restore the step from inside: you take it from the file's name, which is only a name."
)
FROM_THE_NAME = """Your step comes back, but out of the file's name, which is only a name:
the checkpoint holds no global_step."""
INSIDE = "Take the path from tf.train.latest_checkpoint, and the step from inside."
ALL = "Look at what the session holds before the first run: are the weight and the step both back?"


# What a call of `train_more` did, and what its latest checkpoint holds afterwards, by Variable.
Call = namedtuple("Call", "result stopped saves restores latest held end")


@judge
def check_resumes(train_more: Callable[[str, int], int]) -> Iterator[Verdict | str]:
    """A second call goes on where the first one ended, as a run that never stopped."""
    yield no_function(train_more=train_more)
    with tempfile.TemporaryDirectory() as home, logged():
        end, runs = RUNS + MORE, (RUNS, MORE, MORE)
        first, second, third = (_call(train_more, f"{home}/training", more) for more in runs)
        if first.latest and "global_step" not in first.held:
            yield _of_a_step_in_the_name(train_more, f"{home}/numbered", first)
        yield _of_the_first(first)
        yield _of_the_second(second)
        if third.end != f"ends at step {end + MORE}":
            yield f"{LATEST}\nThe second call resumes, but the third one {third.end}, not at {end + MORE}."
        unbroken = _call(train_more, f"{home}/unbroken", end)
        ours, theirs = second.held["w"], unbroken.held.get("w", math.nan)
        if not math.isclose(ours, theirs, rel_tol=1e-5):
            resumed = f"The step resumes, but w is {ours:.4g} at step {end}."
            yield f"{ALL}\n{resumed} In a run that never stopped, it's {theirs:.4g}."
        yield _by_its_name(train_more, f"{home}/renamed", first.latest)
    if second.result != end:
        result = f"Everything resumes, but the second call returns {second.result!r}, not {end}."
        yield f"Return the step that the session holds at the end.\n{result}"
    right = f"The second call picks up at {RUNS} and ends at {end}, in the file and in its name,"
    yield Verdict(True, f"{right}\nand `w` is the same as in a run that never stopped.")


@judge
def check_rescued(folder: str, old: str) -> Iterator[Verdict | str]:
    """In this folder, the repaired script goes on from an old checkpoint's weights, at step 801."""
    latest = tf.train.latest_checkpoint(folder)
    weights, inside = _inside(old), _inside(latest)
    weights.pop("global_step", None)  # an earlier try may have saved one into the old folder
    lost = [name for name in weights if np.any(weights[name] != inside.get(name))]
    step = inside["global_step"].item() if "global_step" in inside else None
    yield first_that_holds(
        (not inside, "Save a checkpoint into `rescued`: it's still empty."),
        (step is None, f"{WHICH}\nThe new checkpoint has no global_step."),
        (lost, f"{BACK}\nThe new checkpoint doesn't have the old {' and '.join(lost)}."),
        (step != 800, f"{SET.get(step, HOW_OFTEN)}\nThe step inside is {step}."),
        (step is not None and inside["global_step"].dtype != np.int64, INT64),
    )
    name = os.path.basename(latest)
    number = re.search(r"-(\d+)$", name)  # a name without a number says nothing wrong
    if number and int(number[1]) != step:
        yield f"{HONEST}\nThe step inside is {step}, but the checkpoint is called {name}."
    with tempfile.TemporaryDirectory() as copy, logged():
        line = run_inherited(shutil.copytree(folder, copy, dirs_exist_ok=True), inherited(11))[0]
    yield Verdict(True, f"From your checkpoint, the repaired script begins with\n{line}")


def _of_the_first(call: Call) -> str:
    begin, name = "In an empty folder, `train_more`", os.path.basename(call.latest or "")
    holds = f"The checkpoint holds {' and '.join(call.held) or 'nothing'}, and no"
    step, numbered = call.held.get("global_step"), re.search(r"-\d+$", name)
    return first_that_holds(
        (call.stopped, f"{begin} {call.end}\n{advice(call.stopped, FIRST_STOPPED)}"),
        (not name, f"Save at the end, into `folder`. {begin} leaves no checkpoint there."),
        (step is None, f"{WHICH}\n{holds} global_step that could come back."),
        ("w" not in call.held, f"Save the weight, too.\n{holds} w."),
        (step != RUNS, f"{EACH}\n{begin} {call.end}, not at {RUNS}, after {RUNS} runs."),
        (not numbered, f"Pass the step to `save`.\nThe checkpoint's name, {name}, has no step."),
    )


def _of_a_step_in_the_name(train_more: Callable[[str, int], int], folder: str, call: Call) -> str:
    """Say it if the step comes back after all, out of the file's name: there, write another number."""
    values = _inside(call.latest)
    os.mkdir(folder)
    write_checkpoint(f"{folder}/model-7", values)
    tf.train.update_checkpoint_state(folder, f"{folder}/model-7")
    again = _call(train_more, folder, MORE)
    named = re.search(rf"-0*{7 + MORE}$", again.latest or "")
    return f"{WHICH}\n{FROM_THE_NAME}" if named or again.result == 7 + MORE else ""


def _of_the_second(call: Call) -> str:
    begin, step = f"The second call, with {MORE} runs,", call.held.get("global_step", math.nan)
    end, name, again = f"{begin} {call.end}", os.path.basename(call.latest or "none"), step == MORE
    elsewhere = not any(sess in call.saves for sess in call.restores)
    misnamed = not re.search(rf"-0*{RUNS + MORE}$", name)
    two = f"The name is {name}, but the step inside is {step:g}."
    return first_that_holds(
        (call.stopped, f"{end}\n{RESTORABLE}"),
        (again and not call.restores, f"{NOTHING}\n{end}."),
        (again and elsewhere, f"{ONE_SESSION}\n{end}."),
        (again, f"{ORDER}\n{end}, although it restores."),
        (
            not call.saves,
            f"Save after each call. {begin} saves nothing, so its {MORE} steps are lost.",
        ),
        (step == RUNS, f"{BEFORE}\n{end}: its own steps are missing."),
        (step != RUNS + MORE, f"{EACH}\n{end}, not at {RUNS + MORE}."),
        (misnamed, f"{HONEST}\n{two}"),
    )


def _by_its_name(train_more: Callable[[str, int], int], folder: str, path: str) -> str:
    """Put the checkpoint into a folder under another number, and go on from there.

    Beside it is one with a higher number, which is not the latest.
    """
    values = _inside(path)
    os.mkdir(folder)
    write_checkpoint(f"{folder}/model-7", values)
    write_checkpoint(f"{folder}/model-9", {name: 0 * values[name] for name in values})
    tf.train.update_checkpoint_state(folder, f"{folder}/model-7")
    end = _call(train_more, folder, MORE).end
    given = f"We gave `train_more` a checkpoint named model-7 with step {RUNS} inside. It"
    return first_that_holds(
        (end == f"ends at step {RUNS + MORE}", ""),
        (end == f"ends at step {7 + MORE}", f"{ONLY_A_NAME}\n{given} resumed at 7."),
        (True, f"{INSIDE}\n{given} {end}, not at {RUNS + MORE}."),
    )


def _call(train_more: Callable, folder: str, runs: int) -> Call:
    """Call the learner's function as a new program would; note the sessions that a Saver gets."""
    saves, restores, names = [], [], {}  # of a checkpoint's values: the Variable of each

    def note(event: Event) -> None:
        if event.name in ("save", "restore"):
            sessions = saves if event.name == "save" else restores
            sessions.append(event.arguments["sess"])
            variables = event.arguments["self"]._variables
            names.update({key: v.op.name for key, v in variables.items()})

    os.makedirs(folder, exist_ok=True)
    with listening(note):
        ended, _ = called(train_more, folder, runs)
    latest = tf.train.latest_checkpoint(folder)
    held = {names.get(k, k): v.item() for k, v in _inside(latest).items() if not v.shape}
    if error := ended.exception():
        words = str(error).rpartition("Original error:")[2]  # all, if there is no such thing
        line = next(filter(None, words.splitlines()), type(error).__name__)
        line = line.replace(os.path.join(folder, ""), "").replace(folder, "folder")
        return Call(None, line, saves, restores, latest, held, f"stops: {line}")
    step = held.get("global_step")
    end = "leaves no step in its checkpoint" if step is None else f"ends at step {step:g}"
    return Call(ended.result(), "", saves, restores, latest, held, end)


def _inside(path: str | None) -> dict[str, np.ndarray]:
    """Return what a checkpoint holds."""
    names = [name for name, _ in tf.train.list_variables(path)] if path else []
    return {name: tf.train.load_variable(path, name) for name in names}
