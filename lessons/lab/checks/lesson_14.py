"""The check of lesson 14: the inherited script's loop, with a count that is handed in and returned."""

import contextlib
import functools
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

import numpy as np

from lab.checks.verdict import Verdict, first_that_holds, judge, no_function
from lab.experiments.errors import type_and_first_line
from lab.experiments.inherited import inherited, run_inherited
from lab.files.temporary_folder import temporary_folder

TRIES = {  # which batches each run gets
    "After 400 batches in one run": [slice(400)],
    "After a stop at batch 230, then the other 170": [slice(230), slice(230, 400)],
    "After a second run of 400": [slice(400), slice(400)],
}
SAVED = "Somebody may have saved it. Try to leave it alone (`+=` changes it in place) and return a new one."
TWO = "`train` should return two things: the new model, then the state that `update` returned last."
WHEN = "The script writes a line after the updates 1, 51, 101, and so on."
IN_ALL = """You could use `state['count']`. It counts across all runs, while your own number starts at 0
in each call."""
COUNTS = np.arange(801)
DECAY = 0.5 * 0.8 ** (COUNTS / 100)
RATES = DECAY * np.where(COUNTS % 400 < 300, 1, 0.1)  # the script's rate for each count
_near = functools.partial(np.allclose, rtol=1e-4, atol=1e-7)


@judge
def check_ported(schedule: Callable, train: Callable, batches: Sequence) -> Iterator[Verdict | str]:
    """The port has the script's rates, steps and log, in one run, with a stop, and in a second run."""
    yield no_function(schedule=schedule, train=train)
    yield _of_the_schedule(schedule)
    for when, runs in TRIES.items():
        yield from _of_training(train, [batches[run] for run in runs], f"{when}, ")
    said = "Your port prints the script's log, in one run and with a stop after 230 batches"
    yield Verdict(True, f"{said}. A second run picks up with `step 401 rate 0.2048`.")


@functools.cache
def script_log() -> list[str]:
    """Run the script twice in a folder; return what both runs print."""
    folder = temporary_folder()
    return [line for _ in range(2) for line in run_inherited(folder, inherited(14))]


def _of_the_schedule(schedule: Callable) -> str:
    """Name what is wrong with the rates, if anything is."""
    try:
        got = np.array([float(schedule(int(count))) for count in COUNTS])
    except Exception as error:
        return f"`schedule` stops with an error: {type_and_first_line(error)}"
    n = next((n for n in COUNTS if not _near(got[n], RATES[n])), 0)
    why = first_that_holds(
        (_near(got, RATES), ""),
        (_near(got, got[0]), "This rate never changes: use the count."),
        (
            _near(got[1:100], 0.5),
            "It falls like a staircase. The script's falls at every step, so no //.",
        ),
        (_near(got[:250], DECAY[1:251]), "It counts from 1. At the first update, the count is 0."),
        (_near(got[:400], DECAY[:400]), "The polish, at a tenth of the rate, is missing."),
        (_near(got[n], DECAY[n]), "The polish begins late: its first count is 300."),
        (n == 300 and _near(got[n], 0.05), "The polish has its own decay. Share one count."),
        (n == 400 and _near(got[n], 0.5), "Only the polish repeats: no `%` in the decay."),
        (n >= 400, "The polish is for the last 100 of *every* 400: look at the script's `%`."),
        (
            True,
            "Try its three parts: 0.5 at first, times 0.8 every 100 steps, times 0.1 for the polish.",
        ),
    )
    here = f"`schedule({n})` returns {got[n]:.4g}. The script has {RATES[n]:.4g} there."
    return why and f"{here}\n{why}"


def _of_training(train: Callable, runs: Sequence[Sequence], when: str) -> Iterator[str]:
    """Name what is wrong with the model, the state or the log, if anything is."""
    model, state, printed = np.zeros((65, 10)), {"count": 0}, io.StringIO()
    for batches in runs:
        given = {"model": model.tolist(), "state": dict(state)}
        try:
            with contextlib.redirect_stdout(printed):
                result = train(model, state, batches)
        except Exception as error:
            yield f"`train` stops with an error: {type_and_first_line(error)}"
        for name, now in {"model": model.tolist(), "state": state}.items():
            yield "" if now == given[name] else f"`train` changes the {name} it was given.\n{SAVED}"
        try:
            model, state = np.reshape(result[0], (65, 10)), {"count": int(result[1]["count"])}
        except Exception:
            yield TWO
    count, steps = state["count"], sum(map(len, runs))
    why = first_that_holds(
        (count == steps, ""),
        (len(runs) > 1, "Begin with the model and the state that `train` is given."),
        (count == 0, "Each update begins at 0 again. Keep the new state that `update` returns."),
        (count == 1, "Each update gets a new state. Pass the one that the last update returned."),
        (True, "Count each update once."),
    )
    yield why and f"{when}the count is {count}, and the script's step is {steps}.\n{why}"
    log = zip_longest(printed.getvalue().splitlines(), script_log()[: steps // 50], fillvalue="")
    wrong = ((50 * n, *two) for n, two in enumerate(log) if len({*two}) > 1)
    hint = IN_ALL if len(runs) > 1 else WHEN
    yield next((f"{when}{_of_a_line(hint, *line)}" for line in wrong), "")


def _of_a_line(hint: str, before: int, mine: str, line: str) -> str:
    """Name what is wrong with a line that isn't the script's, by the count before its update."""
    said, wanted = ([float(n) for n in re.findall(r"\d+\.?\d*", text)] for text in (mine, line))
    same = [*map(functools.partial(np.isclose, rtol=0, atol=6e-4), said, wanted)]
    why = first_that_holds(
        (mine.startswith(f"step {before} "), "That's the count before the update."),
        (f" {RATES[before % 800 + 1]:.4f} " in mine, "That's the rate of the next update."),
        (len(same) == 3 and all(same), "Only the form differs: the words, or `:.4f` and `:.3f`."),
        (same[:2] == [1, 1], "Add each update to the newest model, and test what comes out."),
        (same[:1] == [1], "The second number should be the rate that this update used."),
        (True, hint),
    )
    return f"the log differs.\nyour port:   {mine}\nthe script:  {line}\n{why}"
