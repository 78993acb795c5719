"""The smoothing explorer: two noisy runs, and the curves that TensorBoard draws through them."""

from collections.abc import Mapping, Sequence

from lab.controls.controls import slider
from lab.controls.explorer import Explorer


class SmoothingExplorer(Explorer):
    """A slider for the smoothing, starting where TensorBoard's does."""

    rule = "smoothing"
    controls = (slider("smoothing", "smoothing", 0.6, 0.0, 0.99, 0.01, format=2),)

    def __init__(self, runs: Mapping[str, Sequence[float]], least: float):
        """Show one or two runs: their names, and their losses from step 1 on; noise alone costs `least`."""
        losses = [{"name": name, "values": list(values)} for name, values in runs.items()]
        words = f"The losses of {' and '.join(runs)}, and their averages as TensorBoard draws them."
        super().__init__(words, runs=losses, least=least)
