"""Command-line flags: those of the package absl, loaded when a program first uses them.

    tf.flags.DEFINE_float("learning_rate", 0.1, "How far a step goes.")
    tf.flags.FLAGS.learning_rate

Mirrors tensorflow/python/platform/flags.py.
"""

import sys
from functools import partial

from minitf.framework.late import imported

# What the parameters were called in TensorFlow 1.4 and earlier.
_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def absl(module: str):
    """A module of absl. Raises ImportError, with advice, if absl is not installed."""
    return imported(
        f"absl.{module}", "tf.flags and tf.app need the package absl-py: pip install absl-py"
    )


class _Flags:
    """The values of the flags. The command line is parsed when a program first asks for one."""

    def __getattr__(self, name: str):
        flags = absl("flags").FLAGS
        if not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value) -> None:
        setattr(absl("flags").FLAGS, name, value)

    def __getitem__(self, name: str):
        return absl("flags").FLAGS[name]

    def __iter__(self):
        return iter(absl("flags").FLAGS)

    def __call__(self, *args, **kwargs):
        return absl("flags").FLAGS(*args, **kwargs)


FLAGS = _Flags()


def _define(name: str, *args, **kwargs):
    absl("flags").disclaim_key_flags()  # the flag belongs to the module that called this
    return getattr(absl("flags"), name)(
        *args, **{_OLD_NAMES.get(key, key): value for key, value in kwargs.items()}
    )


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    found = getattr(absl("flags"), name)
    return partial(_define, name) if name.startswith("DEFINE_") else found
