"""The hooks that most training runs need besides the one that saves: log, count, summarize, wait, feed, and stop.

Mirrors tensorflow/python/training/basic_session_run_hooks.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from minitf.framework.graph import get_default_graph
from minitf.framework.protos import message
from minitf.platform import tf_logging
from minitf.summary.summary import summary_of
from minitf.training.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from minitf.training.step_hook import SecondOrStepTimer, StepHook
from minitf.training.training_util import get_global_step


class LoggingTensorHook(SessionRunHook):
    """Logs `loss = 0.5, step = 10 (0.123 sec)` at the level INFO: every so many runs or seconds, or at the end.

    Args: tensors (a dict from the words printed before the values to tensors or names, or a list of tensors or
    names); every_n_iter (runs); every_n_secs; at_end; formatter (makes the line of the dict of values).
    Raises ValueError unless it is said exactly once when to log.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        self._only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not self._only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._tag_order = sorted(tensors) if isinstance(tensors, dict) else list(tensors)
        self._tensors = (
            tensors if isinstance(tensors, dict) else {tensor: tensor for tensor in self._tag_order}
        )
        self._timer = SecondOrStepTimer(every_n_secs, 1 if self._only_at_end else every_n_iter)
        self._at_end, self._formatter = at_end, formatter

    def begin(self) -> None:
        self._timer.reset()
        self._runs = 0
        self._fetches = {tag: _tensor_of(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._due = not self._only_at_end and self._timer.should_trigger_for_step(self._runs)
        return SessionRunArgs(self._fetches) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._due:
            self._log_tensors(run_values.results)
        self._runs += 1

    def end(self, session) -> None:
        if self._at_end:
            self._log_tensors(session.run(self._fetches))

    def _log_tensors(self, tensor_values: dict) -> None:
        """Log them; programs have hooks with another way to do so."""
        seconds, _ = self._timer.update_last_triggered_step(self._runs)
        with np.printoptions(suppress=True):
            line = ", ".join(f"{tag} = {tensor_values[tag]!s}" for tag in self._tag_order)
            line += "" if seconds is None else f" ({seconds:.3f} sec)"
            tf_logging.info(self._formatter(tensor_values) if self._formatter else line)


def _tensor_of(tensor):
    """The tensor of this name (an op's name stands for its only output), or the tensor itself."""
    graph = get_default_graph()
    if not isinstance(tensor, str):
        if getattr(tensor, "graph", None) is not graph:
            raise ValueError(
                f"Passed {tensor} should have graph attribute that is equal to current graph {graph}."
            )
        return tensor
    if len(getattr(graph.operations.get(tensor), "outputs", ())) > 1:
        words = "as this `Operation` has multiple outputs (at least 2)."
        raise ValueError(f"Name {tensor} is ambiguous, {words}")
    return graph.as_graph_element(tensor if ":" in tensor else f"{tensor}:0")


class StopAtStepHook(StepHook):
    """Stops at the global step `last_step`, or after `num_steps` more steps than at the start.

    It looks after each run: training that is restored at `last_step` or later still does one run.
    Raises ValueError unless exactly one of the two is given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def after_create_session(self, session, coord) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        likely = run_values.results + 1
        if (
            likely >= self._last_step
            and run_context.session.run(self._global_step_tensor) >= self._last_step
        ):
            run_context.request_stop()


class StepCounterHook(StepHook):
    """Logs the steps per second, and writes them as a summary if there is an `output_dir` or a `summary_writer`.

    Raises ValueError unless exactly one of `every_n_steps` and `every_n_secs` is given.
    """

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._step_before = None

    def begin(self) -> None:
        super().begin()
        self._summary_tag = f"{get_global_step().op.name}/sec"

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = self._step_if_due(run_context.session, run_values.results)
        if step is not None:
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds is not None:
                self._log_and_record(steps, seconds, step)
        if run_values.results == self._step_before:
            words = "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could"
            words += " be stable): %s vs previous value: %s. Give it to the optimizer: minimize(global_step=...)."
            tf_logging.log_first_n(tf_logging.WARN, words, 5, run_values.results, self._step_before)
        self._step_before = run_values.results

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        """Say how fast it is; programs have hooks with another way to do so."""
        rate = elapsed_steps / elapsed_time
        tf_logging.info("%s: %g", self._summary_tag, rate)
        if self._summary_writer is not None:
            self._summary_writer.add_summary(
                summary_of(self._summary_tag, simple_value=rate), global_step
            )


class NanLossDuringTrainingError(RuntimeError):
    """The loss is not a number any more."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends training when the loss is NaN: by NanLossDuringTrainingError, or without one by a stop."""

    def __init__(self, loss_tensor, fail_on_nan_loss: bool = True):
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if np.isnan(run_values.results):
            tf_logging.log(
                tf_logging.ERROR if self._fail else tf_logging.WARN,
                "Model diverged with loss = NaN.",
            )
            if self._fail:
                raise NanLossDuringTrainingError
            run_context.request_stop()


class SummarySaverHook(StepHook):
    """Writes summaries at the first run and then every so many steps or seconds.

    Args: save_steps or save_secs; output_dir or summary_writer; summary_op (a string tensor, or a list of them) or the
    scaffold that has it. Raises ValueError unless exactly one of the last two is given.
    """

    def __init__(
        self,
        save_steps=None,
        save_secs=None,
        output_dir=None,
        summary_writer=None,
        scaffold=None,
        summary_op=None,
    ):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        super().begin()
        self._next_step = None

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._due = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        wanted = self._summary_op if self._scaffold is None else self._scaffold.summary_op
        wanted = wanted if isinstance(wanted, list) else [wanted] if wanted is not None else []
        return SessionRunArgs((self._global_step_tensor, wanted if self._due else []))

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._summary_writer is None:
            return
        step, summaries = run_values.results[0] + 1, run_values.results[1]
        if self._due:
            step = run_context.session.run(self._global_step_tensor)
            if self._next_step is None:
                log = message("SessionLog")
                self._summary_writer.add_session_log(log(status=log.START), step)
            self._timer.update_last_triggered_step(step)
            for serialized in summaries:
                self._summary_writer.add_summary(serialized, step)
        self._next_step = step + 1

    def end(self, session=None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()


class GlobalStepWaiterHook(StepHook):
    """Lets the first run wait until other threads have brought the global step to `wait_until_step`."""

    def __init__(self, wait_until_step: int):
        self._waited_for = wait_until_step

    def before_run(self, run_context: SessionRunContext) -> None:
        if self._waited_for > 0:
            tf_logging.info(
                "Waiting for global step %d before starting training.", self._waited_for
            )
            while run_context.session.run(self._global_step_tensor) < self._waited_for:
                time.sleep(0.5)
        self._waited_for = 0


class FinalOpsHook(SessionRunHook):
    """Runs `final_ops` at the end; their values are `final_ops_values`."""

    def __init__(self, final_ops, final_ops_feed_dict: dict | None = None):
        self._fetches, self._feeds, self._values = final_ops, final_ops_feed_dict, None

    final_ops_values = property(lambda self: self._values, doc="The values, None before the end.")

    def end(self, session) -> None:
        if self._fetches is not None:
            self._values = session.run(self._fetches, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Feeds each run what `feed_fn()` returns: a dict."""

    def __init__(self, feed_fn: Callable[[], dict]):
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(None, self.feed_fn())
