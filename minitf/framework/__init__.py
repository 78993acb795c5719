"""The building blocks of a graph: dtypes, shapes, errors, names, the op registry and the graph.

This file has what every public module shares: names that load late, and the error for a name that
minitf lacks.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def loads_late(
    module: str, homes: Mapping[str, Callable] = MappingProxyType({}), here: dict | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a public module such as "tf.train".

    `homes` maps each name that loads late to a function that loads it; the result is then kept in
    `here`, by default the namespace of the calling module. For any other name, `__getattr__` raises
    AttributeError, whose message says whether TensorFlow has the name.
    """
    here = vars(sys.modules[sys._getframe(1).f_globals["__name__"]]) if here is None else here

    def __getattr__(name: str):
        if name in homes:
            return here.setdefault(name, homes[name]())
        if name.startswith("_"):
            raise AttributeError(name)
        # Only an error needs the list of TensorFlow's names.
        problem = importlib.import_module("minitf.framework.tensorflow_names").problem
        raise AttributeError(problem(module.replace("tf", "tensorflow", 1), name))

    return __getattr__, lambda: sorted({*here, *homes})
