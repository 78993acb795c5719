"""Calls that others may follow: every listener is told when a function marked `@announced` returns.

    with listening(lambda event: print(event.name, event.result)):
        train()

These are the functions that create and find the global step, the schedules, `apply_gradients`, what
a Saver does, `add_summary` and `should_stop`. What sessions run is told in client/watchers.py.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

_Function = TypeVar("_Function", bound=Callable)


class Event(NamedTuple):
    """A call that has returned.

    function: the function that was called; `name` is its name, such as "save".
    arguments: by name, with the defaults of those that weren't given. A method has a `self`.
    result: what it returned.
    by_user: whether the call is outside of minitf.
    """

    function: Callable
    arguments: dict[str, Any]
    result: Any
    by_user: bool

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__


Listener = Callable[[Event], object]
listeners: list[Listener] = []


def announced(function: _Function) -> _Function:
    """Decorate a function, so that the listeners are told of each call that returns."""

    @functools.wraps(function)
    def announcing(*values, **named):
        result = function(*values, **named)
        if listeners:
            defaults = _defaults(function)
            arguments = defaults | dict(zip(defaults, values, strict=False)) | named
            caller = sys._getframe(1).f_globals.get("__name__", "")
            event = Event(function, arguments, result, not caller.startswith("minitf."))
            for listener in tuple(listeners):
                listener(event)
        return result

    return announcing


@functools.cache
def _defaults(function: Callable) -> dict[str, Any]:
    """Return the names of all arguments, in order, with their defaults."""
    parameters = inspect.signature(function).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener of all events within the `with`."""
    listeners.append(listener)
    try:
        yield
    finally:
        listeners.remove(listener)
