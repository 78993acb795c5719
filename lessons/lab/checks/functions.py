"""What the checks of a learner's functions share: is it one, how does a call of it end?"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import minitf as tf


def no_function(**functions: Callable) -> str:
    """Name the first that is not a function, if there is one."""
    wrong = [name for name, function in functions.items() if not callable(function)]
    return f"`{wrong[0]}` should be a function. Run the exercise cell again." if wrong else ""


def called(function: Callable, *arguments: object) -> tuple[Future, tf.Graph]:
    """Call a function in a thread, which has its own default graph; return how that ended, and the graph."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments), thread.submit(tf.get_default_graph).result()


def advice(said: str, known: dict[str, str]) -> str:
    """Return what `known` advises against an error with such words."""
    found = (advised for words, advised in known.items() if re.search(words, said))
    return next(found, "Fix that first, and run the exercise cell again.")
