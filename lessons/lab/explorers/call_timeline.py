"""The call timeline: what a monitored session calls, from the first `begin` to the last `end`."""

from lab.controls.controls import menu, slider
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, GONE, NOW, OFF, PLAIN, Picture, note, table
from lab.experiments.calls import DIRECTORIES, EMPTY, ERRORS, HOOKS, NONE, Stage, train

HEADS = ("Step\nCounter\nHook", "Summary\nSaver\nHook", "Checkpoint\nSaver\nHook")
DOWNWARDS = "Time runs downwards, and in each row the hooks are called from left to right."
DOT = "A dot: the hook is called, with nothing to report."
MOST = 6  # the largest last step
ROOM = 370  # pixels for the rows of six runs


class CallTimeline(Explorer):
    """Choose a directory, the last step, how often to save, and an error; see every call."""

    controls = (
        menu("directory", "checkpoint_dir", DIRECTORIES, EMPTY),
        slider("last_step", "last_step", 5, 1, MOST),
        slider("save_steps", "save_checkpoint_steps", 2, 1, 5),
        menu("error", "error", ("none", *ERRORS)),
    )

    def picture(self, directory: str, last_step: int, save_steps: int, error: str) -> Picture:
        """Return the calls in order of time, from top to bottom, with the step on the right."""
        stages, checkpoints = train(directory, last_step, save_steps, error)
        words = [
            f"checkpoint_dir {directory}, last_step {last_step}, save_checkpoint_steps {save_steps}.",
            f"{len(stages[0].calls)} hooks are called. The step starts at {stages[1].step}.",
            *in_words(stages),
            f"Checkpoints: {', '.join(checkpoints) or 'none'}.",
        ]
        parts = [note(DOWNWARDS, DOT, reserve=45), calls(stages, directory)]
        return Picture(parts, "\n".join(words))


def calls(stages: list[Stage], directory: str) -> dict:
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
    whose = "not added: no checkpoint_dir" if directory == NONE else "for checkpoint_dir"
    groups = [" ", {"text": whose, "span": 3}, {"text": "given as hooks=", "span": 2}, " "]
    head = [" ", *HEADS, "StopAt\nStep\nHook", "your\nhook", "step"]
    return table(rows, head, groups=groups, widths=(178, 88, 90, 104, 94, 92, 54), reserve=ROOM)


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
