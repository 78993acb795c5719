"""The name `tensorflow` leads to minitf: `import tensorflow.compat.v1 as tf` and the like find what minitf has.

    with standing_in():
        import tensorflow as tf

It does so only inside the `with` block. Old programs also import from TensorFlow's inner files
(`from tensorflow.python.training import training_util`): most of their names are public ones, and are found as such.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import minitf
from minitf.framework import protos

VERSION = "1.15.0"  # what a program that asks for TensorFlow's version wants to hear
# Files below tensorflow/python/* whose names share a public place.
_PUBLIC = {
    "tf_logging": "logging",
    "gfile": "gfile",
    "flags": "flags",
    "app": "app",
    "errors": "errors",
}
_PUBLIC |= {"errors_impl": "errors", "nn": "nn", "losses": "losses", "summary": "summary"}


class _Module(ModuleType):
    """A module of TensorFlow's: it has the names of some of minitf's modules."""

    def __init__(self, name: str, *places):
        super().__init__(name)
        self._places, self.__path__ = places, []  # having a path, it may have submodules

    def __getattr__(self, name: str):
        if not name.startswith("__"):
            for place in self._places:
                if hasattr(place, name):
                    return getattr(place, name)
            if len(self._places) == 1:
                return getattr(self._places[0], name)  # its own words for what it lacks
        raise AttributeError(f"minitf has no {self.__name__}.{name}")


def _module(name: str):
    """What stands in for TensorFlow's module of this name. Raises AttributeError or ImportError where nothing does."""
    package, *path = name.removeprefix("tensorflow.").removeprefix("compat.v1.").split(".")
    match package, path:
        case "tensorflow", []:
            module = _Module(name, minitf)
            module.__version__ = module.VERSION = VERSION
            module.compat = _Module("tensorflow.compat", minitf.compat)
            module.compat.v1 = module
            return module
        case "compat", ["v1"]:
            return importlib.import_module("tensorflow")
        case ("python", [] | [_]) | ("core", [] | [_]):
            return _Module(name)
        case "python", [_, *_, file]:
            if file in _PUBLIC:
                return getattr(minitf, _PUBLIC[file])
            return _Module(name, minitf, minitf.train, minitf.nn, minitf.losses, minitf.summary)
        case "core", [_, file]:
            return protos.tensorboard(f"compat.proto.{file}")
        case "examples", _:
            return importlib.import_module(".".join(["minitf", package, *path]))
    found = importlib.import_module("tensorflow")
    for part in [package, *path]:
        found = getattr(found, part)
    return found


class _Finder(MetaPathFinder, Loader):
    """Python's way to ask for modules that are not among its files."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        return (
            ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "tensorflow" else None
        )

    def exec_module(self, module: ModuleType) -> None:
        try:
            sys.modules[module.__name__] = _module(module.__name__)
        except AttributeError as error:
            raise ModuleNotFoundError(str(error)) from None


def _of_tensorflow() -> dict[str, ModuleType]:
    return {
        name: module for name, module in sys.modules.items() if name.split(".")[0] == "tensorflow"
    }


@contextmanager
def standing_in() -> Iterator[None]:
    """In this block, `tensorflow` is minitf, also where TensorFlow is installed."""
    before, finder = _of_tensorflow(), _Finder()
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    protos.detach_tensorboard()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in _of_tensorflow():
            del sys.modules[name]
        sys.modules.update(before)
