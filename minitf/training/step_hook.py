"""What the hooks that follow the global step share: they read it in each run, and a timer says when they are due.

A hook reads the global step in the run that it watches, and gets the step from before that run's update (in TensorFlow
it may be either). Where the exact step counts, a hook that may be due reads it once more, in a separate run.

Mirrors a part of tensorflow/python/training/basic_session_run_hooks.py.
"""

from __future__ import annotations

import time

from minitf.summary.writer import FileWriterCache
from minitf.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook
from minitf.training.training_util import global_step_read


class SecondOrStepTimer:
    """Says when something is due that happens at the first step and then every so many seconds or steps.

    Raises ValueError unless exactly one of the two is given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None):
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it last happened: it is due at once."""
        self._last_step = self._last_time = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is due at this step; never twice at the same step."""
        if self._last_step is None or self._last_step == step:
            return self._last_step is None
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        return bool(step >= self._last_step + self._every_steps)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Say that it happens now, at this step. Gives the seconds and steps since the last time, or (None, None)."""
        now, passed = time.time(), (None, None)
        if self._last_step is not None:
            passed = (now - self._last_time, step - self._last_step)
        self._last_time, self._last_step = now, step
        return passed

    def last_triggered_step(self) -> int | None:
        """The step at which it last happened, or None."""
        return self._last_step


class StepHook(SessionRunHook):
    """A hook that reads the global step in each run, and may have a timer, a writer, or a directory to write into.

    Its `begin` raises RuntimeError where there is no global step.
    """

    _summary_writer = _output_dir = None
    _steps_per_run = 1

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read()
        if self._global_step_tensor is None:
            name = next(
                kind.__name__
                for kind in type(self).__mro__
                if kind.__module__.startswith("minitf.")
            )
            raise RuntimeError(f"Global step should be created to use {name}.")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(self._global_step_tensor)

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Say by how much a run may change the step."""
        self._steps_per_run = steps_per_run

    def _step_if_due(self, session, step_before: int) -> int | None:
        """The step that the session is at, if the timer is due there; asked only if it can be."""
        if not self._timer.should_trigger_for_step(step_before + self._steps_per_run):
            return None
        step = session.run(self._global_step_tensor)
        return step if self._timer.should_trigger_for_step(step) else None
