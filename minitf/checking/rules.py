"""All rules of `--check`. Importing their modules enters them in RULES."""

from minitf.checking.rule import RULES

__all__ = ["RULES"]
