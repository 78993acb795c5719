"""The first picture of the course: ten calm lines, and beside them the number that nobody printed.

toy.js draws it and takes the ten steps, so it runs without Python as well.
"""

from pathlib import Path

from traitlets import Bool, Float

from lab.widget import Widget


class Toy(Widget):
    """A switch for the argument, and a slider for the rate at the start."""

    _esm = Path(__file__).with_suffix(".js")
    picture = "toy"
    words = (
        "The ten lines that the post printed, from 0.107177 1 to 0.2 10, and a counter at 10. "
        "Beside them, something is covered: the number nobody printed."
    )
    passed = Bool(True, help="whether minimize is passed the global step").tag(sync=True)
    rate = Float(0.1, min=0.005, max=0.2, help="the learning rate at the start").tag(sync=True)
