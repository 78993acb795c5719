"""The call timeline: who is called in a monitored session, from the first begin to the last end."""

from __future__ import annotations

import ipywidgets as widgets

from lab.calls import BUILT_IN, DIRECTORIES, EMPTY, ERRORS, NONE, OWN, Call, Moment, Training, train
from lab.explorer import WIDE, Explorer, slider
from lab.scene import Arrow, Box, Scene, Text

HOOKS = (*BUILT_IN, *OWN)
HEADS = {hook: (hook.removesuffix("Hook"), "Hook") for hook in HOOKS} | {
    "SummarySaverHook": ("Summary", "SaverHook"),
    "CheckpointSaverHook": ("Checkpoint", "SaverHook"),
    "your hook": ("your", "hook"),
}
LEFT, COLUMN, ROW, GAP = 166, 84, 21, 6  # where the hooks start; how far things are apart
RIGHT = LEFT + COLUMN * len(HOOKS)
WIDTH = RIGHT + 54
SMALL = 11.5
MOST = 5  # the largest last step


class CallTimeline(Explorer):
    """Choose a directory, the last step, how often to save, and an error; see every call."""

    note = "Run this cell, and you get controls: another directory, another end."

    def __init__(self) -> None:
        """Start in an empty directory, without an error."""
        self.directory = widgets.Dropdown(
            options=DIRECTORIES, value=EMPTY, description="checkpoint_dir", layout=WIDE
        )
        self.last_step = slider("last_step", 4, 1, MOST)
        self.save_steps = slider("save_checkpoint_steps", 2, 1, MOST - 1)
        self.error = widgets.Dropdown(options=ERRORS, description="error", layout=WIDE)
        super().__init__([self.directory, self.last_step, self.save_steps, self.error])

    def picture(self) -> Scene:
        """Return the calls, from top to bottom as time goes, with the step at the right."""
        directory = self.directory.value
        training = train(directory, self.last_step.value, self.save_steps.value, self.error.value)
        settings = {"StopAtStepHook": f"last_step={self.last_step.value}"}
        if directory != NONE:
            settings["CheckpointSaverHook"] = f"save_steps={self.save_steps.value}"
        shapes, y, runs = _heads(directory, settings), 86, 0
        for moment in training.moments:
            runs += moment.what == "run"
            y += GAP if moment.what in ("before_run", "end", "error") else 0
            shapes += _row(moment, y, runs)
            y += ROW
        bottom = y
        if training.error:
            shapes.append(Text(LEFT + 4, y + GAP + 14, "not called", size=12, kind="quiet"))
            shapes.append(Text(10, y + GAP + 14, "end", SMALL, mono=True, kind="quiet"))
            y += ROW + GAP
        shapes.append(Arrow([(3, 84), (3, bottom)], kind="quiet"))
        legend = (
            "Hooks are called from left to right. Dashed: called, but this method does nothing."
        )
        shapes.append(Text(8, y + 22, legend, size=12, kind="quiet"))
        values = [f"checkpoint_dir is {directory}", f"last_step is {self.last_step.value}"]
        if directory != NONE:
            values.append(f"save_checkpoint_steps is {self.save_steps.value}")
        words = f"{', '.join(values)}.\n{in_words(training, directory, self.error.value)}"
        return Scene(WIDTH, y + 32, shapes, words)


def _heads(directory: str, settings: dict[str, str]) -> list[Text]:
    """Name the hooks, and say with which numbers they were made."""
    shapes = [Text(WIDTH - 8, 54, "step", size=12, anchor="end", bold=True)]
    for number, hook in enumerate(HOOKS):
        x, absent = LEFT + COLUMN * number + 39, directory == NONE and hook in BUILT_IN
        kind = "quiet" if absent else "plain"
        for line, text in enumerate(HEADS[hook]):
            shapes.append(Text(x, 38 + 16 * line, text, 12, "middle", bold=not absent, kind=kind))
        below = "not there" if absent else settings.get(hook, "")
        shapes.append(Text(x, 70, below, SMALL, "middle", kind="quiet"))
    whose = (("for checkpoint_dir", LEFT, 3), ("given as hooks=", LEFT + 3 * COLUMN, 2))
    for text, x, columns in whose:
        shapes.append(Text(x + columns * COLUMN / 2 - 3, 20, text, 12, "middle", kind="quiet"))
    return shapes


def _row(moment: Moment, y: float, runs: int) -> list[Box | Text]:
    """Draw one method, called of one hook after the other, or a run, or an error."""
    shapes: list[Box | Text] = []
    if moment.step is not None and moment.what != "after_run":
        shapes.append(Text(WIDTH - 8, y + 14, f"{moment.step}", 13, "end", mono=True, bold=True))
    if moment.calls:
        shapes.append(Text(10, y + 14, moment.what, SMALL, mono=True))
        return [*shapes, *(shape for call in moment.calls for shape in _call(call, y))]
    said = moment.said or f"run {runs}: train_op, and what the hooks ask for"
    kind = "now" if moment.said else "done"
    return [
        *shapes,
        Box(LEFT, y, RIGHT - LEFT - 6, ROW - 3, kind, key="run"),
        Text((LEFT + RIGHT) / 2 - 3, y + 13, said, 12, "middle", bold=bool(moment.said)),
    ]


def _call(call: Call, y: float) -> list[Box | Text]:
    x = LEFT + COLUMN * HOOKS.index(call.hook)
    kind = "quiet" if call.idle else "now" if call.notable else "plain"
    box = Box(x, y, COLUMN - 6, ROW - 3, kind, key="call")
    if not call.did:
        return [box]
    return [box, Text(x + 39, y + 13, call.did, SMALL, "middle", bold=call.notable)]


def in_words(training: Training, directory: str, error: str) -> str:
    """Say what the picture shows."""
    hooks = "Two" if directory == NONE else "Five"
    whose = "" if directory == NONE else ", three of them for the directory"
    start = training.moments[1].step
    lines = [f"{hooks} hooks are called{whose}. The step starts at {start}."]
    ran = zip(training.steps, training.losses, strict=True)
    runs = [
        f"run {number}, step {step}, loss {loss:.4g}" for number, (step, loss) in enumerate(ran, 1)
    ]
    ended = [moment for moment in training.moments if moment.said]
    lines.append(f"{'; '.join(runs).capitalize()}.")
    if ended:
        calls = (
            "no end is called" if training.error else "this says that all is done, so end is called"
        )
        lines.append(f"Then {ended[0].said}: {calls}.")
    else:
        lines.append("StopAtStepHook says stop, then end is called.")
        if error != ERRORS[0]:
            lines[-1] += " There is no run 3, so no error."
    if training.checkpoints:
        lines.append(f"Checkpoints: {', '.join(training.checkpoints)}.")
    return "\n".join(lines)
