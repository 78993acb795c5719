"""The worker scheduler: make one of four workers slow, and see who waits, or what is stale."""

from lab.controls.controls import segments, slider
from lab.controls.explorer import Explorer


class WorkerScheduler(Explorer):
    """Workers over time: drag the end of worker 1's first batch."""

    rule = "workers"
    controls = (
        slider("slow", "time per batch on worker 1", 3.0, 1.0, 4.0, 0.05, format=2),
        segments("way", "workers are", ["asynchronous", "synchronous"]),
    )

    def __init__(self) -> None:
        """Let worker 1 take three times as long as the others."""
        super().__init__(
            "Four workers over time, each with its batches, their staleness, and the steps."
        )
