"""The stability explorer: drag `w` and the rate, and see whether ten steps find w = 1."""

from lab.controls.controls import handle, segments, slider
from lab.controls.explorer import Explorer


class StabilityExplorer(Explorer):
    """Rings for the rate and the start, a switch between sum and mean, and the number of examples."""

    rule = "descent"
    controls = (
        segments("loss", "loss", ["sum", "mean"]),
        slider("examples", "examples", 10, 2, 40),
        handle("rate", "learning rate", 0.03, 0.0025, 0.5, log=True),
        handle("start", "w at the start", 0.0, -1.0, 3.0, 0.01),
    )

    def __init__(self, limit: bool = True) -> None:
        """Tell where the limit is; without `limit`, the reader is to find it, for the sum alone."""
        if not limit:
            self.controls = self.controls[2:]
        words = "The loss over w with the path of ten steps, and a ring on a bar of learning rates."
        super().__init__(words, limit=limit)
