"""The ten-steps explorer: step through the posts' run, and watch `w` beside the lines they print."""

from lab.controls.controls import player, segments
from lab.controls.explorer import Stored
from lab.drawing.parts import DONE, NOW, PLAIN, Picture, axis, chart, code, line
from lab.experiments.ten_steps import STEPS, ten_steps

WAYS = ["passed", "left out"]  # what happens to global_step
DISTANCE = axis("|w − 1|, how far w is from 1", 1, 1e8, log=True)


class TenSteps(Stored):
    """A switch for the argument, and the ten steps one after the other."""

    controls = (segments("way", "global_step is", WAYS), player("at", "step", STEPS))

    def __init__(self) -> None:
        """Run the experiment both ways."""
        self._runs = {way: ten_steps(counted=way == WAYS[0]) for way in WAYS}
        super().__init__()

    def picture(self, way: str, at: int) -> Picture:
        """Return the lines printed so far, and how far `w` is from 1 after each step."""
        printed, weights = self._runs[way]
        [other] = [name for name in WAYS if name != way]
        lines = [{"text": text, "kind": PLAIN} for text in printed[:at]]
        if at:
            lines[-1]["kind"] = NOW
        lines += [{"text": "", "kind": PLAIN}] * (STEPS - at)
        whole = line(distances(self._runs[other][1]), other)
        curves = [whole, line(distances(weights[: at + 1]), way, DONE, dots=True)]
        millions = f"{weights[at] / 1e6:.2f} million"
        value = millions if abs(weights[at]) > 1e5 else f"{weights[at]:.4g}"
        label = {"at": distances(weights)[at], "text": f"w = {value}", "kind": DONE}
        side = {"dy": 14 if at else -40}  # where no curve runs through the words
        if at > STEPS / 2:
            side = {"anchor": "end", **({"dx": -10} if way == WAYS[0] else {"dx": 54, "dy": 48})}
        look = {"inset": [70, 62], "basis": 380, "height": 270}
        path = chart(axis("step", 0, STEPS), DISTANCE, curves, notes=[label | side], **look)
        said = f"it prints {printed[at - 1]}" if at else "nothing is printed yet"
        words = f"global_step is {way}. At step {at}, {said}, and w is {weights[at]:.4g}."
        return Picture([code(lines, title="rate and step", basis=180), path], words)


def distances(weights: list[float]) -> list[tuple]:
    """Return the points of a curve."""
    return [(step, abs(weight - 1)) for step, weight in enumerate(weights)]
