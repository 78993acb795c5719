"""Newer names such as `tf.random.uniform`, and TensorFlow 2's own.

Mirrors tensorflow/python/util/compat.py and tensorflow/python/framework/v2_compat.py.
"""

import sys
from contextlib import suppress
from functools import partial
from operator import attrgetter
from types import ModuleType

from minitf.framework import tensorflow_names
from minitf.framework.late import LateModule

_TF = sys.modules["minitf"]


class Respelled(LateModule):
    """A module with newer names for what `tf` has.

    With the spelling "random_{}", for example, its `uniform` is `tf.random_uniform`. `others` are
    names that `tf` calls otherwise. A name that TensorFlow's module lacks isn't in this one either.
    """

    def __init__(self, path: str, *spellings: str, **others: str):
        super().__init__(path)
        self._spellings, self._others = spellings, others

    def find(self, name: str):
        if tensorflow_names.has(self.__name__.replace("tf", "tensorflow", 1), name) is not False:
            for spelling in [self._others[name]] if name in self._others else self._spellings:
                with suppress(AttributeError):
                    return attrgetter(spelling.format(name))(_TF)
        return super().find(name)


v1 = ModuleType("tf.compat.v1")
v1.__getattr__ = partial(getattr, _TF)
math = Respelled("tf.math", "{}", "nn.{}")
random = Respelled("tf.random", "random_{}", "{}", "nn.{}")
debugging, dtypes = (Respelled(f"tf.{name}", "{}") for name in ("debugging", "dtypes"))
linalg = Respelled("tf.linalg", "matrix_{}", "{}", tensor_diag="diag", tensor_diag_part="diag_part")
initializers = Respelled("tf.initializers", "{}_initializer")


def as_text(bytes_or_text: bytes | str, encoding: str = "utf-8") -> str:
    """Return text as it is, and bytes decoded. Raises TypeError for anything else."""
    if not isinstance(bytes_or_text, bytes | str):
        raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")
    return bytes_or_text if isinstance(bytes_or_text, str) else bytes_or_text.decode(encoding)


def as_bytes(bytes_or_text: bytes | str, encoding: str = "utf-8") -> bytes:
    """Return bytes as they are, and text encoded. Raises TypeError for anything else."""
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    return as_text(bytes_or_text).encode(encoding)


as_str = as_text


def disable_v2_behavior() -> None:
    """Do nothing, because minitf only has the behavior of TensorFlow 1."""


def disable_eager_execution() -> None:
    """Do nothing, because minitf only has graphs."""


def executing_eagerly() -> bool:
    """Return False, because minitf only has graphs."""
    return False
