"""The building blocks of a graph: dtypes, shapes, errors, names, the table of ops, and the graph.

All public modules share what is here: names that load late, and the words for a missing name.
"""

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def loads_late(
    module: str, homes: Mapping[str, Callable] = MappingProxyType({}), here: dict | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a public module such as "tf.train".

    They know the names that are loaded when they are first asked for: `homes` has a function for
    each that loads it, and `here`, the names of the module that calls this, then keeps it. For a
    name that nobody knows, AttributeError says what minitf covers.
    """
    here = vars(sys.modules[sys._getframe(1).f_globals["__name__"]]) if here is None else here

    def __getattr__(name: str):
        if name in homes:
            return here.setdefault(name, homes[name]())
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"minitf has no {module}.{name}. If this is a name of TensorFlow's, it is one that "
            "minitf does not cover: here are graphs, sessions, variables, the ops of training "
            "code, gradients, optimizers, and what uses the global step (README.md lists them)"
        )

    return __getattr__, lambda: sorted({*here, *homes})
