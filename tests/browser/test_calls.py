"""The call timeline of lesson 11 shows the calls that a real training run makes."""

from __future__ import annotations

import itertools
import os
import random

import pytest

import lab
from lab.drawing.parts import DONE, GONE, NOW, OFF, PLAIN
from lab.explorers.call_timeline import AFTER, DATA, DIRECTORIES, MOST
from tests.lessons.calls import HOOKS, Stage, train

pytestmark = pytest.mark.browser
SETTINGS = list(itertools.product(DIRECTORIES, range(1, MOST + 1), range(1, 6), ("none", AFTER, DATA)))


def test_the_page_shows_what_a_real_run_calls(kit_page):
    shown = lab.CallTimeline()
    names = list(shown.state)
    chosen = random.Random(int(os.environ["MINITF_SEED"])).sample(SETTINGS, 200)
    states = [dict(zip(names, setting, strict=True)) for setting in chosen]
    pictures = kit_page.evaluate(
        "([data, states]) => states.map((state) => modules.calls.calls(state, data))", [shown.data["data"], states]
    )
    for setting, picture in zip(chosen, pictures, strict=True):
        stages, checkpoints = train(*setting)
        assert picture["parts"][1]["rows"] == rows_of(stages), setting
        directory, last_step, save_steps, _ = setting
        assert picture["words"].splitlines() == [
            f"checkpoint_dir {directory}, last_step {last_step}, save_checkpoint_steps {save_steps}.",
            f"{len(stages[0].calls)} hooks are called. The step starts at {stages[1].step}.",
            *in_words(stages),
            f"Checkpoints: {', '.join(checkpoints) or 'none'}.",
        ]


def rows_of(stages: list[Stage]) -> list[list]:
    """Show a row for each method that the session calls; after the first run, one for a whole run."""
    rows: list[list] = []
    for at, stage in enumerate(stages):
        rows.append(_row(stage))
        if stage.what == "after_run" and at > 4:
            run, step = rows[-2][1]["text"], rows[-2][-1]
            rows[-3:] = [[f"{run}, with both calls", *rows[-1][1:-1], step]]
    if stages[-1].what == "error":
        never = {"text": "not called", "kind": OFF, "span": len(HOOKS)}
        rows.append([{"text": "`end`", "kind": GONE}, never, " "])
    return rows


def _row(stage: Stage) -> list:
    """Return a cell for each hook that is called, or one for a run or an error, and the step."""
    step = " " if stage.step is None else str(stage.step)
    if stage.said:
        kind = NOW if stage.what == "error" else DONE
        return [" ", {"text": stage.said, "kind": kind, "span": len(HOOKS)}, step]
    cells = dict.fromkeys(HOOKS, " ")
    for hook, did in stage.calls.items():
        kind = DONE if did.startswith("saves") else NOW if did.startswith("says") else PLAIN
        cells[hook] = {"text": did or "·", "kind": kind}
    name = f"`{stage.what}`" + (" asks for" if stage.what == "before_run" else "")
    return [name, *cells.values(), step]


def in_words(stages: list[Stage]) -> list[str]:
    """Say what the runs do, and how they end."""
    runs = [f"{m.said.partition(':')[0]}, step {m.step}" for m in stages if m.what == "run"]
    raised = [f"Then {stage.said}." for stage in stages if stage.what == "error"]
    ends = "" if stages[-1].what == "end" else "not "
    return [f"{'; '.join(runs).capitalize()}.", *raised, f"end is {ends}called."]
