"""`tf.app.run()`: read the flags, call the program's `main`, and exit with what it returns.

Mirrors tensorflow/python/platform/app.py.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from minitf.extras import flags
from minitf.framework.late import loads_late as _loads_late


def run(
    main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None
) -> NoReturn:
    """Call `main` with the program's name and the arguments that aren't flags, then exit.

    `main` is by default that of the program, and the arguments those of the command line.
    """
    main = main or sys.modules["__main__"].main  # type: ignore[attr-defined]
    flags.absl("app").run(main, argv, flags_parser=partial(flags.FLAGS, known_only=True))


__getattr__, __dir__ = _loads_late("tf.app", globals())
