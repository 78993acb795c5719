"""The checks of lesson 15: ten programs of the clinic, judged by what their runs do to the Variables."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge
from lab.checks.watched_training import (
    counts,
    ends,
    found,
    grows,
    listed,
    no_training,
    races,
    rate,
    steps,
    variable,
    watched_by_a_hook,
)
from lab.clinic import SAVED_AS, checkpoint
from lab.watched_program import Seen, watch

SHOWN = 5  # lines of what a program says


@judge
def check_case(number: int, program: Callable) -> Verdict:
    """Run the learner's program number `number`, and say whether it is cured."""
    if number not in CASES:
        return Verdict(False, f"There is no case {number}: the cases are 1 to 10.")
    if not callable(program):
        return Verdict(False, f"`case_{number}` has to be a function. Run its cell again.")
    if number == 8:
        return _goes_on(program)
    seen = watch(program)
    message = CASES[number](seen)
    return _verdict(seen, message or CURED[number], right=not message)


def _verdict(seen: Seen, message: str, right: bool) -> Verdict:
    lines = seen.lines[:SHOWN] or ["(nothing)"]
    more = ["..."] if len(seen.lines) > SHOWN else []
    return Verdict(right, "\n    ".join(["The program says:", *lines, *more]) + f"\n{message}")


def _left_out(seen: Seen) -> str:
    if message := no_training(seen) or grows(seen) or counts(seen, 10):
        return message
    used = [rate(run) for run in seen.training]
    smooth = [0.1 * 0.5 ** (update / 5) for update in range(10)]
    in_jumps = [0.1 * 0.5 ** (update // 5) for update in range(10)]  # it halves, too
    if not any(np.allclose(used, wanted, rtol=1e-3) for wanted in (smooth, in_jumps)):
        return "The step counts, but the updates do not use the rate that halves every 5 steps."
    return ""


def _unseen(seen: Seen) -> str:
    if message := no_training(seen) or _one_in_the_collection(seen):
        return message
    step = found(seen)
    if step is None:
        return "Training counts, but get_global_step() finds no counter."
    counted = {name for run in seen.training for name in run.after if run.moved(name)} - {"w"}
    if counted and step.op.name not in counted:
        return (
            f"get_global_step() finds `{step.op.name}`, but training counts another Variable.\n"
            "Two counters are one too many."
        )
    return counts(seen, 3)


def _one_in_the_collection(seen: Seen) -> str:
    many = len(seen.graph.get_collection(tf.GraphKeys.GLOBAL_STEP))
    return f"The collection GLOBAL_STEP holds {many} Variables, and not one." if many > 1 else ""


def _two_steps(seen: Seen) -> str:
    if seen.error is not None:
        many = _one_in_the_collection(seen) if "StepCounterHook" in str(seen.error) else ""
        return f"It stops with an error. {many}".strip()
    if message := no_training(seen) or _one_in_the_collection(seen):
        return message
    if "episode" not in seen.runs[-1].after:
        return "The program needs `episode`, too. Keep it, but not as a global step."
    step = found(seen)
    if step is not None and step.op.name == "episode":
        return "Now get_global_step() finds `episode`. Which one does training count?"
    return counts(seen, 1) or watched_by_a_hook(seen)


def _double(seen: Seen) -> str:
    message = no_training(seen) or grows(seen) or ends(seen, w=5 * 0.8**5, b=5 * 0.8**5)
    if message:
        return message
    held = steps(seen)
    if held[0] != 0:
        return f"Before the first update the step is {held[0]}. Let it start at 0."
    if held[-1] == 0:
        return "Five updates of w and b, and the step stays at 0. Now nobody counts."
    if held[-1] != 5:
        return f"Five updates of w and b, and the step in the session is {held[-1]}."
    return ""


def _a_race(seen: Seen) -> str:
    if message := no_training(seen) or grows(seen) or counts(seen, 5):
        return message
    numbers = [re.findall(r"\d+", line)[-1:] for line in seen.printed]
    said = [int(number) for [number] in filter(None, numbers)]
    step = variable(seen)
    race = step is not None and any(races(run, step) for run in seen.training)
    if said != [1, 2, 3, 4, 5]:
        return (
            f"After updates 1 to 5 it prints {listed(said) or 'no number'}."
            + "\nAnd in TensorFlow these may be other numbers." * race
        )
    if race:
        return (
            "These numbers are right, but by luck: no path orders the update and what you fetch with it.\n"
            "In TensorFlow they may be other numbers."
        )
    return ""


def _by_hand(seen: Seen) -> str:
    return no_training(seen) or counts(seen, 9) or ends(seen, w=4.1) or watched_by_a_hook(seen)


def _uninitialized(seen: Seen) -> str:
    return no_training(seen) or grows(seen) or ends(seen, w=5 * 0.8**3) or counts(seen, 3)


def _goes_on(program: Callable) -> Verdict:
    """Hand the program of case 8 two checkpoints, both named model-1000, with other steps inside."""
    for runs in (5, 7):
        with tempfile.TemporaryDirectory() as folder:
            path, saved = checkpoint(folder, runs)
            seen = watch(program, path)
        message = no_training(seen) or _not_resumed(seen, saved)
        if message:
            return _verdict(seen, f"{message}\nThe checkpoint: {_told(path, saved)}.", right=False)
    return _verdict(seen, CURED[8].format(_told(path, saved)), right=True)


def _told(path: str, saved: dict[str, float]) -> str:
    return (
        f"{os.path.basename(path)}, with step {saved['global_step']} and w {saved['w']:.4f} inside"
    )


def _not_resumed(seen: Seen, saved: dict[str, float]) -> str:
    start, end = seen.training[0].before, seen.runs[-1].after
    first, last = (int(held.get("global_step", -1)) for held in (start, end))
    if len(seen.training) != 1 or not np.isclose(start["w"], saved["w"], rtol=1e-5):
        return f"The update starts with w at {float(start['w']):.4f}: what was saved is not there."
    if first == 0:
        return "w goes on from the checkpoint, but the step starts at 0 again."
    if first == SAVED_AS:
        return f"The step goes on from {first}. That is only the number in the name."
    if first != saved["global_step"]:
        return f"The step goes on from {first}. Take the step that is inside."
    if last != first + 1:
        return f"One update, and the step goes from {first} to {last}."
    return ""


def _units(seen: Seen) -> str:
    if message := no_training(seen) or grows(seen):
        return message
    used = [rate(run) for run in seen.training]
    change = next((n for n, now in enumerate(used) if not np.isclose(now, 0.1, rtol=1e-3)), None)
    if change == 0:
        return f"The rate starts at {used[0]:.4g}. Let it start at 0.1."
    if change is None:
        return f"The rate is 0.1 for all of the {len(used)} updates."
    if change != 100:
        return (
            f"The rate is 0.1 for {change} batch{'es' * (change > 1)}, then {used[change]:.4g}. "
            "Two epochs are 100 batches."
        )
    if not np.allclose(used[100:], 0.05, rtol=1e-3):
        return f"After two epochs the rate is {used[100]:.4g}. It has to be 0.05, for two epochs."
    return counts(seen, 200)


def _grown(seen: Seen) -> str:
    message = no_training(seen) or grows(seen) or counts(seen, 5) or ends(seen, w=5 * 0.8**5)
    if message:
        return message
    numbers = [re.findall(r"\d+(?:\.\d+)?", line)[-1:] for line in seen.printed]
    said = [float(number) for [number] in filter(None, numbers)]
    wanted = [25 * 0.64**update for update in range(1, 6)]
    if len(said) != 5 or not np.allclose(said, wanted, rtol=1e-2):
        return (
            "The graph does not grow, but the output is not the same. It has to begin with the loss\n"
            "after the first update: 16, and not 25. Read it after the update, in a run of its own."
        )
    return ""


CASES = {
    1: _left_out,
    2: _unseen,
    3: _two_steps,
    4: _double,
    5: _a_race,
    6: _by_hand,
    7: _uninitialized,
    8: _goes_on,
    9: _units,
    10: _grown,
}
CURED = {
    1: "Ten updates, ten steps, and each update uses the rate of its own step.",
    2: "get_global_step() finds the counter that training counts.",
    3: "There is one global step, and the hook finds it. `episode` is a counter of its own.",
    4: "Both weights are trained in each turn, and only one op counts.",
    5: "Each number is read after its update. In TensorFlow, too: something orders the two.",
    6: "Nine updates, nine steps, and the hook has nothing to say.",
    7: "Every Variable has its first value before the first update.",
    8: "The checkpoint: {}. Both go on.",
    9: "The rate is 0.1 for two epochs, then 0.05 for two epochs.",
    10: "The graph is as large before the last update as before the first.",
}
