"""The call timeline: what a monitored session calls, from the first `begin` to the last `end`."""

from lab.controls.controls import menu, slider
from lab.controls.explorer import Explorer

DIRECTORIES = NONE, EMPTY, FILLED = "None", "an empty directory", "a directory with model.ckpt-5"
AFTER, DATA = (
    "ValueError after run 3, if it gets there",
    "OutOfRangeError after run 3, if it gets there",
)
MOST = 6  # the largest last step


class CallTimeline(Explorer):
    """Choose a directory, the last step, how often to save, and an error; see every call."""

    rule = "calls"
    controls = (
        menu("directory", "checkpoint_dir", DIRECTORIES, EMPTY),
        slider("last_step", "last_step", 5, 1, MOST),
        slider("save_steps", "save_checkpoint_steps", 2, 1, 5),
        menu("error", "error", ("none", AFTER, DATA)),
    )

    def __init__(self) -> None:
        """Train up to step 5 in an empty directory, without an error."""
        mistake = {"name": AFTER, "type": "ValueError", "isQuiet": False}
        end = {"name": DATA, "type": "OutOfRangeError", "isQuiet": True}
        super().__init__(
            "The hooks of a monitored session, and each call of their methods, in order of time.",
            directories=DIRECTORIES,
            errors=[mistake, end],
        )
