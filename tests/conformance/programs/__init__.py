"""The programs, one file a theme: a theme's functions with public names are its programs."""

import importlib
import inspect
import pkgutil


def themes():
    """The names of all themes, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def every():
    """(theme, name, program) for every program."""
    return [(theme, *item) for theme in themes() for item in programs(theme).items()]


def programs(theme):
    """The programs of a theme by name, in the order of their file."""
    module = importlib.import_module(f"{__name__}.{theme}")
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
