"""The checks of lesson 10: training that goes on from its latest checkpoint, and from one without a step."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, called, first_that_holds, judge
from lab.experiments.inherited import inherited, run_inherited
from lab.files.logged import logged
from minitf.training.checkpoint_format import write_checkpoint

CALLS = [("home", 1000), ("home", 5), ("home", 5), ("unbroken", 1010)]  # folders, and runs
SAVE = "Try saving all Variables at the end of each call, into `folder`."
BACK = """Before the loop, restore what tf.train.latest_checkpoint returns: all Variables, the step too, into
the session that trains. If you initialize there, do that first."""
EACH = (
    "Each call should restore the latest checkpoint, run the train op `runs` more times, and save."
)
HONEST = "Try passing the step itself to `save`, so that the name tells the truth."
ALL = "Look at what the session holds before the first run: are the weight and the step both back?"
INSIDE = "Take the path from tf.train.latest_checkpoint, and the step from inside, not from a name."
WHICH = "Look at your Saver: which Variables does it save?"
HOW_OFTEN = "Count the updates: how many did the script's two runs make together?"
KEEP = "Try restoring w and b, and don't set them to 0 after that."
INT64 = """Try making the step with tf.train.get_or_create_global_step().
The script's step is an int64, and yours isn't."""


@judge
def check_resumes(train_more: Callable) -> Iterator[Verdict | str]:
    """A second call goes on where the first one ended, as a run that never stopped."""
    with tempfile.TemporaryDirectory() as place, logged():
        weights, steps = [], {"home": 0, "unbroken": 0}
        for name, runs in CALLS:
            steps[name] += runs
            yield _of_a_call(train_more, f"{place}/{name}", runs, steps[name])
            weights.append(_held(f"{place}/{name}")["f"])
        *_, resumed, unbroken = weights
        if not np.isclose(resumed, unbroken, rtol=1e-5):
            said = f"The step resumes, but w is {resumed:.4g} at step 1010."
            yield f"{ALL}\n{said} In a run that never stopped, it's {unbroken:.4g}."
        values = _inside(tf.train.latest_checkpoint(f"{place}/home"))
        write_checkpoint(f"{place}/home/model-7", values)
        write_checkpoint(f"{place}/home/model-9999", {name: 0 * values[name] for name in values})
        tf.train.update_checkpoint_state(f"{place}/home", f"{place}/home/model-7")
        called(train_more, f"{place}/home", 5)[0].result()
        step = _held(f"{place}/home")["i"]
        given = "We called the checkpoint of step 1010 model-7, beside an older model-9999."
        yield "" if step == 1015 else f"{INSIDE}\n{given} After 5 more runs, the step was {step}."
    right = "Each call picks up where the one before it ended, in the file and in its name,"
    yield Verdict(True, f"{right}\nand `w` is the same as in a run that never stopped.")


@judge
def check_rescued(folder: str, old: str) -> Iterator[Verdict | str]:
    """In this folder, the repaired script goes on from an old checkpoint's weights, at step 801."""
    latest = tf.train.latest_checkpoint(folder)
    weights, inside = _inside(old), _inside(latest)
    lost = [name for name in "bw" if not np.array_equal(weights[name], inside.get(name))]
    step = inside.get("global_step")
    yield first_that_holds(
        (not inside, "Save a checkpoint into `rescued`: it's still empty."),
        (step is None, f"{WHICH}\nThe new checkpoint has no global_step."),
        (lost, f"{KEEP}\nThe new checkpoint doesn't have the old {' and '.join(lost)}."),
        (step != 800, f"{HOW_OFTEN}\nThe step inside is {step}."),
        (step is not None and step.dtype != np.int64, INT64),
    )
    number = re.search(r"-(\d+)$", latest)  # a name without a number says nothing wrong
    if number and int(number[1]) != step:
        yield f"{HONEST}\nThe checkpoint of step 800 is called {os.path.basename(latest)}."
    with tempfile.TemporaryDirectory() as copy, logged():
        line = run_inherited(shutil.copytree(folder, copy, dirs_exist_ok=True), inherited(11))[0]
    yield Verdict(True, f"From your checkpoint, the repaired script begins with\n{line}")


def _of_a_call(train_more: Callable, folder: str, runs: int, end: int) -> str:
    """Call it as a new program would, and say what is wrong with the step that it leaves, if anything is."""
    os.makedirs(folder, exist_ok=True)
    result = called(train_more, folder, runs)[0].result()
    latest, held = tf.train.latest_checkpoint(folder), _held(folder)
    step, said = held.get("i"), f"After {end} runs in all, the latest checkpoint"
    return first_that_holds(
        (len(held) < 2, f"{SAVE}\n{said} holds {' and '.join(_inside(latest)) or 'nothing'}."),
        (step == runs < end, f"{BACK}\n{said} has step {step}."),
        (step != end, f"{EACH}\n{said} has step {step}."),
        (
            not re.search(rf"-0*{end}$", latest or ""),
            f"{HONEST}\n{said} is called {os.path.basename(latest or '')}.",
        ),
        (result != end, f"Return the step that the session holds at the end: {end}, not {result}."),
    )


def _held(folder: str) -> dict[str, float]:
    """Return the step ("i", an integer) and the weight ("f", a float) in a folder's latest checkpoint."""
    values = _inside(tf.train.latest_checkpoint(folder)).values()
    return {value.dtype.kind: value.item() for value in values}


def _inside(path: str | None) -> dict[str, np.ndarray]:
    """Return what a checkpoint holds."""
    names = [name for name, _ in tf.train.list_variables(path)] if path else []
    return {name: tf.train.load_variable(path, name) for name in names}
