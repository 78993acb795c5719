"""The check of lesson 14: the inherited script's loop, with a count that is handed in and returned."""

import functools
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout

import numpy as np

from lab.checks.script_log import log_differs
from lab.checks.verdict import Verdict, judge
from lab.experiments.inherited import inherited, run_inherited
from lab.files.temporary_folder import temporary_folder

TRIES = {  # which batches each run gets
    "After 400 batches in one run": [slice(400)],
    "After a stop at batch 230, then the other 170": [slice(230), slice(230, 400)],
    "After a second run of 400": [slice(400), slice(400)],
}
THREE = """The rate is 0.5 at first, and falls smoothly to 0.8 of it in 100 updates. The last 100 of every 400
updates polish, at a tenth of that. At the first update, the count is 0."""
SAVED = """`train` changes the {} it was given. Somebody may have saved it. Try to leave it alone
(`+=` changes it in place) and return a new one."""
TWO = "`train` should return two things: the new model, then the state that `update` returned last."
ONCE = """Begin with the state that `train` was given, pass each update the state that the one before it
returned, and count each update once."""
HINTS = (
    """Write a line after the updates 1, 51, 101 and so on. You could use `state['count']`: it counts across
all runs, while a number of your own starts at 0 in each call.""",
    "The second number should be the rate that this update used.",
    "Add each update to the newest model, and test what comes out.",
)
COUNTS = np.arange(801)
RATES = 0.5 * 0.8 ** (COUNTS / 100) * np.where(COUNTS % 400 < 300, 1, 0.1)  # of the script


@judge
def check_ported(schedule: Callable, train: Callable, batches: Sequence) -> Iterator[Verdict | str]:
    """The port has the script's rates, steps and log, in one run, with a stop, and in a second run."""
    for count, rate in enumerate(RATES):
        got = np.array(schedule(count), float)
        here = f"`schedule({count})` returns {got:.4g}. The script has {rate:.4g} there."
        yield "" if np.isclose(got, rate, rtol=1e-4) else f"{here}\n{THREE}"
    for when, runs in TRIES.items():
        yield from _of_training(train, [batches[run] for run in runs], when)
    said = "Your port prints the script's log, in one run and with a stop after 230 batches"
    yield Verdict(True, f"{said}. A second run picks up with `step 401 rate 0.2048`.")


@functools.cache
def _script_log() -> list[str]:
    """Run the script twice in a folder; return what both runs print."""
    folder = temporary_folder()
    return [line for _ in range(2) for line in run_inherited(folder, inherited(14))]


def _of_training(train: Callable, runs: Sequence[Sequence], when: str) -> Iterator[str]:
    """Name what is wrong with the model, the state or the log, if anything is."""
    model, state, printed = np.zeros((65, 10)), {"count": 0}, io.StringIO()
    for batches in runs:
        given = model.copy(), dict(state)
        with redirect_stdout(printed):
            new = train(model, state, batches)
        yield SAVED.format("state") if state != given[1] else ""
        yield SAVED.format("model") if np.any(model != given[0]) else ""
        yield "" if [np.shape(part) for part in new] == [(65, 10), ()] else TWO
        model, state = np.array(new[0]), {"count": int(new[1]["count"])}
    count, steps = state["count"], sum(map(len, runs))
    said = f"{when}, the count is {count}, and the script's step is {steps}."
    yield "" if count == steps else f"{said}\n{ONCE}"
    yield log_differs(when, printed.getvalue().splitlines(), _script_log()[: steps // 50], HINTS)
