"""All rules of `--check`. Importing the modules that have them enters them in RULES."""

from minitf.checking import checkpoints, names, order, rates, steps, watching
from minitf.checking.rule import RULES

MODULES = (steps, rates, checkpoints, watching, order, names)

__all__ = ["MODULES", "RULES"]
