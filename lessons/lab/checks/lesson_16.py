"""The check of lesson 16: it tries a piece that the reader wrote, and has ours until theirs is right."""

import inspect
from types import SimpleNamespace

from build import micro, trials
from lab.checks.verdict import Verdict, judge
from lab.experiments.errors import type_and_first_line

RIGHT: set[str] = set()  # the names of the pieces that passed


@judge
def check_built(name: str, namespace: dict) -> Verdict | str:
    """Try the piece of this name in the reader's namespace, with an empty graph for the moment."""
    RIGHT.discard(name)
    yours, trial = SimpleNamespace(**namespace), getattr(trials, name)
    before = dict(yours.graph)
    yours.graph.clear()
    namespace["waiting_for"] = []  # what an earlier attempt left there
    try:
        trial(yours)
    except AssertionError as error:
        return str(error)
    except Exception as error:  # whatever the reader wrote
        return f"`{name}` stops with an error: {type_and_first_line(error)}"
    finally:
        namespace["waiting_for"] = []
        yours.graph.clear()
        yours.graph.update(before)
    RIGHT.add(name)
    return Verdict(True, trial.__doc__)


def ours_unless_right(name: str) -> str:
    """Return the code of our piece, or none if the reader's has passed."""
    return "" if name in RIGHT else inspect.getsource(getattr(micro, name))
