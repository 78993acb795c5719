"""Which hooks a monitored session calls, in which order, and what they do then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np

import minitf as tf

METHODS = ("begin", "after_create_session", "before_run", "after_run", "end")
Row = tuple[str, int | None, dict[str, str]]  # a method, the step, and what each hook does in it


@contextmanager
def hook_calls() -> Iterator[list[Row]]:
    """Record each call of a hook by the monitored sessions that start inside the `with`."""
    rows: list[Row] = []
    start, save = tf.train.MonitoredSession.__init__, tf.train.Saver.save

    def recorded_start(self: Any, creator: Any, hooks: list, *more: Any, **options: Any) -> None:
        for hook in hooks:
            for method in METHODS:
                setattr(hook, method, partial(_call, rows, method, hook, getattr(hook, method)))
        start(self, creator, hooks, *more, **options)

    def recorded_save(*arguments: Any, **options: Any) -> str:
        path, did = save(*arguments, **options), rows[-1][-1]
        did[[*did][-1]] = f"saves {path.rpartition('-')[-1]}"
        return path

    with (
        patch.object(tf.train.MonitoredSession, "__init__", recorded_start),
        patch.object(tf.train.Saver, "save", recorded_save),
    ):
        yield rows
    tf.summary.FileWriterCache.clear()  # closes the hooks' files


def _call(rows: list[Row], method: str, hook: object, call: Callable, *arguments: Any) -> object:
    """Call a hook; the first one to be called adds a row."""
    if not rows or rows[-1][0] != method:
        session = getattr(arguments[0], "session", arguments[0]) if arguments else None
        rows.append((method, session and int(session.run("global_step:0")), {}))
    did, name = rows[-1][-1], type(hook).__name__
    did[name] = ""
    answer = call(*arguments)
    if method == "after_run":
        context, values = arguments
        if isinstance(values.results, np.floating):
            did[name] = f"receives {values.results:.4g}"
        if context.stop_requested and "requests a stop" not in did.values():
            did[name] = "requests a stop"
    return answer


def draw_hook_calls(rows: list[Row]) -> None:
    """Draw a dot for each call, and beside it what the hook does; time runs downwards."""
    hooks = list(rows[0][-1])
    if rows[-1][0] != "end":
        rows = [*rows, ("end isn't called", None, {})]
    labels = [method if step is None else f"{method}, step {step}" for method, step, _ in rows]
    figure = plt.figure(figsize=(7.5, 4.2))
    figure.subplots_adjust(left=0.24, right=1, top=0.88, bottom=0.01)
    for y, (_, _, did) in enumerate(rows):
        plt.plot([hooks.index(hook) for hook in did], [y] * len(did), "oC0")
        for hook, does in did.items():
            plt.text(hooks.index(hook) + 0.09, y, does, va="center", fontsize=8.5)
    names = [hook.replace("Hook", "\nHook") for hook in hooks]
    plt.xticks(range(len(hooks)), names, fontsize=8.5)
    plt.yticks(range(len(rows)), labels, fontsize=8.5)
    plt.tick_params(length=0, labeltop=True, labelbottom=False)
    plt.xlim(-0.4, len(hooks) - 0.05)
    plt.ylim(14.5, -0.7)  # room for six runs
    plt.grid(False)
    plt.gca().spines[:].set_visible(False)
    figure.words = "\n".join(
        ", ".join([label, *(f"{hook} {does}" for hook, does in did.items() if does)])
        for label, (_, _, did) in zip(labels, rows, strict=True)
    )
