"""Makes minitf stand in for TensorFlow: `import tensorflow.compat.v1 as tf` then imports minitf.

    with standing_in():
        import tensorflow as tf

Outside the `with`, nothing changes. Old programs also import from TensorFlow's internal files, as
in `from tensorflow.python.training import training_util`. In these, minitf has what is public in
TensorFlow under another path.

A name that TensorFlow lacks fails as it does there. For one that only minitf lacks, the error says
that TensorFlow has it.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import attrgetter
from types import ModuleType

import minitf
from minitf.framework import protos, tensorflow_names
from minitf.framework.late import LateModule

VERSION = "1.15.0"  # for programs that ask for TensorFlow's version
_INPUT_DATA = "tensorflow.examples.tutorials.mnist.input_data"


class _Module(LateModule):
    """A stand-in for one of TensorFlow's modules, with the names of one of minitf's.

    Without a `place`, it is a module inside TensorFlow, whose names minitf has under public paths.
    """

    def __init__(self, name: str, place=None):
        super().__init__(name)
        self._place = place

    def __setattr__(self, name: str, value):
        if name not in tensorflow_names.HIDDEN or self.__name__ != "tensorflow":
            super().__setattr__(name, value)

    def find(self, name: str):
        module = self.__name__
        if name == "__all__":  # for `from tensorflow import *`
            names = dir(self._place) if self._place else tensorflow_names.names(module)
            return [
                name for name in names if tensorflow_names.has(module, name) and hasattr(self, name)
            ]
        if name.startswith("__") or tensorflow_names.has(module, name) is False:
            raise AttributeError(tensorflow_names.problem(module, name))
        if tensorflow_names.is_inside(f"{module}.{name}"):
            return _imported(f"{module}.{name}")
        if self._place is None:
            return _public(module, name)
        found = getattr(self._place, name)  # or raises that module's own error
        if not _is_module(found):
            return found
        inner = f"{module}.{name}"
        return sys.modules.get(inner) or importlib.import_module(inner)

    def __dir__(self):
        return sorted({*vars(self), *dir(self._place)})


def _is_module(value) -> bool:
    return isinstance(value, ModuleType) and not isinstance(value, _Module)


def _imported(module: str):
    """Return a module. Raises AttributeError if it can't be imported."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise AttributeError(str(error)) from None


def _public(module: str, name: str):
    """Return what minitf has for a name of a module inside TensorFlow.

    Raises AttributeError if it has none.
    """
    names = tensorflow_names.names(module)
    path = names.get(name) or (f"{names['*']}.{name}" if names.get("*") else "")
    try:
        return attrgetter(path)(minitf)
    except AttributeError:
        raise AttributeError(tensorflow_names.problem(module, name)) from None


def _has_any(module: str) -> bool:
    """Return whether minitf has anything of what is inside a module of TensorFlow."""
    if module == _INPUT_DATA:
        return True
    if module.endswith("_pb2"):
        return protos.has_file(_proto(module))
    names = tensorflow_names.names(module)
    return any(_has(module, name) for name in names if name != "*" or names[name])


def _has(module: str, name: str) -> bool:
    try:
        _public(module, name)
    except AttributeError:
        return False
    return True


def _proto(module: str) -> str:
    """Return TensorBoard's module for a file such as `tensorflow.core.framework.summary_pb2`."""
    return f"compat.proto.{module.rpartition('.')[2]}"


def _inside(module: str):
    """Return the stand-in for a module inside TensorFlow, or None if minitf has nothing of it."""
    if not any(map(_has_any, [module, *tensorflow_names.modules_in(module)])):
        return None
    if module == _INPUT_DATA:
        return importlib.import_module(module.replace("tensorflow", "minitf"))
    return protos.tensorboard(_proto(module)) if module.endswith("_pb2") else _Module(module)


def _root():
    module = _Module("tensorflow", minitf)
    module.__version__ = module.VERSION = VERSION
    module.compat = _Module("tensorflow.compat", minitf.compat)
    module.compat.v1 = module
    return module


def _module(name: str):
    """Return minitf's stand-in for a module of TensorFlow, or None if there is none.

    Raises ModuleNotFoundError if TensorFlow has the name and minitf lacks it.
    """
    outer, _, last = name.rpartition(".")
    if not outer:
        return _root()
    if f"{name}.".startswith("tensorflow.compat.v1."):
        same = name.replace(".compat.v1", "", 1)
        return None if tensorflow_names.is_inside(same) else importlib.import_module(same)
    parent, known = sys.modules[outer], tensorflow_names.has(outer, last)
    if tensorflow_names.is_inside(name):
        found = _inside(name)
        is_lacking = found is None
    elif known is False:
        return None
    else:
        place = getattr(getattr(parent, "_place", None), last, None)
        found = _Module(name, place) if isinstance(place, ModuleType) else None
        is_lacking = found is None and not hasattr(parent, last)
    if is_lacking:
        raise ModuleNotFoundError(tensorflow_names.problem(outer, last))
    return found


class _Finder(MetaPathFinder, Loader):
    """Finds the modules whose names begin with `tensorflow`."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        if not _is_tensorflows(name):
            return None
        module = _module(name)
        return module and ModuleSpec(name, self, loader_state=module, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = module.__spec__.loader_state


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
