"""The hooks that most trainings need: count, log, save, summarize, and stop.

A hook reads the global step in the run that it watches, and gets the step from before that run's update (in TensorFlow
it may be either). Where the exact step counts, a hook that may be due reads it once more, in a run of its own.

Stands for tensorflow/python/training/basic_session_run_hooks.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework.graph import GraphKeys, get_collection, get_default_graph
from minitf.framework.protos import message
from minitf.platform import tf_logging
from minitf.summary.summary import summary_of
from minitf.summary.writer import FileWriterCache
from minitf.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from minitf.training.training_util import get_global_step, global_step_read


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


class _StepHook(SessionRunHook):
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
            name = next(kind.__name__ for kind in type(self).__mro__ if kind.__module__ == __name__)
            raise RuntimeError(f"Global step should be created to use {name}.")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(self._global_step_tensor)

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Say by how much a run may change the step."""
        self._steps_per_run = steps_per_run

    def _step_if_due(self, session: Any, step_before: int) -> int | None:
        """The step that the session is at, if the timer is due there; asked only if it can be."""
        if not self._timer.should_trigger_for_step(step_before + self._steps_per_run):
            return None
        step = session.run(self._global_step_tensor)
        return step if self._timer.should_trigger_for_step(step) else None


class LoggingTensorHook(SessionRunHook):
    """Logs `loss = 0.5, step = 10 (0.123 sec)` at the level INFO: every so many runs or seconds, or at the end.

    Args: tensors (a dict from the words that stand before the values to tensors or names, or a list of tensors or
    names); every_n_iter (runs); every_n_secs; at_end; formatter (makes the line of the dict of values).
    Raises ValueError unless it is said exactly once when to log.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        self._only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not self._only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._tag_order = sorted(tensors) if isinstance(tensors, dict) else list(tensors)
        self._tensors = tensors if isinstance(tensors, dict) else {tensor: tensor for tensor in self._tag_order}
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

    def end(self, session: Any) -> None:
        if self._at_end:
            self._log_tensors(session.run(self._fetches))

    def _log_tensors(self, tensor_values: dict) -> None:
        """Log them; programs have hooks with another way to do so."""
        seconds, _ = self._timer.update_last_triggered_step(self._runs)
        with np.printoptions(suppress=True):
            line = ", ".join(f"{tag} = {tensor_values[tag]!s}" for tag in self._tag_order)
            line += "" if seconds is None else f" ({seconds:.3f} sec)"
            tf_logging.info(self._formatter(tensor_values) if self._formatter else line)


def _tensor_of(tensor: Any) -> Any:
    """The tensor of this name (an op's name stands for its only output), or the tensor itself."""
    graph = get_default_graph()
    if not isinstance(tensor, str):
        if getattr(tensor, "graph", None) is not graph:
            raise ValueError(f"Passed {tensor} should have graph attribute that is equal to current graph {graph}.")
        return tensor
    if len(getattr(graph.operations.get(tensor), "outputs", ())) > 1:
        words = "as this `Operation` has multiple outputs (at least 2)."
        raise ValueError(f"Name {tensor} is ambiguous, {words}")
    return graph.as_graph_element(tensor if ":" in tensor else f"{tensor}:0")


class StopAtStepHook(_StepHook):
    """Stops at the global step `last_step`, or after `num_steps` more steps than at the start.

    It looks after each run: a training that is restored at `last_step` or later still does one run.
    Raises ValueError unless exactly one of the two is given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        likely = run_values.results + 1
        if likely >= self._last_step and run_context.session.run(self._global_step_tensor) >= self._last_step:
            run_context.request_stop()


class CheckpointSaverListener:
    """The base of what a CheckpointSaverHook tells about its saves: each method does nothing."""

    def begin(self) -> None:
        """Called when the hook begins."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before each save."""

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after each save. Training stops if it returns something true."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called at the end, after the last save."""


class CheckpointSaverHook(_StepHook):
    """Saves a checkpoint at the start, every so many seconds or steps, and at the end.

    Args: checkpoint_dir; save_secs or save_steps; saver or scaffold (else the one saver of the collection SAVERS);
    checkpoint_basename; listeners (CheckpointSaverListeners); `save_graph_def` has no effect here.
    """

    _steps_per_run = 1_000_000  # so that the step is asked for after every run

    def __init__(
        self,
        checkpoint_dir,
        save_secs=None,
        save_steps=None,
        saver=None,
        checkpoint_basename="model.ckpt",
        scaffold=None,
        listeners=None,
        save_graph_def=True,
    ):
        tf_logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold, self._listeners = saver, scaffold, listeners or []
        self._output_dir = self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        super().begin()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step = session.run(self._global_step_tensor)
        self._summary_writer.add_graph(get_default_graph())
        graph_def = get_default_graph().as_graph_def(add_shapes=True)
        self._summary_writer.add_meta_graph(message("MetaGraphDef")(graph_def=graph_def))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = self._step_if_due(run_context.session, run_values.results)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Save, and tell the listeners; whether one of them wants to stop."""
        tf_logging.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        tf_logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._get_saver().save(session, self._save_path, global_step=step)
        log = message("SessionLog")
        self._summary_writer.add_session_log(log(status=log.CHECKPOINT, checkpoint_path=self._save_path), step)
        tf_logging.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        stopping = [listener for listener in self._listeners if listener.after_save(session, step)]
        for listener in stopping:
            tf_logging.info("A CheckpointSaverListener requested that training be stopped. listener: %s", listener)
        return bool(stopping)

    def _get_saver(self) -> Any:
        if self._saver or self._scaffold:
            return self._saver or self._scaffold.saver
        savers = get_collection(GraphKeys.SAVERS)
        if len(savers) == 1:
            return savers[0]
        found, advice = "No items", "add a saver to the collection or provide a saver or scaffold."
        if savers:
            found, advice = "More than one item", "indicate which one to use by passing it to the constructor."
        raise RuntimeError(f"{found} in collection {GraphKeys.SAVERS}. Please {advice}")


class StepCounterHook(_StepHook):
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
            self._summary_writer.add_summary(summary_of(self._summary_tag, simple_value=rate), global_step)


class NanLossDuringTrainingError(RuntimeError):
    """The loss is not a number any more."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends training when the loss is NaN: by NanLossDuringTrainingError, or without one by a stop."""

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True):
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if np.isnan(run_values.results):
            tf_logging.log(tf_logging.ERROR if self._fail else tf_logging.WARN, "Model diverged with loss = NaN.")
            if self._fail:
                raise NanLossDuringTrainingError
            run_context.request_stop()


class SummarySaverHook(_StepHook):
    """Writes summaries at the first run and then every so many steps or seconds.

    Args: save_steps or save_secs; output_dir or summary_writer; summary_op (a string tensor, or a list of them) or the
    scaffold that has it. Raises ValueError unless exactly one of the last two is given.
    """

    def __init__(
        self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None, scaffold=None, summary_op=None
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

    def end(self, session: Any = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()


class GlobalStepWaiterHook(_StepHook):
    """Lets the first run wait until other threads have brought the global step to `wait_until_step`."""

    def __init__(self, wait_until_step: int):
        self._waited_for = wait_until_step

    def before_run(self, run_context: SessionRunContext) -> None:
        if self._waited_for > 0:
            tf_logging.info("Waiting for global step %d before starting training.", self._waited_for)
            while run_context.session.run(self._global_step_tensor) < self._waited_for:
                time.sleep(0.5)
        self._waited_for = 0


class FinalOpsHook(SessionRunHook):
    """Runs `final_ops` at the end; their values are `final_ops_values`."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: dict | None = None):
        self._fetches, self._feeds, self._values = final_ops, final_ops_feed_dict, None

    final_ops_values = property(lambda self: self._values, doc="The values, None before the end.")

    def end(self, session: Any) -> None:
        if self._fetches is not None:
            self._values = session.run(self._fetches, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Feeds each run what `feed_fn()` returns: a dict."""

    def __init__(self, feed_fn: Callable[[], dict]):
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(None, self.feed_fn())
