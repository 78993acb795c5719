"""What minitf lacks: a name that is TensorFlow's says so, and TensorFlow 2 has nothing to switch off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def names_what_is_missing(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a public module."""

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"minitf has no {module}.{name}. If this is a name of TensorFlow's, it is one that minitf does "
            "not cover: here are graphs, variables, sessions, gradients, gradient descent, and what "
            "uses the global step (README.md lists them)"
        )

    return __getattr__


def disable_v2_behavior() -> None:
    """Nothing: minitf has only what TensorFlow 1 had. (In TensorFlow 2, this line brings that back.)"""


def disable_eager_execution() -> None:
    """Nothing: in minitf there only are graphs."""
