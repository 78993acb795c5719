"""The first-steps explorer: a rate, a formula for the loss, and what the first batches leave behind."""

from lab.controls.controls import segments, stops
from lab.controls.explorer import Stored
from lab.drawing.digits import pixels_of_weights
from lab.drawing.learned import both
from lab.drawing.parts import NOW, Picture
from lab.experiments.first_steps import BATCHES, FORMULAS, Runs

# Training takes too long for the page, so these are the rates that one can choose.
RATES = (0.25, 0.5, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.25, 1.5, 2.0, 3.0)


class FirstSteps(Stored):
    """A slider for the rate, and a switch between the two formulas of the loss."""

    controls = (
        stops("rate", "learning rate", 0.5, RATES, format=2),
        segments("formula", "loss", FORMULAS),
    )

    def __init__(self, digits: object):
        """Start with the post's rate and formula, on the `digits` that read_data_sets returned."""
        self._runs = Runs(digits)
        super().__init__()

    def picture(self, rate: float, formula: str) -> Picture:
        """Return what was learned and counted in the first batches, and the weights after them."""
        points, weights, ruined = self._runs(formula, rate)
        learned, counted = both(range(1, BATCHES + 1), points)
        end = f"{points[-1][1]:.3f} of the test digits are right"
        if ruined:
            learned["rules"] = [{"x": ruined, "label": f"nan after batch {ruined}", "kind": NOW}]
            end = f"every weight has been nan since batch {ruined}: {end}"
        title = "The weights: blue counts for the digit, orange against it"
        parts = [learned, counted, pixels_of_weights(weights, size=58, title=title)]
        words = f"Rate {rate:.3g}, {formula}. After {BATCHES} batches the step is {points[-1][0]}; {end}."
        return Picture(parts, words)
