"""The checkpoint timeline: how often to save, how many to keep, and when to kill the first run."""

from lab.controls.controls import slider
from lab.controls.explorer import Explorer


class CheckpointTimeline(Explorer):
    """Choose how often to save and how many to keep, and drag the mark that kills the run."""

    rule = "checkpoints"
    controls = (
        slider("killed", "killed after step", 18, 1, 23),
        slider("every", "save every ... steps", 4, 1, 12),
        slider("keep", "max_to_keep", 2, 1, 6),
    )

    def __init__(self) -> None:
        """Kill the first run after step 18."""
        super().__init__(
            "Two runs over one axis of steps, with the checkpoints that they save and keep."
        )
