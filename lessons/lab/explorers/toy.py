"""The first picture of the course: ten calm lines, and beside them the number that nobody printed.

The page draws and computes all of it (page/toy.js, page/rules/posts.js).
"""

from lab.controls.controls import segments, slider
from lab.controls.explorer import Explorer

WORDS = (
    "The ten lines that the post printed, from 0.107177 1 to 0.2 10, beside a counter. "
    "The number that nobody printed is covered: w ends at -21.15 million. It should be 1."
)


class Toy(Explorer):
    """A switch for the argument, and a slider for the rate at the start."""

    rule = "toy"
    controls = (
        segments("way", "global_step is", ["passed", "left out"]),
        slider("rate", "starting rate", 0.1, 0.005, 0.2, log=True),
    )

    def __init__(self) -> None:
        """Show the posts' run."""
        super().__init__(WORDS)
