"""Makes minitf stand in for TensorFlow: `import tensorflow.compat.v1 as tf` then imports minitf.

    with standing_in():
        import tensorflow as tf

Outside the `with`, nothing changes. Old programs also import from TensorFlow's internal files, as
in `from tensorflow.python.training import training_util`; most names in these files are public, so
they are looked up among minitf's public names.
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

VERSION = "1.15.0"  # for programs that ask for TensorFlow's version
# Files in the folders of tensorflow/python that have the name of a public module.
_PUBLIC = {name: name for name in ("app", "errors", "flags", "gfile", "losses", "nn", "summary")}
_PUBLIC |= {"errors_impl": "errors", "tf_logging": "logging"}


class _Module(ModuleType):
    """A stand-in for one of TensorFlow's modules, with the names of some of minitf's modules."""

    def __init__(self, name: str, *places):
        super().__init__(name)
        self._places, self.__path__ = places, []  # a module with a path can have submodules

    def __getattr__(self, name: str):
        if not name.startswith("__"):
            for place in self._places:
                if hasattr(place, name):
                    return getattr(place, name)
            if len(self._places) == 1:
                return getattr(self._places[0], name)  # raises that module's own error
        raise AttributeError(f"minitf has no {self.__name__}.{name}")


def _module(name: str):
    """Return minitf's stand-in for one of TensorFlow's modules.

    Raises AttributeError or ImportError if there is none.
    """
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
    """Finds the modules whose names begin with `tensorflow`."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if _is_tensorflows(name) else None

    def exec_module(self, module: ModuleType) -> None:
        try:
            sys.modules[module.__name__] = _module(module.__name__)
        except AttributeError as error:
            raise ModuleNotFoundError(str(error)) from None


def _is_tensorflows(name: str) -> bool:
    return name.split(".")[0] == "tensorflow"


def _take_out() -> dict[str, ModuleType]:
    """Remove TensorFlow's modules from `sys.modules`, and return them."""
    return {name: sys.modules.pop(name) for name in [*sys.modules] if _is_tensorflows(name)}


@contextmanager
def standing_in() -> Iterator[None]:
    """Make `tensorflow` mean minitf within the `with`, even if TensorFlow is installed."""
    before, finder = _take_out(), _Finder()
    sys.meta_path.insert(0, finder)
    protos.detach_tensorboard()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _take_out()
        sys.modules.update(before)
