"""Names that load late: who defines a rare name says how to load it, and who needs it asks here.

provide("tf.train", {"FtrlOptimizer": load_it})
__getattr__, __dir__ = loads_late("tf.train", globals())  # in the public module `tf.train`
load("tf.train", "FtrlOptimizer")  # in the core, which doesn't import what is above it
"""

import importlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

# For each public module, the names that load late, each with a function that loads it.
_LOADERS: dict[str, dict[str, Callable[[], Any]]] = defaultdict(dict)


def provide(module: str, loaders: Mapping[str, Callable[[], Any]]) -> None:
    """Add names to a public module such as "tf.train": each is loaded when it is first needed."""
    _LOADERS[module].update(loaders)


def names(module: str) -> list[str]:
    """Return the names that load late in a public module."""
    return list(_LOADERS[module])


def load(module: str, name: str):
    """Return what a public module has under a name that loads late."""
    return _LOADERS[module][name]()


def loads_late(
    module: str, here: dict[str, Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a public module, whose namespace is `here`.

    What has been loaded is kept there. For a name that nobody provides, `__getattr__` raises
    AttributeError, whose message says whether TensorFlow has the name.
    """

    def __getattr__(name: str):
        if name not in _LOADERS[module]:
            raise missing(module, name)
        return here.setdefault(name, load(module, name))

    return __getattr__, lambda: sorted({*here, *_LOADERS[module]})


def missing(module: str, name: str) -> AttributeError:
    """Return the error for a name that a public module lacks."""
    if name.startswith("_"):
        return AttributeError(name)
    from minitf.framework.tensorflow_names import problem  # only an error needs the list

    return AttributeError(problem(module.replace("tf", "tensorflow", 1), name))


def imported(module: str, advice: str) -> ModuleType:
    """Return a module of a package that only parts of minitf need.

    Raises ImportError with the advice if the package isn't installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{advice} ({error})") from error


class LateModule(ModuleType):
    """A module that has no file: `find` gives what is under a name that isn't there yet."""

    def __init__(self, path: str):
        super().__init__(path)
        self.__path__ = []  # it can have submodules

    def find(self, name: str):
        """Load a name that somebody provides, and keep it. Raises AttributeError for any other."""
        return loads_late(self.__name__, vars(self))[0](name)

    def __getattr__(self, name: str):
        return self.find(name)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *_LOADERS[self.__name__]})
