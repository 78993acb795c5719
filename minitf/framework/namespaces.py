"""Public modules whose names load late, words for a name that minitf lacks, and settings without effect."""

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def loads_late(
    module: str, homes: Mapping[str, Callable] = MappingProxyType({}), here: dict | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a public module such as "tf.train".

    They know the names that are loaded when they are first asked for: `homes` has a function for each that loads it,
    and `here`, the names of the module that calls this, then keeps it. Of a name that nobody knows, AttributeError
    says what minitf covers.
    """
    here = vars(sys.modules[sys._getframe(1).f_globals["__name__"]]) if here is None else here

    def __getattr__(name: str):
        if name in homes:
            return here.setdefault(name, homes[name]())
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"minitf has no {module}.{name}. If this is a name of TensorFlow's, it is one that minitf does "
            "not cover: here are graphs, sessions, variables, the ops of training code, gradients, optimizers, and "
            "what uses the global step (README.md lists them)"
        )

    return __getattr__, lambda: sorted({*here, *homes})


class Settings:
    """`tf.ConfigProto`, `tf.GPUOptions` and the like: they keep what they are told, and have no effect here.

    A setting that nobody has made holds settings itself: `config.gpu_options.allow_growth = True`.
    """

    def __init__(self, **settings):
        vars(self).update(settings)

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return vars(self).setdefault(name, Settings())

    def __eq__(self, other) -> bool:
        return isinstance(other, Settings) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return "".join(f"{name}: {value}\n" for name, value in vars(self).items())


class RunOptions(Settings):
    """How a run is done, in TensorFlow."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)  # what `trace_level` may be


class RunMetadata(Settings):
    """What was measured in a run: nothing, here."""
