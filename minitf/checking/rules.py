"""All rules of `--check`. Importing their modules enters them in RULES."""

import minitf.explain  # whose findings have the titles
from minitf.checking import checkpoints, names, order, rates, steps, watching
from minitf.checking.rule import RULES

__all__ = ["RULES"]
